import { readConfig } from '../config.ts'
import { runText } from '../incident/runs.ts'
import type { Together } from '../incident/together.ts'
import type { Incident } from '../model/incident.ts'
import type { Signature } from '../model/signature.ts'
import { dayOf } from '../store/order.ts'
import { type Breakdown, breakdownsOf } from '../triage/breakdown.ts'
import { lastOf, type Scorecard, scorecardOf, type Witnessed } from '../triage/scorecard.ts'
import { loadVariants, type Variants } from '../triage/variants.ts'
import type { Context } from './context.ts'
import { kept } from './memo.ts'
import { findSignature } from './signature.ts'
import { partnersOf, strikingTogether } from './together.ts'

const DAY = 86_400_000
const WINDOW_DAYS = 90
const LATELY_DAYS = 14

/** Where a signature strikes, and how good it is at telling why runs fail: of the last 90 UTC days. */
export interface FiguresView {
  readonly window: { readonly days: number; readonly from: number; readonly to: number }
  readonly breakdowns: readonly Breakdown[]
  readonly scorecard: Omit<Scorecard, 'overlaps'> & {
    readonly overlaps: readonly (Scorecard['overlaps'][number] & { readonly title: string })[]
  }
  /** Signatures that strike together with it more often than chance, of all time; the most often first. */
  readonly together: readonly (Pick<Together, 'times' | 'expected'> & Pick<Signature, 'id' | 'title'>)[]
}

/** Throws NOT_FOUND. */
export async function figuresView(ctx: Context, id: string): Promise<FiguresView> {
  const { store } = ctx
  const now = ctx.now()
  const { signatures } = await ctx.catalogue()
  const signature = findSignature({ signatures, problems: [] }, id)
  const window = { days: WINDOW_DAYS, from: Math.floor(now / DAY) * DAY - (WINDOW_DAYS - 1) * DAY, to: now + 1 }
  const [own, shared, exposed, { oldest }, witnessed, pairs] = await Promise.all([
    store.incidents({ signature: signature.id }),
    runsBySignature(ctx),
    store.exposedRuns(signature.id, dayOf(window.from), dayOf(now)),
    store.status(),
    witnessedOf(ctx, signature),
    strikingTogether(ctx),
  ])
  const incidents = own.map((incident) => within(incident, window)).filter(({ runs }) => runs.length > 0)
  const hit = incidents.flatMap(({ runs }) => runs)
  const apart = apartFrom(signature, signatures)
  const scorecard = scorecardOf({
    signature,
    incidents,
    others: new Map([...shared].filter(([of]) => apart.has(of))),
    exposed,
    last: lastOf(own),
    oldest,
    witnessed,
    now,
  })
  const titles = new Map(signatures.map(({ id: of, title }) => [of, title]))
  return {
    window,
    breakdowns: breakdownsOf(hit, exposed, variants()),
    scorecard: {
      ...scorecard,
      overlaps: scorecard.overlaps.map((overlap) => ({
        ...overlap,
        title: titles.get(overlap.signature) ?? overlap.signature,
      })),
    },
    together: [...partnersOf(pairs, signature.id)]
      .map(([of, { times, expected }]) => ({ id: of, title: titles.get(of) ?? of, times, expected }))
      .sort((a, b) => b.times - a.times || (a.id < b.id ? -1 : 1)),
  }
}

/** Runs that each signature hit lately, as texts: for what signatures share. */
async function runsBySignature(ctx: Context): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  return await kept(ctx, 'runs by signature', async () => {
    const runs = new Map<string, Set<string>>()
    for (const incident of await ctx.store.incidents({ from: ctx.now() - (WINDOW_DAYS + 1) * DAY })) {
      const own = runs.get(incident.signature) ?? new Set()
      runs.set(incident.signature, own)
      for (const run of incident.runs) own.add(runText(run))
    }
    return runs
  })
}

let known: Variants | undefined

/** Read once, at the first call. Throws CONFIG_INVALID. */
function variants(): Variants {
  known ??= loadVariants(readConfig().variantsFile)
  return known
}

/** With those of its runs alone whose time lies in the window. */
function within(incident: Incident, { from, to }: FiguresView['window']): Incident {
  return { ...incident, runs: incident.runs.filter(({ time }) => time >= from && time < to) }
}

/** Whole signatures, but for its own: a part and its whole share runs by nature. */
function apartFrom({ id, part }: Signature, signatures: readonly Signature[]): ReadonlySet<string> {
  const whole = part?.of ?? id
  return new Set(signatures.filter((each) => !each.part && each.id !== whole).map((each) => each.id))
}

/** Of the jobs whose runs showed the witness in the time before: how many of all runs do, and did. */
async function witnessedOf(ctx: Context, { id, witness }: Signature): Promise<Witnessed | undefined> {
  if (witness === undefined) return undefined
  const today = Math.floor(ctx.now() / DAY) * DAY
  const lately = { from: today - LATELY_DAYS * DAY, to: today }
  const before = { from: today - WINDOW_DAYS * DAY, to: lately.from }
  const exposed = async ({ from, to }: typeof lately) => await ctx.store.exposedRuns(id, dayOf(from), dayOf(to - 1))
  const [shownBefore, shownLately] = await Promise.all([exposed(before), exposed(lately)])
  const jobs = [...new Set(shownBefore.map(({ job }) => job))]
  if (jobs.length === 0) return undefined
  const all = async (range: typeof lately) => {
    const results = ['success', 'failure', 'error'] as const
    const rows = await ctx.store.rollups({ ...range, jobs, results })
    return rows.reduce((sum, { kind, runs }) => sum + (kind === 'any' ? runs : 0), 0)
  }
  const [allBefore, allLately] = await Promise.all([all(before), all(lately)])
  const ended = (rows: typeof shownBefore) =>
    rows.reduce((sum, { job, result, runs }) => sum + (jobs.includes(job) && result !== 'aborted' ? runs : 0), 0)
  return {
    before: { witnessed: ended(shownBefore), runs: allBefore },
    lately: { witnessed: ended(shownLately), runs: allLately },
  }
}
