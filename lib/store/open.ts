import { type HereOptions, openHere } from './open-here.ts'
import type { Store } from './store.ts'
import { openRemote } from './thread/remote.ts'

export interface OpenOptions extends HereOptions {
  /** The store works in a thread of its own: for whoever must not be held up. One that only waits for a server gets none. */
  readonly thread?: boolean
  /** A line for people: that the store is waited for, and that it answers again. */
  readonly onNotice?: ((message: string) => void) | undefined
}

/**
 * Opens a store. Throws DATA_DIR_UNWRITABLE, DATA_DIR_NEWER, DATA_DIR_LOCKED; STORE_UNREACHABLE, STORE_DENIED,
 * STORE_LAYOUT, STORE_LEASE_HELD.
 */
export async function openStore({ thread = false, onNotice, ...options }: OpenOptions): Promise<Store> {
  const waitsOnly = options.elastic !== undefined && options.mode === 'read'
  return thread && !waitsOnly ? openRemote(options, onNotice) : openHere(options, onNotice)
}
