import { z } from 'zod'
import type { Change, Signature } from '../model/signature.ts'
import type { Store } from '../store/store.ts'

const KEY = 'changes-seen'
/** By signature and the change's `at`: when a worker first saw it in a file. All epoch ms. */
const Seen = z.record(z.string(), z.record(z.string(), z.number()))
export type SeenChanges = z.infer<typeof Seen>

/** Called by the worker before each pass. A change that was once seen stays so, also when its file is gone for a while. */
export async function noteChanges(
  store: Pick<Store, 'state' | 'putState'>,
  signatures: readonly Signature[],
  now: number,
): Promise<void> {
  const seen = await changesSeen(store)
  const fresh = signatures.flatMap(({ id, changes }) =>
    changes.filter(({ at }) => seen[id]?.[at] === undefined).map(({ at }) => [id, at] as const),
  )
  if (fresh.length === 0) return
  const added: SeenChanges = { ...seen }
  for (const [id, at] of fresh) added[id] = { ...added[id], [at]: now }
  await store.putState(KEY, added)
}

export async function changesSeen(store: Pick<Store, 'state'>): Promise<SeenChanges> {
  return Seen.safeParse(await store.state(KEY)).data ?? {}
}

/** When a change of a signature was first seen; one that no worker saw yet is seen `now`. */
export function firstSeenOf(seen: SeenChanges, signature: string, now: number): (change: Change) => number {
  return ({ at }) => seen[signature]?.[at] ?? now
}
