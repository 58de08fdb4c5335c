import { group } from 'd3-array'
import { runLinks } from '../deployment/links.ts'
import { ProwlError } from '../errors.ts'
import { runText } from '../incident/runs.ts'
import type { Day, FailureLine, Run } from '../model/run.ts'
import { dayOf } from '../store/order.ts'
import type { FailureCount } from '../store/store.ts'
import { unknownOf } from '../triage/coverage.ts'
import { fold } from '../triage/fold.ts'
import { type Group, groupsOf, noveltyOf } from '../triage/groups.ts'
import { type Proposal, propose } from '../triage/proposal.ts'
import type { Context, StoredContext } from './context.ts'
import { COVERAGE_DAYS, type CoverageData, coverageData, type Window } from './coverage.ts'
import { type GroupPreview, type PreviewLimits, previewOf, previewSoon } from './group-preview.ts'
import { kept } from './memo.ts'
import type { RunLinks } from './views.ts'

const DAY = 86_400_000
/** Groups told one by one. */
const LISTED = 40
/** Runs of them looked at for an example each. */
const EXAMPLES_READ = 400
const EXAMPLES = 25
/** Groups that a list tells a preview of. */
const PREVIEWED = 8
/** How far back before the window a group's first run is looked for. */
const HISTORY_DAYS = 90
export const FAILED = { results: ['failure', 'error'] } as const

/** Failures that no signature knows, in groups. */
export interface GroupsView {
  readonly window: Window
  /** Failed runs that died of nothing known. */
  readonly unknown: number
  /** Those of them whose logs name no reason, or were read before prowl looked for one. */
  readonly unnamed: number
  /** How many groups there are; the largest are told. */
  readonly count: number
  readonly groups: readonly GroupRow[]
}

export interface GroupRow extends Group {
  /** The line of its newest run, and where it is. */
  readonly example: Example
  readonly firstSeen: Day
  /** First seen within the last seven days. */
  readonly isNew: boolean
  /** What a signature of its example would explain; absent until it was looked for. */
  readonly preview?: GroupPreview
}

export interface Example {
  readonly run: Run
  readonly failure: FailureLine
  /** Of the line. */
  readonly links: RunLinks
}

export interface GroupView {
  readonly id: string
  readonly window: Window
  readonly folded: string
  /** As in the list; absent where every run of the window died of something known, or there is none. */
  readonly group?: Group
  readonly firstSeen: Day
  readonly isNew: boolean
  /** Failed runs of the window that died of nothing known, of whatever group. */
  readonly unknown: number
  /** Of its newest runs those that died of nothing known, the newest first. */
  readonly examples: readonly Example[]
  readonly proposal?: Proposal & { readonly preview: GroupPreview }
}

/** Groups of unexplained failures of the last `days` UTC days. */
export async function groupsView(ctx: Context, days = COVERAGE_DAYS): Promise<GroupsView> {
  const [view, data, { signatures }] = await Promise.all([
    kept(ctx, `groups ${days}`, () => gatherGroups(ctx, days)),
    coverageData(ctx, days),
    ctx.catalogue(),
  ])
  const taken = new Set(signatures.map(({ id }) => id))
  const groups = view.groups.map((group, i) => {
    const proposal = i < PREVIEWED ? propose([group.example.failure.text], taken) : undefined
    const preview = proposal && previewSoon(ctx, proposal, data)
    return { ...group, ...(preview && { preview }) }
  })
  return { ...view, groups }
}

/** The same without previews, which take a search each. */
export async function gatherGroups(ctx: StoredContext, days = COVERAGE_DAYS): Promise<GroupsView> {
  const data = await coverageData(ctx, days)
  const { window, coverage } = data
  const counts = await countsOf(ctx, window)
  const groups = groupsOf(counts, data.died, daysOf(data))
  const listed = groups.slice(0, LISTED)
  const ids = listed.map(({ id }) => id)
  const [before, examples] = await Promise.all([historyOf(ctx, ids, window), examplesOf(ctx, ids, data)])
  const known = [...before, ...counts]
  const unknown = unknownOf(coverage)
  return {
    window,
    unknown,
    unnamed: Math.max(0, unknown - groups.reduce((sum, { runs }) => sum + runs, 0)),
    count: groups.length,
    groups: listed.flatMap((each) => {
      const example = examples.get(each.id)
      const novelty = noveltyOf(each.id, known, dayOf(ctx.now()))
      return example && novelty ? [{ ...each, example, ...novelty }] : []
    }),
  }
}

/** One group, and the signature that would know it. Throws NOT_FOUND. */
export async function groupView(
  ctx: Context,
  id: string,
  { days = COVERAGE_DAYS, ...limits }: PreviewLimits & { readonly days?: number } = {},
): Promise<GroupView> {
  const { store } = ctx
  const { items } = await store.runs({ failures: [id], ...FAILED }, { limit: EXAMPLES_READ / 4 })
  const [newest] = items
  if (!newest?.failure)
    throw new ProwlError('NOT_FOUND', `no failure has the group ${id}: the coverage page lists them`)
  const data = await coverageData(ctx, days)
  const { window, coverage, died } = data
  const [counts, before, { signatures }] = await Promise.all([
    countsOf(ctx, window),
    historyOf(ctx, [id], window),
    ctx.catalogue(),
  ])
  const examples = items.filter((run) => !died.has(runText(run))).flatMap(exampleOf)
  const [own] = groupsOf(
    counts.filter((count) => count.group === id),
    died,
    daysOf(data),
  )
  const texts = (examples.length > 0 ? examples.map(({ failure }) => failure.text) : [newest.failure.text]).slice(0, 50)
  const proposal = propose(texts, new Set(signatures.map((signature) => signature.id)))
  const novelty = noveltyOf(id, [...before, ...counts], dayOf(ctx.now()))
  return {
    id,
    window,
    folded: fold(newest.failure.text),
    ...(own && { group: own }),
    ...(novelty ?? { firstSeen: dayOf(items.at(-1)?.time ?? newest.time), isNew: false }),
    unknown: unknownOf(coverage),
    examples: examples.slice(0, EXAMPLES),
    ...(proposal && { proposal: { ...proposal, preview: await previewOf(ctx, proposal, data, limits) } }),
  }
}

/** Of all groups; the window moves with each moment, and what it holds with each pass. */
async function countsOf(ctx: StoredContext, window: Window): Promise<readonly FailureCount[]> {
  return await kept(ctx, `failures ${window.days}`, () => ctx.store.failures({ ...rangeOf(window), ...FAILED }))
}

function rangeOf({ from, to }: Window) {
  return { from, to }
}

function daysOf({ coverage }: CoverageData): Day[] {
  return coverage.days.map(({ day }) => day)
}

async function historyOf(
  { store }: StoredContext,
  ids: readonly string[],
  { from }: Window,
): Promise<readonly FailureCount[]> {
  if (ids.length === 0) return []
  return await store.failures({ failures: ids, from: Math.max(0, from - HISTORY_DAYS * DAY), to: from, ...FAILED })
}

/** The newest unexplained run of each group; of those too rare among the newest runs, asked for one by one. */
async function examplesOf(
  { store }: StoredContext,
  ids: readonly string[],
  { window, died }: CoverageData,
): Promise<Map<string, Example>> {
  const first = async (failures: readonly string[], limit: number) => {
    const { items } = await store.runs({ failures, ...rangeOf(window), ...FAILED }, { limit })
    return group(items.filter((run) => !died.has(runText(run))).flatMap(exampleOf), ({ failure }) => failure.group)
  }
  const found = ids.length === 0 ? new Map<string, Example[]>() : await first(ids, EXAMPLES_READ)
  const missing = ids.filter((id) => !found.has(id))
  const others = await Promise.all(missing.map(async (id) => [id, (await first([id], EXAMPLES_READ)).get(id)] as const))
  return new Map([...found, ...others].flatMap(([id, examples]) => (examples?.[0] ? [[id, examples[0]] as const] : [])))
}

function exampleOf(run: Run): Example[] {
  const { failure } = run
  return failure ? [{ run, failure, links: runLinks(run, failure) }] : []
}
