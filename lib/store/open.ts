import { openEmbedded } from './embedded/embedded-store.ts'
import { openRemote } from './embedded/remote.ts'
import type { Store } from './store.ts'

export interface OpenOptions {
  readonly dataDir: string
  /** `write` makes the directory, and takes its one writer's place. */
  readonly mode: 'write' | 'read'
  /** The store works in a thread of its own: for whoever must not be held up. */
  readonly thread?: boolean
}

/** Opens the embedded store. Throws DATA_DIR_UNWRITABLE, DATA_DIR_NEWER, DATA_DIR_LOCKED. */
export async function openStore({ thread = false, ...options }: OpenOptions): Promise<Store> {
  return thread ? openRemote(options) : openEmbedded(options)
}
