import gammaQuantile from '@stdlib/stats-base-dists-gamma-quantile'
import { bisector, cumsum, sum } from 'd3-array'
import type { ExposureHour } from '../store/store.ts'

const HOUR = 3_600_000
/** Either side of an incident, how far the other signature's incidents tell how often it struck in those days. */
const LOCAL_MS = 7 * 24 * HOUR

/** An incident from its earliest to its latest moment, epoch ms. */
export interface Span {
  readonly from: number
  readonly to: number
}

/**
 * How many pairs of incidents of two signatures, by time, come within `windowMs` of each other by chance: the greater of
 * what it is over the `watchedMs` in common, and over the days round each incident (docs/statistics.md).
 */
export function chancePairs(a: readonly Span[], b: readonly Span[], windowMs: number, watchedMs: number): number {
  const overall =
    (2 * windowMs * a.length * b.length + b.length * sum(a, length) + a.length * sum(b, length)) / watchedMs
  const starts = bisector((span: Span) => span.from)
  const before = [0, ...cumsum(b, length)]
  const local = sum(a, (span) => {
    const first = starts.left(b, span.from - LOCAL_MS)
    const end = starts.right(b, span.from + LOCAL_MS)
    return (end - first) * (2 * windowMs + length(span)) + (before[end] ?? 0) - (before[first] ?? 0)
  })
  return Math.max(overall, local / (2 * LOCAL_MS))
}

/**
 * The time that two signatures were watched in common, in ms, where each strikes in proportion to the runs that could
 * show it: Σa·Σb/Σab hours. Less than the hours themselves where both are watched by many runs at the same hours;
 * infinite where they never are at once.
 */
export function watchedTogether(a: readonly ExposureHour[], b: readonly ExposureHour[]): number {
  const others = new Map(b.map(({ hour, runs }) => [hour, runs]))
  const both = sum(a, ({ hour, runs }) => runs * (others.get(hour) ?? 0))
  return both === 0 ? Number.POSITIVE_INFINITY : (HOUR * sum(a, ({ runs }) => runs) * sum(b, ({ runs }) => runs)) / both
}

/**
 * Whether `times` is too many for a Poisson count of mean `expected`: its upper tail P(X ≥ times), which is the gamma
 * distribution function of shape `times` at `expected`, is at most `level`.
 */
export function isMoreThanChance(times: number, expected: number, level: number): boolean {
  return times > 0 && expected <= gammaQuantile(level, times, 1)
}

function length({ from, to }: Span): number {
  return to - from
}
