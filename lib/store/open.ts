import { openEmbedded } from './embedded/embedded-store.ts'
import type { Store } from './store.ts'

export interface OpenOptions {
  readonly dataDir: string
  /** `write` makes the directory, and takes its one writer's place. */
  readonly mode: 'write' | 'read'
  /** The store works in a thread of its own; the default for readers. */
  readonly thread?: boolean
}

/** Opens the embedded store. Throws DATA_DIR_UNWRITABLE, DATA_DIR_NEWER, DATA_DIR_LOCKED. */
export async function openStore({ dataDir, mode }: OpenOptions): Promise<Store> {
  return openEmbedded({ dataDir, mode })
}
