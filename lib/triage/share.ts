import betaQuantile from '@stdlib/stats-base-dists-beta-quantile'
import type { Interval } from '../model/incident.ts'

/** A part of a whole, and between what bounds the true share lies; 0 ≤ `low` ≤ part/whole ≤ `high` ≤ 1. */
export interface Share {
  readonly part: number
  readonly whole: number
  readonly interval: Interval
}

/** With its 95 % interval, exact for a binomial count (Clopper and Pearson 1934, Biometrika 26:404). */
export function share(part: number, whole: number): Share {
  return { part, whole, interval: whole > 0 ? shareInterval(part, whole) : { low: 0, high: 1 } }
}

function shareInterval(part: number, whole: number): Interval {
  return {
    low: part <= 0 ? 0 : betaQuantile(0.025, part, whole - part + 1),
    high: part >= whole ? 1 : betaQuantile(0.975, part + 1, whole - part),
  }
}

/** What a signature accounts for, of which hits `f` of the failed and `p` of the passing runs: (f − p)/(1 − p), not below 0. */
export function attributable(f: number, p: number): number {
  return p >= 1 ? 0 : Math.max(0, (f - p) / (1 - p))
}
