import { runLinks } from '../deployment/links.ts'
import type { CountAnswer, SearchAnswer } from '../search/engine.ts'
import { resolveRange, type SearchQuery } from '../search/query.ts'
import type { Context } from './context.ts'
import { countOf, matchedOf } from './matched.ts'
import type { Matched, SearchHitView } from './views.ts'

/** Lines of one step, and how long it may take. */
const STEP_LINES = 200
const STEP_MS = 30_000
const COUNT_MS = 600_000

/** All lines of a search as they are found, newest first; in the end what the answers lacked. */
export async function* searchStream(
  ctx: Context,
  given: SearchQuery,
  signal?: AbortSignal,
): AsyncGenerator<SearchHitView, SearchAnswer['partial']> {
  const query = { ...given, groupBy: 'none' as const, range: resolveRange(given, ctx.now()) }
  const lacking = new Set<SearchAnswer['partial'][number]>()
  let after: SearchAnswer['next']
  do {
    const answer = await ctx.searcher.search(query, {
      maxHits: STEP_LINES,
      maxHitsPerLog: Number.MAX_SAFE_INTEGER,
      deadlineMs: STEP_MS,
      now: ctx.now(),
      ...(after ? { after } : {}),
      ...(signal ? { signal } : {}),
    })
    for (const hit of answer.hits) yield { hit, links: runLinks(hit, { log: hit.log, line: hit.line }) }
    for (const reason of answer.partial) if (reason !== 'limit') lacking.add(reason)
    after = answer.next
  } while (after)
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
  readonly partial: CountAnswer['partial']
}

export async function searchCounts(ctx: Context, query: SearchQuery, signal?: AbortSignal): Promise<SearchCounts> {
  const answer = await ctx.searcher.count(query, {
    deadlineMs: COUNT_MS,
    now: ctx.now(),
    ...(signal ? { signal } : {}),
  })
  const { runs, from, to, searched, partial } = answer
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
    partial,
  }
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}
