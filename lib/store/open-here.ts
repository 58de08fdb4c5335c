import type { ElasticOptions } from './elastic/connect.ts'
import { openElastic } from './elastic/elastic-store.ts'
import { openEmbedded } from './embedded/embedded-store.ts'
import type { Store } from './store.ts'

export interface HereOptions {
  /** Of the embedded store; not looked at where the other is named. */
  readonly dataDir: string
  /** The Elasticsearch store instead. */
  readonly elastic?: ElasticOptions | undefined
  /** `write` makes what is not there yet; the embedded store's directory has one writer. */
  readonly mode: 'write' | 'read'
}

/** Opens the store in this thread. */
export async function openHere(
  { dataDir, elastic, mode }: HereOptions,
  onNotice?: (message: string) => void,
): Promise<Store> {
  return elastic ? openElastic({ ...elastic, mode, onNotice }) : openEmbedded({ dataDir, mode })
}
