import { group, sum } from 'd3-array'
import { type Reclustered, reclusteredOf } from '../incident/reclustered.ts'
import { scopeOf } from '../incident/scope.ts'
import type { VerdictFacts } from '../incident/verdict.ts'
import type { Cadence, Incident } from '../model/incident.ts'
import type { Signature } from '../model/signature.ts'
import type { ExposedRuns, Store } from '../store/store.ts'
import { exposedIn, type Range, type Sides, witnessShares } from './witness.ts'

const DAY = 86_400_000

type FactStore = Pick<Store, 'exposedRuns' | 'countRuns' | 'state'>

/**
 * What a verdict of this cadence needs to know beside it. Runs are counted by whole UTC days here: those in which the
 * change, or the last incident, lies are on neither side.
 */
export async function verdictFacts(
  store: FactStore,
  { id, kind, witness }: Pick<Signature, 'id' | 'kind' | 'witness'>,
  cadence: Cadence,
  incidents: readonly Incident[],
): Promise<VerdictFacts> {
  const [reclustered, days] = [kind === 'outage' ? await reclusteredOf(store, id) : undefined, sides(cadence)]
  const recounted = reclustered && recount(reclustered, cadence)
  const facts = recounted ? { reclustered: recounted } : {}
  if (!days || (kind === 'outage' && witness === undefined)) return facts
  const [before, since] = await Promise.all([exposedIn(store, id, days.before), exposedIn(store, id, days.since)])
  return {
    ...facts,
    ...(witness !== undefined && { witness: await witnessShares(store, days, before, since) }),
    ...(kind === 'per-run' && { mix: mixOf(cadence, incidents, days.before, before, since) }),
  }
}

/** Whole UTC days before the change or the last incident, and after it. */
function sides({ from, to, group: judged, quiet, after }: Cadence): Sides | undefined {
  const [begin, turn, end] = judged
    ? [judged.from, judged.countsFrom, after?.to]
    : [quiet?.from, quiet?.from, quiet?.to ?? to]
  if (begin === undefined || turn === undefined || end === undefined) return undefined
  return {
    before: { from: Math.floor(from / DAY) * DAY, to: Math.floor(begin / DAY) * DAY },
    since: { from: Math.ceil(turn / DAY) * DAY, to: Math.ceil(end / DAY) * DAY },
  }
}

/**
 * How much more or less the runs since are worth than their number, by how often each job was hit before: t/T = Σ
 * rate(job) · runs since(job) / n, against the plain ratio. Jobs that were never hit add nothing.
 */
function mixOf(
  { group: judged }: Cadence,
  incidents: readonly Incident[],
  { from, to }: Range,
  before: readonly ExposedRuns[],
  since: readonly ExposedRuns[],
): number {
  const covers = (judged && scopeOf(judged.changes)) ?? (() => true)
  const runsOf = (rows: readonly ExposedRuns[]) =>
    new Map([...group(rows.filter(covers), ({ job }) => job)].map(([job, of]) => [job, sum(of, ({ runs }) => runs)]))
  const [ran, runs] = [runsOf(before), runsOf(since)]
  const hit = incidents
    .flatMap((incident) => incident.runs)
    .filter((run) => run.time >= from && run.time < to && covers(run))
  const hits = [...group(hit, ({ job }) => job)].flatMap(([job, of]) => {
    const exposed = ran.get(job) ?? 0
    return exposed > 0 ? [{ job, n: of.length, rate: of.length / exposed }] : []
  })
  const n = sum(hits, (one) => one.n)
  const plain = sum(since, (row) => row.runs) / sum(before, (row) => row.runs)
  const weighted = sum(hits, ({ job, rate }) => rate * (runs.get(job) ?? 0)) / n
  return n > 0 && plain > 0 && Number.isFinite(plain) ? weighted / plain : 1
}

function recount({ half, double }: Reclustered, cadence: Cadence): VerdictFacts['reclustered'] {
  // Of runs in scope only hits would tell, which are not kept twice.
  if (cadence.group && scopeOf(cadence.group.changes)) return undefined
  const counts = (began: Reclustered['half']) => ({
    before: began.filter(([earliest, latest]) => earliest >= cadence.from && latest <= cadence.to).length,
    since: began.filter(([earliest]) => cadence.group && earliest >= cadence.group.to).length,
  })
  return { half: counts(half), double: counts(double) }
}
