import type { LogKind, RunResult } from '../model/run.ts'

/** A search as pages, API, links and the command line state it. Times are epoch ms. */
export interface SearchQuery {
  /** RE2, at least one; smart case. */
  readonly patterns: readonly string[]
  /** RE2 over job names. */
  readonly job?: string
  readonly excludeJob?: string
  /** Absolute range (from inclusive, to exclusive), or the last `lastMs` before now. */
  readonly range: { readonly from: number; readonly to: number } | { readonly lastMs: number }
  readonly results?: readonly RunResult[]
  readonly kinds?: readonly LogKind[]
  /** Lines before and after each hit, 0–15. */
  readonly context: number
  readonly groupBy: 'job' | 'run' | 'none'
}
