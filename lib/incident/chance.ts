import betaCdf from '@stdlib/stats-base-dists-beta-cdf'

/**
 * The chance of at most `k` incidents in an exposure of `t` after some in `T`, had the rate not changed. `shape` is n for
 * a stretch of T that ends at an incident, n + ½ for one that ends at a moment set apart from them: a gamma posterior of
 * the rate, so that k is negative binomial (docs/statistics.md). 0…1; 1 where nothing was watched.
 */
export function chanceOfAtMost(k: number, { shape, T, t }: { shape: number; T: number; t: number }): number {
  if (t <= 0) return 1
  return betaCdf(T / (T + t), shape, k + 1)
}

/** The exposure without any incident that makes its chance `chance`, in T's unit. */
export function quietFor(chance: number, { shape, T }: { shape: number; T: number }): number {
  return T * (chance ** (-1 / shape) - 1)
}

/** The shortest mean exposure between incidents that `t` without any still allows at 95 %: the "rule of three". */
export function stillAllowed(t: number): number {
  return t / -Math.log(0.05)
}

/**
 * The chance of a gap longer than `gap` after `gaps`, where gaps are gamma distributed with the shape that their
 * coefficient of variation tells (α = 1/CV²) and a mean known as well as they tell it: P = 1 − I(g/(g+Σ); α, kα).
 */
export function chanceOfLonger(gap: number, gaps: readonly number[]): number {
  const alpha = 1 / variation(gaps) ** 2
  const sum = gaps.reduce((total, each) => total + each, 0)
  // The upper tail as a lower one: 1 − I would lose what is small.
  return betaCdf(sum / (gap + sum), gaps.length * alpha, alpha)
}

/** Coefficient of variation: the sample's standard deviation (n − 1) by its mean. NaN for fewer than two. */
export function variation(values: readonly number[]): number {
  const mean = values.reduce((total, value) => total + value, 0) / values.length
  const squares = values.reduce((total, value) => total + (value - mean) ** 2, 0)
  return Math.sqrt(squares / (values.length - 1)) / mean
}
