import type { RunKey, RunResult } from '../model/run.ts'
import type { OrderKey } from '../store/store.ts'
import type { SearchQuery } from './query.ts'

/** Runs searches over a store; its regexes run in worker threads with a deadline. */
export interface Searcher {
  /** One page of an answer, complete or saying what it left out. Throws REGEX_* for a pattern that does not parse. */
  search(query: SearchQuery, options: SearchOptions): Promise<SearchAnswer>
  close(): Promise<void>
}

export interface SearchOptions {
  /** Hits on the page. */
  readonly maxHits: number
  readonly maxHitsPerLog: number
  readonly after?: OrderKey
  /** Milliseconds until a partial answer is given. */
  readonly deadlineMs: number
  readonly signal?: AbortSignal
  /** Epoch ms, against which a relative range is resolved. */
  readonly now: number
}

export interface SearchHit extends RunKey {
  readonly job: string
  readonly buildId: string
  readonly result: RunResult
  readonly time: number
  readonly log: string
  readonly line: number
  /** Which of the query's patterns matched. */
  readonly patterns: readonly number[]
  /** The line as matched, capped at 2,000 characters round the first span. */
  readonly text: string
  /** Where the patterns match in `text`, in UTF-16 units (re2js decides). */
  readonly spans: readonly { readonly from: number; readonly to: number; readonly pattern: number }[]
  readonly before: readonly string[]
  readonly after: readonly string[]
  /** Further matching lines of this log beyond maxHitsPerLog. */
  readonly more: number
  /** The line was longer than 64 KiB and matched in windows. */
  readonly cut: boolean
}

export interface SearchAnswer {
  readonly hits: readonly SearchHit[]
  readonly next?: OrderKey
  readonly from: number
  readonly to: number
  readonly searched: { readonly logs: number; readonly blocks: number; readonly bytes: number; readonly ms: number }
  /** Why the answer may lack lines; empty when it is whole. */
  readonly partial: readonly ('deadline' | 'limit' | 'expired' | 'damaged')[]
}
