import { max, min, pairs, sum } from 'd3-array'
import type { Cadence, Incident } from '../model/incident.ts'
import type { Change, SignatureKind } from '../model/signature.ts'
import type { ExposureHour } from '../store/store.ts'
import { meanInterval } from './poisson.ts'
import { runText } from './runs.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

export interface CadenceInput {
  readonly kind: SignatureKind
  /** The clustering window, ms. */
  readonly windowMs: number
  readonly incidents: readonly Incident[]
  /** Of all time, by hour. */
  readonly exposure: readonly ExposureHour[]
  readonly changes: readonly Change[]
  /** Runs that started before this moment are in: rates and quiet end here. Epoch ms. */
  readonly completeTo: number
}

/** The statistics of a signature's incidents; docs/statistics.md says what each number is of. */
export function cadence(input: CadenceInput): Cadence {
  const hours = input.exposure.filter((hour) => hour.runs > 0 && hour.hour < input.completeTo)
  const start = min(hours, (hour) => hour.hour) ?? input.completeTo
  const change = latestChange(input.changes, start, input.completeTo)
  const to = change?.at ?? input.completeTo
  const incidents = [...input.incidents].sort((a, b) => a.at - b.at)
  const before = tally(input, inWindow(incidents, start, to), hours, start, to)
  const after = change && tally(input, inWindow(incidents, to, Number.POSITIVE_INFINITY), hours, to, input.completeTo)
  const counted = eligible(input.kind, incidents)
  return {
    ...rate(input, before, (to - start) / DAY),
    from: start,
    to,
    watchedHours: before.watchedHours,
    exposedRuns: before.exposedRuns,
    runsHit: before.runsHit,
    excluded: incidents.length - counted.length,
    since: after?.counted.map((incident) => incident.at) ?? [],
    ...(change && { change }),
    ...(after && {
      after: {
        to: input.completeTo,
        incidents: after.count,
        watchedHours: after.watchedHours,
        exposedRuns: after.exposedRuns,
      },
    }),
    ...lastOf(counted),
  }
}

interface Tally {
  /** Incidents that count, by time. */
  readonly counted: readonly Incident[]
  /** n, in the kind's unit. */
  readonly count: number
  readonly runsHit: number
  readonly watchedHours: number
  readonly exposedRuns: number
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
  const within = hours.filter((hour) => hour.hour + HOUR > from && hour.hour < to)
  return {
    counted,
    count: kind === 'outage' ? counted.length : votes(counted),
    runsHit,
    // An hour that the window cuts counts by the part inside.
    watchedHours: sum(within, ({ hour }) => Math.min(to, hour + HOUR) - Math.max(from, hour)) / HOUR,
    exposedRuns: sum(
      within.filter((hour) => hour.hour >= from),
      (hour) => hour.starts,
    ),
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

/** A change before the data began has nothing to be compared with, and one to come has done nothing yet. */
function latestChange(changes: readonly Change[], start: number, completeTo: number): Change | undefined {
  return changes.filter(({ at }) => at > start && at < completeTo).sort((a, b) => b.at - a.at)[0]
}

/** By their beginning; one that may have begun on either side of a bound is on neither. */
function inWindow(incidents: readonly Incident[], from: number, to: number): Incident[] {
  return incidents.filter((incident) => incident.from.earliest >= from && incident.from.latest <= to)
}

/** An outage shows in more than one pull request or run; a per-run failure needs no company but two witnesses in all. */
function eligible(kind: SignatureKind, incidents: readonly Incident[]): readonly Incident[] {
  if (kind === 'outage') return incidents.filter((incident) => incident.votes >= 2)
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

function lastOf(counted: readonly Incident[]): { last?: number } {
  const last = max(counted, (incident) => incident.at)
  return last === undefined ? {} : { last }
}
