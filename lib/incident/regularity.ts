import { variation } from './chance.ts'

/** `none`: gaps as a Poisson process would give them, which is no proof that it is one. */
export type Regularity = 'regular' | 'bursty' | 'none'

/**
 * 2.5 % and 97.5 % points of the coefficient of variation of that many exponential gaps, simulated (regularity.test.ts
 * does it again). Between two rows a line; beyond the last its own.
 */
const BOUNDS: readonly (readonly [gaps: number, low: number, high: number])[] = [
  [5, 0.3687, 1.5158],
  [6, 0.4229, 1.5078],
  [7, 0.462, 1.4972],
  [8, 0.4918, 1.4855],
  [9, 0.5167, 1.4751],
  [10, 0.5376, 1.4647],
  [12, 0.5711, 1.4465],
  [14, 0.5973, 1.4287],
  [16, 0.6194, 1.4125],
  [20, 0.6529, 1.3841],
  [25, 0.6836, 1.3565],
  // biome-ignore lint/suspicious/noApproximativeNumericConstant: a quantile, not √½
  [30, 0.707, 1.3321],
  [40, 0.741, 1.2976],
  [60, 0.782, 1.2518],
  [100, 0.8256, 1.1989],
  [200, 0.8733, 1.1438],
]
const LEAST_GAPS = 5
/** Runs that could have shown it in a mean gap: with fewer, gaps are those of the runs. */
const LEAST_RUNS = 5

/** Whether gaps say more than chance would; undefined where that can't be tested. */
export function regularityOf(gaps: readonly number[], runsPerGap: number): Regularity | undefined {
  if (gaps.length < LEAST_GAPS || runsPerGap < LEAST_RUNS) return undefined
  const { low, high } = bounds(gaps.length)
  const found = variation(gaps)
  return found < low ? 'regular' : found > high ? 'bursty' : 'none'
}

function bounds(gaps: number): { readonly low: number; readonly high: number } {
  const after = BOUNDS.findIndex(([of]) => of >= gaps)
  const [next, before] = [BOUNDS.at(after), BOUNDS.at(Math.max(0, after - 1))]
  if (!next || !before) throw new RangeError('there are bounds')
  const share = next[0] === before[0] || after < 0 ? 1 : (gaps - before[0]) / (next[0] - before[0])
  const between = (column: 1 | 2) => before[column] + share * (next[column] - before[column])
  return { low: between(1), high: between(2) }
}
