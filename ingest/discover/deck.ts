import { ProwlError } from '#lib/errors.ts'
import type { RetryPolicy } from '../source/retry.ts'
import type { Source } from '../source/source.ts'
import type { Discovery } from './discovery.ts'

export interface DeckOptions {
  /** Address of Deck, e.g. `https://prow.ci.openshift.org`. */
  readonly deck: string
  readonly source: Source
  /** Names that the bucket has in addresses, without scheme; its own is among them by itself. */
  readonly aliases?: readonly string[]
  readonly retries?: RetryPolicy
  /** Of one whole answer, ms. */
  readonly timeoutMs?: number
}

/** Runs by Deck's `prowjobs.js`. */
export function deckDiscovery({ deck }: DeckOptions): Discovery {
  return {
    kind: 'deck',
    find: () => Promise.reject(new ProwlError('DISCOVERY_FAILED', `${deck}: not asked yet`)),
  }
}
