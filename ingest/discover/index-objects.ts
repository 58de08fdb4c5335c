import { ProwlError } from '#lib/errors.ts'
import type { Source } from '../source/source.ts'
import type { Discovery } from './discovery.ts'

export interface IndexOptions {
  /** Pages of a thousand names that are listed at most. */
  readonly maxPages?: number
}

/** Runs by OpenShift's `index/job-state/` objects. */
export function indexDiscovery(source: Source, _options: IndexOptions = {}): Discovery {
  return {
    kind: 'index',
    find: () => Promise.reject(new ProwlError('DISCOVERY_FAILED', `${source.bucket}: no index yet`)),
  }
}
