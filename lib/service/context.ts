import type { Config } from '../config.ts'
import type { Searcher } from '../search/engine.ts'
import type { Catalogue } from '../signature/catalogue.ts'
import type { Store } from '../store/store.ts'
import type { Memo } from './memo.ts'
import type { PeerAnswer } from './peer.ts'
import type { ChartView } from './peer-chart.ts'
import type { Recent } from './recent.ts'

/** What every use case works with; tests pass their own. */
export interface Context {
  readonly store: Store
  readonly config: Config
  /** The signatures as files say now; reread when a file changes. */
  readonly catalogue: () => Promise<Catalogue>
  readonly searcher: Searcher
  /** Keeps sums between requests; absent: each adds up by itself. */
  readonly memo?: Memo
  /** Gives answers in ci-search's form again for a little while, and bounds how many are made at once; absent: neither. */
  readonly peers?: Recent<PeerAnswer>
  /** The same of charts. */
  readonly charts?: Recent<ChartView>
  /** Epoch ms. */
  readonly now: () => number
}

/** What adds up what is stored and searches nothing: the worker has no more. */
export type StoredContext = Pick<Context, 'store' | 'catalogue' | 'memo' | 'now'>
