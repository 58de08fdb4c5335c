import type { Config } from '../config.ts'
import type { Searcher } from '../search/engine.ts'
import type { Catalogue } from '../signature/catalogue.ts'
import type { Store } from '../store/store.ts'
import type { Memo } from './memo.ts'

/** What every use case works with; tests pass their own. */
export interface Context {
  readonly store: Store
  readonly config: Config
  /** The signatures as files say now; reread when a file changes. */
  readonly catalogue: () => Promise<Catalogue>
  readonly searcher: Searcher
  /** Keeps sums between requests; absent: each adds up by itself. */
  readonly memo?: Memo
  /** Epoch ms. */
  readonly now: () => number
}
