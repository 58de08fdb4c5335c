import { availableParallelism } from 'node:os'
import pLimit from 'p-limit'
import { count } from '../counts.ts'
import type { RunKey, RunRefs, RunResult } from '../model/run.ts'
import type { Affected } from '../signature/affected.ts'
import type { Catalogue, CatalogueFile } from '../signature/catalogue.ts'
import type { OrderKey, Store, StoredRun } from '../store/store.ts'
import { createGate, type GateLoad } from './gate.ts'
import { createPool, type PoolLoad } from './pool.ts'
import type { SearchQuery } from './query.ts'
import { runCount } from './run-count.ts'
import { type EvaluateLimits, runCatalogue, runEvaluate, runKnown } from './run-evaluate.ts'
import { type FindOptions, type FindQuery, type Found, runFind } from './run-find.ts'
import { runSearch } from './run-search.ts'
import { runTally, type TallyAnswer, type TallyOptions } from './run-tally.ts'
import type { Limits } from './search-parts.ts'
import type { Lacking, Searched } from './tally.ts'
import type { RunOutcome } from './tasks.ts'

/** Runs searches over a store; its regexes run in worker threads with a deadline. */
export interface Searcher {
  /**
   * One page of an answer, complete or saying what it left out. Throws REGEX_* for a pattern that does not parse,
   * SEARCH_DEADLINE for a job pattern that comes to no end, SEARCH_BUSY where too many wait, and the signal's reason.
   */
  search(query: SearchQuery, options: SearchOptions): Promise<SearchAnswer>
  /** How many lines match, run by run; partial at the deadline or the limit of bytes, and says so. Throws as `search`. */
  count(query: SearchQuery, options: CountOptions): Promise<CountAnswer>
  /** What a capture group caught, in all runs of the range; partial as counts are. Throws as `search`, and QUERY_INVALID. */
  tally(query: SearchQuery, options: TallyOptions): Promise<TallyAnswer>
  /**
   * The lines of one run that match, log by log; partial as counts are. Throws as `search`. What it gives can be asked for
   * lines as long as the run's text is what it was.
   */
  find(query: FindQuery, options: FindOptions): Promise<Found>
  /**
   * The catalogue of files that a stranger may have written. Throws SEARCH_DEADLINE where a pattern comes to no end on a
   * sample, or no thread is free in time.
   */
  catalogue(files: readonly CatalogueFile[], limits: Limits): Promise<Catalogue>
  /**
   * Tells what the signatures make of each stored run, newest first; nothing is written. False where the deadline came
   * before the last run. Throws the signal's reason.
   */
  evaluate(
    affected: Affected,
    onRun: (stored: StoredRun, outcome: RunOutcome) => void,
    limits: EvaluateLimits,
  ): Promise<boolean>
  /** By line, the ids of the signatures that match it: none where that came to no end in time. */
  known(catalogue: Catalogue, lines: readonly string[], limits: Limits): Promise<readonly (readonly string[])[]>
  load(): PoolLoad & { readonly gate: GateLoad }
  close(): Promise<void>
}

export interface SearchOptions extends Limits {
  /** Hits on the page. */
  readonly maxHits: number
  /** Where greater than maxHits, a log's lines are not limited and may run over pages. */
  readonly maxHitsPerLog: number
  /**
   * A run's first so many lines, in the total order; it is then looked at no further. Not limited as above, or absent. A
   * run (or log) within which time or bytes ended the page counts anew on the next.
   */
  readonly maxHitsPerRun?: number
  readonly after?: OrderKey
  /** Epoch ms, against which a relative range is resolved. */
  readonly now: number
}

export interface SearchHit extends RunKey {
  readonly job: string
  readonly buildId: string
  readonly result: RunResult
  readonly refs?: RunRefs
  readonly time: number
  readonly log: string
  readonly line: number
  /** Which of the query's patterns matched. */
  readonly patterns: readonly number[]
  /** The line as matched, capped at 2,000 characters round the first span. */
  readonly text: string
  /** Where the patterns match in `text`, in UTF-16 units (re2js decides): the first 100 of each. */
  readonly spans: readonly { readonly from: number; readonly to: number; readonly pattern: number }[]
  readonly before: readonly string[]
  readonly after: readonly string[]
  /** Further matching lines of this log beyond maxHitsPerLog: on the last hit of a log, else 0. */
  readonly more: number
  /** The last of maxHitsPerRun lines: the run may hold more, which were not looked for. */
  readonly runFull: boolean
  /** The line was longer than 64 KiB and matched in windows. */
  readonly cut: boolean
}

export interface SearchAnswer {
  readonly hits: readonly SearchHit[]
  readonly next?: OrderKey
  readonly from: number
  readonly to: number
  /** Jobs that the query's job regexes leave; absent where it has none. */
  readonly jobs?: readonly string[]
  readonly searched: Searched
  /** Why the answer may lack lines; empty when it is whole. */
  readonly partial: readonly Lacking[]
  /** Where runs had to be counted first, to know in which the patterns meet: those counts, from `after` on. */
  readonly counted?: CountAnswer
}

export interface CountOptions extends Limits {
  /** Only whether a run holds a line of each pattern: it is not looked at further, and counts are 0 or 1. */
  readonly firstOnly?: boolean
  /** Epoch ms, against which a relative range is resolved. */
  readonly now: number
}

/** Matching lines of one run. */
export interface RunCount extends RunKey {
  readonly job: string
  readonly result: RunResult
  readonly refs?: RunRefs
  readonly time: number
  /** By pattern. */
  readonly lines: readonly number[]
  /** Lines that match any of them. */
  readonly any: number
}

export interface CountAnswer {
  /** Those with a matching line in which the patterns meet as asked, the newest first. */
  readonly runs: readonly RunCount[]
  /** Where patterns must meet: all runs with a matching line, the newest first. */
  readonly seen?: readonly RunCount[]
  readonly from: number
  readonly to: number
  readonly jobs?: readonly string[]
  /** The deadline or maxBytes came: only runs from this moment on (epoch ms) were counted, the last of them perhaps in part. */
  readonly countedFrom?: number
  readonly searched: Searched
  readonly partial: readonly Lacking[]
}

/**
 * Threads are shared fairly by those under way, whose deadlines run; each of many would get too little done within its
 * own. Those that wait hold next to nothing.
 */
const GATE = { atOnce: 16, waiting: 200, waitMs: 10_000 } as const

function noteLacking<T extends { readonly partial: readonly Lacking[] }>(answer: T): T {
  for (const reason of answer.partial) count('answers_lacking', { reason })
  return answer
}

/**
 * A searcher over a store. With `dataDir`, its worker threads read the embedded store's day files themselves; without,
 * they get the bytes that `store.read` gives.
 */
export function createSearcher({
  store,
  dataDir,
  threads = Math.max(2, availableParallelism() - 1),
}: {
  readonly store: Store
  readonly dataDir?: string
  readonly threads?: number
}): Searcher {
  const pool = createPool(threads)
  const gate = createGate(GATE)
  const tools = { store, pool, dataDir, width: threads + 1, lanes: pLimit(Math.max(1, threads - 1)) }
  return {
    search: (query, options) => gate.pass(() => runSearch(tools, query, options), options.signal).then(noteLacking),
    count: (query, options) => gate.pass(() => runCount(tools, query, options), options.signal).then(noteLacking),
    tally: (query, options) => gate.pass(() => runTally(tools, query, options), options.signal).then(noteLacking),
    find: (query, options) => gate.pass(() => runFind(tools, query, options), options.signal).then(noteLacking),
    catalogue: (files, limits) => runCatalogue(tools, files, limits),
    evaluate: (affected, onRun, limits) => runEvaluate(tools, affected, onRun, limits),
    known: (catalogue, lines, limits) => runKnown(tools, catalogue, lines, limits),
    load: () => ({ ...pool.load(), gate: gate.load() }),
    close: () => pool.close(),
  }
}
