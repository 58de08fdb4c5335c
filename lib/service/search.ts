import prettyBytes from 'pretty-bytes'
import { runLinks } from '../deployment/links.ts'
import { isProwlError } from '../errors.ts'
import { explain } from '../regex/explain.ts'
import { planOf } from '../regex/plan.ts'
import { printPlan } from '../regex/print-plan.ts'
import type { RunCount, SearchAnswer, SearchHit } from '../search/engine.ts'
import { formatQuery, resolveRange, type SearchQuery } from '../search/query.ts'
import { compareBytes } from '../store/order.ts'
import type { OrderKey } from '../store/store.ts'
import type { Context } from './context.ts'
import { histogramOf } from './histogram.ts'
import { type Counts, countByJob, headlineOf, impactOf } from './impact.ts'
import { knownStatus } from './known-status.ts'
import { countOf, countPulls, matchedOf, matchedRuns } from './matched.ts'
import { dataReach } from './reach.ts'
import { SEARCH_LIMITS } from './search-limits.ts'
import type { Impact, SearchGroup, SearchHitView, SearchView } from './views.ts'

const WIDENED = 'nothing in the last 14 days, so all text kept was searched'

export interface SearchViewOptions {
  readonly after?: OrderKey | undefined
  readonly signal?: AbortSignal | undefined
  /** Search all text kept where the default range holds no line; on by default. */
  readonly widen?: boolean
}

/**
 * One page of a search's answer; what is wrong with the query is part of it, a fault is thrown. Where the query names
 * no range and its default holds no line, all text kept is searched: an old link then shows the nearest evidence.
 */
export async function searchView(
  ctx: Context,
  query: SearchQuery,
  options: SearchViewOptions = {},
): Promise<SearchView> {
  if (query.patterns.length === 0) return emptyView(query, ctx.now())
  try {
    const [reach, answer] = await Promise.all([
      dataReach(ctx, resolveRange(query, ctx.now())),
      search(ctx, query, options),
    ])
    const none = answer.hits.length === 0 && answer.partial.length === 0 && !options.after
    const widens = options.widen !== false && 'byDefault' in query.range
    const page = { isFirst: options.after === undefined, signal: options.signal }
    if (!none || !widens) return { ...(await viewOf(ctx, query, answer, page)), reach }
    const { oldest = answer.from } = await knownStatus(ctx)
    const all = { from: Math.min(oldest, answer.from), to: answer.to }
    const wider = await search(ctx, { ...query, range: all }, options)
    return { ...(await viewOf(ctx, query, wider, page)), reach, widened: WIDENED }
  } catch (error) {
    if (!isProwlError(error) || (error.status !== 400 && error.code !== 'SEARCH_DEADLINE')) throw error
    const { code, message, position, pattern } = error
    return { ...emptyView(query, ctx.now()), error: { code, message, position, pattern } }
  }
}

function search(ctx: Context, query: SearchQuery, { after, signal }: SearchViewOptions): Promise<SearchAnswer> {
  const { lines, linesPerLog, ms, bytes } = SEARCH_LIMITS.page
  return ctx.searcher.search(query, {
    maxHits: lines,
    maxHitsPerLog: query.groupBy === 'none' ? Number.MAX_SAFE_INTEGER : linesPerLog,
    ...(query.maxPerRun ? { maxHitsPerRun: query.maxPerRun } : {}),
    deadlineMs: ms,
    maxBytes: bytes,
    now: ctx.now(),
    ...(after ? { after } : {}),
    ...(signal ? { signal } : {}),
  })
}

async function viewOf(
  ctx: Context,
  query: SearchQuery,
  answer: SearchAnswer,
  page: Parameters<typeof matchedRuns>[3],
): Promise<SearchView> {
  const { from, to, jobs, hits, searched, partial, next } = answer
  const [rollups, counted] = await Promise.all([
    ctx.store.rollups({ from, to, ...(jobs ? { jobs } : {}) }),
    matchedRuns(ctx, query, answer, page),
  ])
  const counts = countByJob(rollups)
  const histogram = page.isFirst ? histogramOf(counted, { from, to }, rollups) : undefined
  const of = { ...sum([...counts.values()]), jobs: counts.size }
  const cut = cutWords(answer)
  const impactOfJob = impacts(counts, counted.runs)
  const views = hits.map((hit) => ({ hit, links: runLinks(hit, { log: hit.log, line: hit.line }) }))
  return {
    query,
    range: { from, to },
    headline: headlineOf(of, countOf(counted.runs), searched.ms),
    hits: views,
    groups: groupsOf(query, views, impactOfJob),
    ...(query.groupBy === 'job' && page.isFirst ? { others: othersOf(hits, counted.runs, impactOfJob) } : {}),
    found: { lines: hits.length, ...matchedOf(query, counted) },
    of,
    searched,
    explained: query.patterns.map(explainPattern),
    partial,
    ...(histogram ? { histogram } : {}),
    permanent: formatQuery({ ...query, range: { from, to } }).toString(),
    ...(cut ? { cut } : {}),
    ...(next ? { next: formatQuery({ ...query, range: { from, to } }, next).toString() } : {}),
  }
}

function emptyView(query: SearchQuery, now: number): SearchView {
  return {
    query,
    range: resolveRange(query, now),
    headline: '',
    hits: [],
    groups: [],
    found: { lines: 0, ...matchedOf(query, { runs: [] }) },
    of: { runs: 0, failed: 0, jobs: 0 },
    explained: [],
    searched: { logs: 0, blocks: 0, pruned: 0, bytes: 0, ms: 0, leftOut: 0 },
    partial: [],
    permanent: formatQuery({ ...query, range: resolveRange(query, now) }).toString(),
  }
}

function explainPattern(pattern: string): SearchView['explained'][number] {
  const planned = planOf(pattern, { smartCase: true })
  return { pattern, sentences: explain(planned), plan: printPlan(planned) }
}

/** How much of a job the matching runs are. */
function impacts(counts: ReadonlyMap<string, Counts>, matched: readonly RunCount[]): (job: string) => Impact {
  const byJob = Map.groupBy(matched, ({ job }) => job)
  return (job) => {
    const runs = byJob.get(job) ?? []
    const ofJob = countOf(runs)
    return impactOf(counts.get(job) ?? ofJob, { ...ofJob, pulls: countPulls(runs) })
  }
}

function groupsOf(
  { groupBy }: SearchQuery,
  views: readonly SearchHitView[],
  impactOfJob: (job: string) => Impact,
): SearchGroup[] {
  const keyOf = { job: (hit: SearchHit) => hit.job, run: runKey, none: () => '' }[groupBy]
  return [...Map.groupBy(views, ({ hit }) => keyOf(hit))].map(([key, hits]) =>
    groupBy === 'job' ? { key, impact: impactOfJob(key), hits } : { key, hits },
  )
}

/** Matching jobs without a line on the page, the most often hit first. */
function othersOf(
  hits: readonly SearchHit[],
  matched: readonly RunCount[],
  impactOfJob: (job: string) => Impact,
): NonNullable<SearchView['others']> {
  const shown = new Set(hits.map(({ job }) => job))
  const jobs = new Set(matched.map(({ job }) => job).filter((job) => !shown.has(job)))
  return [...jobs]
    .map((key) => ({ key, impact: impactOfJob(key) }))
    .sort((a, b) => b.impact.matchedRuns - a.impact.matchedRuns || compareBytes(a.key, b.key))
}

function runKey(hit: SearchHit): string {
  return `${hit.bucket}/${hit.path}`
}

function sum(counts: readonly Counts[]): Counts {
  return counts.reduce((all, each) => ({ runs: all.runs + each.runs, failed: all.failed + each.failed }), {
    runs: 0,
    failed: 0,
  })
}

/** What an answer lacks, in words; undefined when it is whole. */
function cutWords({ partial, hits, searched }: SearchAnswer): string | undefined {
  const stuck = searched.leftOut > 0 ? `${searched.leftOut} blocks left out` : 'not all was searched'
  const words = {
    limit: `first ${hits.length} lines; more exist`,
    deadline: `stopped after ${(searched.ms / 1_000).toFixed(1)} s; ${stuck}`,
    bytes: `stopped after ${prettyBytes(searched.bytes, { binary: true })} of log; older lines may exist`,
    expired: 'some text expired meanwhile',
    damaged: 'some blocks are damaged (see status)',
  }
  return partial.length > 0 ? partial.map((reason) => words[reason]).join('; ') : undefined
}
