import { readConfig } from '../config.ts'
import { runText } from '../incident/runs.ts'
import type { Together } from '../incident/together.ts'
import type { WitnessShares } from '../incident/verdict.ts'
import type { Incident } from '../model/incident.ts'
import type { Signature } from '../model/signature.ts'
import { dayOf } from '../store/order.ts'
import { type Breakdown, breakdownsOf } from '../triage/breakdown.ts'
import { lastOf, type Scorecard, scorecardOf } from '../triage/scorecard.ts'
import { loadVariants, type Variants } from '../triage/variants.ts'
import type { Context } from './context.ts'
import { knownStatus } from './known-status.ts'
import { kept } from './memo.ts'
import { findSignature } from './signature.ts'
import { partnersOf, strikingTogether } from './together.ts'
import { exposedIn, witnessShares } from './witness.ts'

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
  const { signatures } = await ctx.catalogue()
  const signature = findSignature({ signatures, problems: [] }, id)
  return await kept(ctx, `figures ${signature.id}`, () => addUp(ctx, signature, signatures))
}

async function addUp(ctx: Context, signature: Signature, signatures: readonly Signature[]): Promise<FiguresView> {
  const { store } = ctx
  const now = ctx.now()
  const window = { days: WINDOW_DAYS, from: Math.floor(now / DAY) * DAY - (WINDOW_DAYS - 1) * DAY, to: now + 1 }
  const [own, shared, exposed, { oldest }, witness, pairs] = await Promise.all([
    store.incidents({ signature: signature.id }),
    runsBySignature(ctx),
    store.exposedRuns(signature.id, dayOf(window.from), dayOf(now)),
    knownStatus(ctx),
    witnessOf(ctx, signature),
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
    witness,
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

/** Of the last weeks against those before; undefined where no job showed it then. */
async function witnessOf({ store, now }: Context, { id, witness }: Signature): Promise<WitnessShares | undefined> {
  if (witness === undefined) return undefined
  const today = Math.floor(now() / DAY) * DAY
  const turn = today - LATELY_DAYS * DAY
  const days = { before: { from: today - WINDOW_DAYS * DAY, to: turn }, since: { from: turn, to: today } }
  const [before, since] = await Promise.all([exposedIn(store, id, days.before), exposedIn(store, id, days.since)])
  return before.length === 0 ? undefined : await witnessShares(store, days, before, since)
}
