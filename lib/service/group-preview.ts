import { runText } from '../incident/runs.ts'
import type { RunCount } from '../search/engine.ts'
import { isFailed } from '../triage/failure-finder.ts'
import type { Proposal } from '../triage/proposal.ts'
import type { Context } from './context.ts'
import type { CoverageData } from './coverage.ts'
import { SEARCH_LIMITS } from './search-limits.ts'

/** What a proposed signature would know of the window's runs whose text is kept. */
export interface GroupPreview {
  /** Failed runs that died of nothing known. */
  readonly explains: number
  /** Runs that passed. */
  readonly passing: number
  /** Other runs: died of something known, aborted, lost. */
  readonly others: number
  /** Time was over: only runs from this moment on (epoch ms) were looked at. */
  readonly countedFrom?: number
}

export interface PreviewLimits {
  readonly deadlineMs?: number
}

const KEEP_MS = 600_000
const KEPT = 100

interface Kept {
  readonly at: number
  readonly preview: Promise<GroupPreview>
}

/** By store: what a reader asked for a moment ago is not looked for again. */
const kept = new WeakMap<object, Map<string, Kept>>()

/** Which runs hold a line of the proposal, by a search that ends in time. Kept for ten minutes, if it is whole. */
export function previewOf(
  ctx: Context,
  proposal: Proposal,
  data: CoverageData,
  limits: PreviewLimits = {},
): Promise<GroupPreview> {
  const previews = kept.get(ctx.store) ?? new Map<string, Kept>()
  kept.set(ctx.store, previews)
  const key = JSON.stringify([data.window.days, proposal.regex])
  const known = previews.get(key)
  if (known && ctx.now() - known.at < KEEP_MS) return known.preview
  const preview = lookFor(ctx, proposal, data, limits)
  previews.delete(key)
  previews.set(key, { at: ctx.now(), preview })
  for (const oldest of previews.keys()) if (previews.size > KEPT) previews.delete(oldest)
  const forget = () => previews.delete(key)
  preview.then(({ countedFrom }) => countedFrom !== undefined && forget(), forget)
  return preview
}

async function lookFor(
  ctx: Context,
  { regex }: Proposal,
  data: CoverageData,
  { deadlineMs = SEARCH_LIMITS.pageCounts.ms }: PreviewLimits,
): Promise<GroupPreview> {
  const { from, to } = data.window
  // As a signature's, it minds case.
  const query = { patterns: [`(?-i:${regex})`], range: { from, to }, context: 0, groupBy: 'none' } as const
  const limits = { firstOnly: true, deadlineMs, maxBytes: SEARCH_LIMITS.pageCounts.bytes, now: ctx.now() }
  const { runs, countedFrom } = await ctx.searcher.count(query, limits)
  return { ...sorted(runs, data), ...(countedFrom === undefined ? {} : { countedFrom }) }
}

function sorted(runs: readonly RunCount[], { died }: CoverageData): GroupPreview {
  const explains = runs.filter((run) => isFailed(run.result) && !died.has(runText(run))).length
  const passing = runs.filter(({ result }) => result === 'success').length
  return { explains, passing, others: runs.length - explains - passing }
}
