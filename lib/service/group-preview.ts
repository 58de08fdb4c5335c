import pLimit from 'p-limit'
import { runText } from '../incident/runs.ts'
import type { RunCount } from '../search/engine.ts'
import { isFailed } from '../triage/failure-finder.ts'
import type { Proposal } from '../triage/proposal.ts'
import type { Context } from './context.ts'
import type { CoverageData } from './coverage.ts'
import { kept } from './memo.ts'
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

/** Which runs hold a line of the proposal, by a search that ends in time. */
export async function previewOf(
  ctx: Context,
  proposal: Pick<Proposal, 'regex'>,
  data: CoverageData,
  limits: PreviewLimits = {},
): Promise<GroupPreview> {
  return await kept(ctx, nameOf(proposal, data), () => lookFor(ctx, proposal, data, limits))
}

/** One search at a time that nobody waits for. */
const idle = pLimit(1)

/** As `previewOf`, if it was looked for before; if not, that is done meanwhile, for whoever asks next. */
export function previewSoon(
  ctx: Context,
  proposal: Pick<Proposal, 'regex'>,
  data: CoverageData,
): GroupPreview | undefined {
  const known = ctx.memo?.known<GroupPreview>(nameOf(proposal, data))
  if (!known && ctx.memo) idle(() => previewOf(ctx, proposal, data)).catch(() => undefined)
  return known
}

function nameOf({ regex }: Pick<Proposal, 'regex'>, { window }: CoverageData): string {
  return `preview ${window.days} ${regex}`
}

async function lookFor(
  ctx: Context,
  { regex }: Pick<Proposal, 'regex'>,
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
