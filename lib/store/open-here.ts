import type { ElasticOptions } from './elastic/connect.ts'
import type { Store } from './store.ts'

export interface HereOptions {
  /** Of the embedded store; not looked at where the other is named. */
  readonly dataDir: string
  /** The Elasticsearch store instead. */
  readonly elastic?: ElasticOptions | undefined
  /** `write` makes what is not there yet; the embedded store's directory has one writer. */
  readonly mode: 'write' | 'read'
}

/** Opens the store in this thread. The other store's modules, a third of all that a command would load, stay out. */
export async function openHere(
  { dataDir, elastic, mode }: HereOptions,
  onNotice?: (message: string) => void,
): Promise<Store> {
  if (elastic) {
    const { openElastic } = await import('./elastic/elastic-store.ts')
    return openElastic({ ...elastic, mode, onNotice })
  }
  const { openEmbedded } = await import('./embedded/embedded-store.ts')
  return openEmbedded({ dataDir, mode })
}
