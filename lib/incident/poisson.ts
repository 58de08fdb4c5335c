import gammaQuantile from '@stdlib/stats-base-dists-gamma-quantile'
import type { Interval } from '../model/incident.ts'

/**
 * 95 % interval of the mean exposure between incidents, `count` of them in `exposure` units: exact for a Poisson count
 * (Garwood 1936, Biometrika 28:437; the chi-squared quantile at 2n degrees is twice the gamma quantile of shape n).
 * With none the whole 5 % lies on one side, so that `low` = exposure / −ln 0.05: the "rule of three".
 */
export function meanInterval(count: number, exposure: number): Interval {
  if (count === 0) return { low: exposure / gammaQuantile(0.95, 1, 1), high: Number.POSITIVE_INFINITY }
  return {
    low: exposure / gammaQuantile(0.975, count + 1, 1),
    high: exposure / gammaQuantile(0.025, count, 1),
  }
}
