import { runLinks } from '../deployment/links.ts'
import { allPages, runText } from '../incident/runs.ts'
import type { Run, RunKey, RunResult } from '../model/run.ts'
import type { CountAnswer } from '../search/engine.ts'
import { type PeerDefaults, parsePeerQuery } from '../search/peer-query.ts'
import { resolveRange, type SearchQuery } from '../search/query.ts'
import type { Lacking } from '../search/tally.ts'
import { isFailed } from '../triage/failure-finder.ts'
import type { Context } from './context.ts'
import { dataReach } from './reach.ts'
import { createRecent, type Recent } from './recent.ts'
import { SEARCH_LIMITS } from './search-limits.ts'
import type { DataReach } from './views.ts'

/** ci-search's, for its chart. */
const DEFAULTS: PeerDefaults = { type: 'all', context: 0, name: '-e2e-' }
/** Known failures whose patterns are drawn where none is asked for. */
const DEFAULT_PATTERNS = 10
const MOST_DRAWN = 3_000

/** Runs over time: what they died of, as far as the patterns tell. */
export interface ChartView {
  readonly query: SearchQuery
  readonly window: { readonly from: number; readonly to: number }
  /** The newest, oldest first: so that newer ones are drawn over them. */
  readonly runs: readonly ChartRun[]
  /** Runs in all, and how many of them failed. */
  readonly of: { readonly runs: number; readonly failed: number }
  /** Failed runs of which a pattern is the first to match, as they are asked for. */
  readonly patterns: readonly { readonly pattern: string; readonly failed: number }[]
  readonly partial: readonly Lacking[]
  readonly reach: DataReach
}

export interface ChartRun extends RunKey {
  readonly job: string
  readonly buildId: string
  readonly result: RunResult
  /** Where it is not known, when it ended. */
  readonly startedAt: number
  /** Of a pending one: so far. Ms. */
  readonly took: number
  /** Of a failed one: the first pattern that matches. */
  readonly pattern?: number
  readonly link: string
}

/** A query of `/chart`; without a pattern, those of known failures. Throws QUERY_INVALID. */
export async function chartQuery(ctx: Pick<Context, 'catalogue'>, params: URLSearchParams): Promise<SearchQuery> {
  const asked = params.getAll('search').filter((pattern) => pattern !== '')
  const known = asked.length > 0 ? asked : await knownPatterns(ctx)
  const all = new URLSearchParams(params)
  all.delete('search')
  for (const pattern of known) all.append('search', pattern)
  return parsePeerQuery(all, DEFAULTS).query
}

async function knownPatterns({ catalogue }: Pick<Context, 'catalogue'>): Promise<readonly string[]> {
  const { signatures } = await catalogue()
  const active = signatures.filter(({ status, regexes }) => status.state === 'active' && regexes.length > 0)
  return active.flatMap(({ regexes }) => regexes.slice(0, 1)).slice(0, DEFAULT_PATTERNS)
}

export function recentCharts(now: () => number): Recent<ChartView> {
  const sizeOf = ({ runs, partial }: ChartView) => (partial.length > 0 ? Number.POSITIVE_INFINITY : runs.length)
  return createRecent({ name: 'chart', now, sizeOf, ...SEARCH_LIMITS.chartRecent })
}

/** One of the last seconds where the context keeps them. Throws REGEX_*, SEARCH_BUSY, SEARCH_DEADLINE, the signal's reason. */
export async function chartView(ctx: Context, query: SearchQuery, signal?: AbortSignal): Promise<ChartView> {
  if (!ctx.charts) return await makeChart(ctx, query, signal)
  return await ctx.charts.get(JSON.stringify(query), (left) => makeChart(ctx, query, left), signal)
}

async function makeChart(ctx: Context, query: SearchQuery, signal?: AbortSignal): Promise<ChartView> {
  const { ms, bytes } = SEARCH_LIMITS.chart
  const limits = { firstOnly: true, deadlineMs: ms, maxBytes: bytes, now: ctx.now(), ...(signal ? { signal } : {}) }
  const [reach, answer] = await Promise.all([
    dataReach(ctx, resolveRange(query, ctx.now())),
    ctx.searcher.count(query, limits),
  ])
  const { from, to, jobs, partial } = answer
  const first = firstPatterns(answer)
  const runs: ChartRun[] = []
  let [all, failed] = [0, 0]
  const filter = { from, to, ...(jobs ? { jobs } : {}), ...(query.results ? { results: query.results } : {}) }
  for await (const run of allPages((page) => ctx.store.runs(filter, page), 1_000)) {
    signal?.throwIfAborted()
    all++
    if (isFailed(run.result)) failed++
    if (runs.length < MOST_DRAWN) runs.push(chartRun(run, first.get(runText(run)), ctx.now()))
  }
  const counts = [...first.values()]
  const isWhole = 'lastMs' in query.range && runs.length === all
  return {
    query,
    window: { from: isWhole ? from : Math.max(from, runs.at(-1)?.startedAt ?? from), to: Math.min(to, ctx.now()) },
    runs: runs.reverse(),
    of: { runs: all, failed },
    patterns: query.patterns.map((pattern, at) => ({ pattern, failed: counts.filter((own) => own === at).length })),
    partial,
    reach,
  }
}

/** Of the failed runs. */
function firstPatterns({ runs }: CountAnswer): ReadonlyMap<string, number> {
  return new Map(
    runs
      .filter(({ result }) => isFailed(result))
      .map((run) => [runText(run), run.lines.findIndex((lines) => lines > 0)]),
  )
}

function chartRun(run: Run, pattern: number | undefined, now: number): ChartRun {
  const { bucket, path, job, buildId, result, startedAt = run.time, finishedAt } = run
  const end = finishedAt ?? (result === 'pending' ? now : startedAt)
  return {
    bucket,
    path,
    job,
    buildId,
    result,
    startedAt,
    took: Math.max(0, end - startedAt),
    ...(pattern === undefined ? {} : { pattern }),
    link: runLinks(run).prowl,
  }
}
