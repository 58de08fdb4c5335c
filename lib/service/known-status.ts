import type { StoreStatus } from '../store/store.ts'
import type { StoredContext } from './context.ts'
import { kept } from './memo.ts'

/** What the store tells of all it holds, some seconds old at most: every page asks, and it adds up all runs. */
export async function knownStatus(ctx: StoredContext): Promise<StoreStatus> {
  return await kept(ctx, 'status', () => ctx.store.status())
}
