import type { Day } from '#lib/model/run.ts'
import { dayOf } from '#lib/store/order.ts'
import type { Store } from '#lib/store/store.ts'

const DAY_MS = 86_400_000

/**
 * Sweeps what was never published, and deletes the text of days that are more than `keepDays` old; 0 keeps all of it.
 * Runs, hits and incidents stay.
 */
export async function sweep(
  store: Pick<Store, 'maintain'>,
  keepDays: number,
  now: number,
): Promise<{ readonly swept: number; readonly expiredDays: readonly Day[] }> {
  return await store.maintain(keepDays > 0 ? { expireBefore: dayOf(now - keepDays * DAY_MS) } : {})
}
