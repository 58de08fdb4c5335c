import { max, min, pairs, sum } from 'd3-array'
import type { Cadence, Incident, Watched } from '../model/incident.ts'
import type { Change, SignatureKind } from '../model/signature.ts'
import type { ChangeGroup } from '../model/verdict.ts'
import type { ExposureHour } from '../store/store.ts'
import { type Judged, judgedChanges } from './change-groups.ts'
import { meanInterval } from './poisson.ts'
import { runText } from './runs.ts'
import { incidentIn, scopeOf } from './scope.ts'
import { isCounted } from './votes.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

export interface CadenceInput {
  readonly kind: SignatureKind
  /** The clustering window, ms. */
  readonly windowMs: number
  readonly incidents: readonly Incident[]
  /** Of all time, by hour; hours in which runs may be missing left out. */
  readonly exposure: readonly ExposureHour[]
  readonly changes: readonly Change[]
  /** When prowl first saw a change, epoch ms; where quiet counts from what it did not see, it is when it was made. */
  readonly firstSeen?: (change: Change) => number
  /** What came before is not looked at: the rules of today were not looked for there. Epoch ms. */
  readonly evaluatedFrom?: number
  /** Runs that started before this moment are in: rates and quiet end here. Epoch ms. */
  readonly completeTo: number
}

/** The statistics of a signature's incidents; docs/statistics.md says what each number is of. */
export function cadence(input: CadenceInput): Cadence {
  const { kind, completeTo, evaluatedFrom = 0 } = input
  const hours = input.exposure.filter(({ runs, hour }) => runs > 0 && hour < completeTo && hour >= evaluatedFrom)
  const start = min(hours, (hour) => hour.hour) ?? completeTo
  const all = [...input.incidents].sort((a, b) => a.at - b.at)
  const judged = judgedOf(input, all, start)
  const incidents = inScope(all, judged?.group)
  const [from, to] = judged ? [judged.from, judged.group.from] : [start, completeTo]
  const before = tally(input, inWindow(incidents, from, to), hours, from, to)
  const counted = eligible(kind, incidents)
  const last = max(counted, (incident) => incident.at)
  return {
    ...rate(input, before, (to - from) / DAY),
    from,
    to,
    watchedHours: before.watchedHours,
    exposedRuns: before.exposedRuns,
    runsHit: before.runsHit,
    excluded: incidents.length - counted.length,
    since: [],
    ...(judged && afterwards(input, incidents, hours, judged)),
    ...(last !== undefined && { last, quiet: { from: last, to: completeTo, ...watched(hours, last, completeTo) } }),
    daily: daily(hours, completeTo),
  }
}

function judgedOf(
  { kind, changes, completeTo, firstSeen }: CadenceInput,
  incidents: readonly Incident[],
  start: number,
) {
  const struck = eligible(kind, incidents).map(({ at }) => at)
  return judgedChanges(changes, { start, completeTo, struck }, firstSeen ?? (({ at }) => at))
}

function inScope(incidents: readonly Incident[], group: ChangeGroup | undefined): readonly Incident[] {
  const covers = group && scopeOf(group.changes)
  return covers ? incidents.flatMap((incident) => incidentIn(incident, covers) ?? []) : incidents
}

function afterwards(
  input: CadenceInput,
  incidents: readonly Incident[],
  hours: readonly ExposureHour[],
  { group, later }: Judged,
): Pick<Cadence, 'group' | 'later' | 'since' | 'after'> {
  const { completeTo } = input
  const { counted, count } = tally(input, inWindow(incidents, group.to, Number.POSITIVE_INFINITY), [], 0, completeTo)
  return {
    group,
    ...(later.length > 0 && { later }),
    since: counted.map(({ at }) => at),
    after: { to: completeTo, incidents: count, ...watched(hours, Math.min(group.countsFrom, completeTo), completeTo) },
  }
}

const DAILY_DAYS = 28

function daily(hours: readonly ExposureHour[], completeTo: number): Watched {
  const from = completeTo - DAILY_DAYS * DAY
  const days = Math.max(1, (completeTo - Math.max(from, hours[0]?.hour ?? completeTo)) / DAY)
  const { watchedHours, exposedRuns } = watched(hours, from, completeTo)
  return { watchedHours: watchedHours / days, exposedRuns: exposedRuns / days }
}

/** An hour that the window cuts counts by the part inside, a run where it started. */
function watched(hours: readonly ExposureHour[], from: number, to: number): Watched {
  const within = hours.filter((hour) => hour.hour + HOUR > from && hour.hour < to)
  return {
    watchedHours: sum(within, ({ hour }) => Math.min(to, hour + HOUR) - Math.max(from, hour)) / HOUR,
    exposedRuns: sum(
      within.filter((hour) => hour.hour >= from),
      (hour) => hour.starts,
    ),
  }
}

interface Tally extends Watched {
  /** Incidents that count, by time. */
  readonly counted: readonly Incident[]
  /** n, in the kind's unit. */
  readonly count: number
  readonly runsHit: number
  readonly continuous: boolean
}

function tally(
  { kind, windowMs }: CadenceInput,
  incidents: readonly Incident[],
  hours: readonly ExposureHour[],
  from: number,
  to: number,
): Tally {
  const counted = eligible(kind, incidents)
  const runsHit = new Set(incidents.flatMap((incident) => incident.runs.map(runText))).size
  return {
    counted,
    count: kind === 'outage' ? counted.length : votes(counted),
    runsHit,
    ...watched(hours, from, to),
    continuous: kind === 'outage' && runTogether(incidents, runsHit, windowMs, to - from),
  }
}

function rate({ kind }: CadenceInput, { count, counted, exposedRuns, continuous }: Tally, days: number) {
  const exposure = kind === 'outage' ? days : exposedRuns
  const interval = meanInterval(count, exposure)
  return {
    unit: kind === 'outage' ? ('days' as const) : ('runs' as const),
    incidents: count,
    // More than one failure in a run is not counted, so one every run is the most.
    interval: kind === 'outage' ? interval : { low: Math.max(1, interval.low), high: interval.high },
    gaps: kind === 'outage' && !continuous ? pairs(counted, (a, b) => (b.at - a.at) / DAY) : [],
    continuous,
    ...(count > 0 && { mean: exposure / count }),
  }
}

/** By their beginning; one that may have begun on either side of a bound is on neither. */
function inWindow(incidents: readonly Incident[], from: number, to: number): Incident[] {
  return incidents.filter((incident) => incident.from.earliest >= from && incident.from.latest <= to)
}

/** Incidents of an outage one by one; a per-run failure needs no company but two witnesses in all. */
export function eligible(kind: SignatureKind, incidents: readonly Incident[]): readonly Incident[] {
  if (kind === 'outage') return incidents.filter(isCounted)
  return votes(incidents) >= 2 ? incidents : []
}

/** Votes of several incidents together: a pull request's once, however often it was retried. */
function votes(incidents: readonly Incident[]): number {
  const pulls = new Set(incidents.flatMap((incident) => incident.pulls))
  return pulls.size + sum(incidents, (incident) => Math.max(0, incident.votes - incident.pulls.length))
}

/**
 * Whether single linkage would glue unrelated hits: over 0.3 runs hit a window, and spread so that incidents with
 * their windows cover what such a rate covers by chance (1 − e^−0.3); one great outage is no such case.
 */
function runTogether(incidents: readonly Incident[], runsHit: number, windowMs: number, spanMs: number): boolean {
  const covered = sum(incidents, (incident) => incident.to.latest - incident.from.earliest + windowMs)
  return (runsHit * windowMs) / spanMs > 0.3 && covered / spanMs > 1 - Math.exp(-0.3)
}
