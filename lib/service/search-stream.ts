import { runLinks } from '../deployment/links.ts'
import type { CountAnswer, SearchAnswer } from '../search/engine.ts'
import { resolveRange, type SearchQuery } from '../search/query.ts'
import type { Lacking } from '../search/tally.ts'
import type { Context } from './context.ts'
import { countOf, matchedOf } from './matched.ts'
import { dataReach, lackingOf } from './reach.ts'
import { SEARCH_LIMITS } from './search-limits.ts'
import type { DataLack, DataReach, Matched, SearchHitView } from './views.ts'

export interface StreamOptions {
  /** How long counting may take. */
  readonly ms?: number | undefined
  /** Decoded bytes of log that patterns are run on at most. */
  readonly maxBytes?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** All lines of a search as they are found, newest first; in the end what the answers lacked. */
export async function* searchStream(
  ctx: Context,
  given: SearchQuery,
  { maxBytes = SEARCH_LIMITS.command.bytes, signal }: StreamOptions = {},
): AsyncGenerator<SearchHitView, SearchAnswer['partial']> {
  const query = { ...given, groupBy: 'none' as const, range: resolveRange(given, ctx.now()) }
  const lacking = new Set<SearchAnswer['partial'][number]>()
  let after: SearchAnswer['next']
  let left = maxBytes
  do {
    const answer = await ctx.searcher.search(query, {
      maxHits: SEARCH_LIMITS.step.lines,
      maxHitsPerLog: Number.MAX_SAFE_INTEGER,
      ...(query.maxPerRun ? { maxHitsPerRun: query.maxPerRun } : {}),
      deadlineMs: SEARCH_LIMITS.step.ms,
      maxBytes: left,
      now: ctx.now(),
      ...(after ? { after } : {}),
      ...(signal ? { signal } : {}),
    })
    for (const hit of answer.hits) yield { hit, links: runLinks(hit, { log: hit.log, line: hit.line }) }
    for (const reason of answer.partial) if (reason !== 'limit') lacking.add(reason)
    after = answer.next
    left -= answer.searched.bytes
  } while (after && !lacking.has('bytes'))
  return [...lacking]
}

/** Every matching line counted, in all, by pattern, by job and by day. */
export interface SearchCounts extends Matched {
  readonly lines: number
  /** By pattern, as they are asked. */
  readonly linesOf: readonly number[]
  readonly byJob: readonly {
    readonly job: string
    readonly runs: number
    readonly failedRuns: number
    readonly lines: number
  }[]
  readonly range: { readonly from: number; readonly to: number }
  readonly searched: CountAnswer['searched']
  /** Why a count may be too low: what was not searched, and what the data lacks. */
  readonly partial: readonly (Lacking | DataLack)[]
  /** All runs that started before are in, epoch ms. */
  readonly completeTo?: number
  readonly reach: DataReach
}

export async function searchCounts(
  ctx: Context,
  query: SearchQuery,
  { maxBytes = SEARCH_LIMITS.command.bytes, ms = SEARCH_LIMITS.command.ms, signal }: StreamOptions = {},
): Promise<SearchCounts> {
  const limits = { deadlineMs: ms, maxBytes, now: ctx.now(), ...(signal ? { signal } : {}) }
  const [reach, answer] = await Promise.all([
    dataReach(ctx, resolveRange(query, ctx.now())),
    ctx.searcher.count(query, limits),
  ])
  const { runs, from, to, searched } = answer
  const jobs = [...Map.groupBy(runs, ({ job }) => job)].map(([job, ofJob]) => {
    const { runs: count, failed } = countOf(ofJob)
    return { job, runs: count, failedRuns: failed, lines: total(ofJob.map(({ any }) => any)) }
  })
  return {
    ...matchedOf(query, answer),
    lines: total(runs.map(({ any }) => any)),
    linesOf: query.patterns.map((_, at) => total(runs.map(({ lines }) => lines[at] ?? 0))),
    byJob: jobs.sort((a, b) => b.runs - a.runs || (a.job < b.job ? -1 : 1)),
    range: { from, to },
    searched,
    partial: lackingOf({ partial: answer.partial, reach }),
    ...(reach.completeTo !== undefined && { completeTo: reach.completeTo }),
    reach,
  }
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}
