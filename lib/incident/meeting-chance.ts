import gammaQuantile from '@stdlib/stats-base-dists-gamma-quantile'
import { sum } from 'd3-array'
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
 * How many pairs of incidents of two signatures come within `windowMs` of each other by chance over the time that both
 * were watched (docs/statistics.md).
 */
export function chancePairs(a: readonly Span[], b: readonly Span[], windowMs: number, watchedMs: number): number {
  return (2 * windowMs * a.length * b.length + b.length * sum(a, length) + a.length * sum(b, length)) / watchedMs
}

/** The same, by how often they strike within a week of each other; of both the spans by time. */
export function chancePairsNearby(a: readonly Span[], b: readonly Span[], windowMs: number): number {
  let total = 0
  let first = 0
  let end = 0
  let lengths = 0
  for (const span of a) {
    for (; end < b.length && at(b, end).from <= span.from + LOCAL_MS; end++) lengths += length(at(b, end))
    for (; first < end && at(b, first).from < span.from - LOCAL_MS; first++) lengths -= length(at(b, first))
    total += (end - first) * (2 * windowMs + length(span)) + lengths
  }
  return total / (2 * LOCAL_MS)
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

function at(spans: readonly Span[], index: number): Span {
  return spans[index] ?? { from: Number.NaN, to: Number.NaN }
}

function length({ from, to }: Span): number {
  return to - from
}
