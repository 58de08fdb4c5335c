import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '../testing/values.ts'
import { chancePairs, chancePairsNearby, isMoreThanChance, type Span, watchedTogether } from './meeting-chance.ts'

// scipy.stats.gamma.ppf(level, times): the Poisson mean whose upper tail poisson.sf(times − 1, mean) is the level.
test.each([
  [2, 0.01, 0.14855474025326595],
  [2, 0.01 / 66, 0.017509588995700858],
  [2, 0.01 / 4950, 0.0020114236739540567],
  [2, 1e-8, 0.00014142802333612898],
  [3, 0.01, 0.43604516507829316],
  [3, 0.01 / 66, 0.09930179061440265],
  [5, 0.01 / 66, 0.48631628610581357],
  [5, 1e-8, 0.06616397229219073],
  [10, 0.01 / 4950, 1.3829735084899542],
  [40, 0.01, 26.770038645539362],
  [40, 1e-8, 13.96096886892441],
])('%i times at a level of %d is more than chance up to %d expected', (times, level, mean) => {
  expect(isMoreThanChance(times, mean * 0.99999, level)).toBe(true)
  expect(isMoreThanChance(times, mean * 1.00001, level)).toBe(false)
})

test('nothing is never more than chance', () => {
  expect(isMoreThanChance(0, 0, 0.01)).toBe(false)
})

const every = (days: number, count: number, length = 0, first = 0): Span[] =>
  Array.from({ length: count }, (_, i) => ({
    from: first + i * days * DAY,
    to: first + i * days * DAY + length,
  }))
const HALF = 2.5 * DAY

test.each<[string, number, number]>([
  // 18 incidents each in 90 days, ±30 minutes: a pair of signatures 0.15 times, the 66 pairs of twelve 9.9 times.
  ['moments', chancePairs(every(5, 18), every(5, 18, 0, HALF), 30 * MINUTE, 90 * DAY) * 66, 9.9],
  ['of two hours each', chancePairs(every(5, 18, 2 * HOUR), every(5, 18, 2 * HOUR, HALF), 30 * MINUTE, 90 * DAY), 0.75],
  ['none of one', chancePairs(every(5, 18), [], 30 * MINUTE, 90 * DAY), 0],
  // Ten each in one week, of a year: as often as that week says, 100 pairs with an hour of 14 days.
  ['one bad week', chancePairsNearby(every(0.5, 10), every(0.5, 10), 30 * MINUTE), 100 / 336],
])('expected by chance, %s', (_, found, expected) => {
  expect(found).toBeCloseTo(expected, 6)
})

test('what the days round each incident tell is what looking at every pair tells', () => {
  const spans = fc
    .array(fc.record({ at: fc.integer({ min: 0, max: 60 * 24 }), hours: fc.integer({ min: 0, max: 3 }) }), {
      maxLength: 30,
    })
    .map((all) =>
      all.map(({ at, hours }): Span => ({ from: at * HOUR, to: (at + hours) * HOUR })).sort((a, b) => a.from - b.from),
    )
  fc.assert(
    fc.property(spans, spans, (a, b) => {
      let local = 0
      for (const one of a)
        for (const two of b)
          if (Math.abs(one.from - two.from) <= 7 * DAY)
            local += (HOUR + one.to - one.from + two.to - two.from) / (14 * DAY)
      expect(chancePairsNearby(a, b, 30 * MINUTE)).toBeCloseTo(local, 6)
    }),
  )
})

const hours = (runs: readonly number[]) => runs.map((n, i) => ({ hour: i * HOUR, runs: n, starts: n }))

test.each<[string, readonly number[], readonly number[], number]>([
  ['always by as many', [1, 1, 1, 1], [3, 3, 3, 3], 4],
  ['one half the time', [1, 1, 0, 0], [1, 1, 1, 1], 4],
  ['both in the same half', [1, 1, 0, 0], [5, 5, 0, 0], 2],
  ['mostly by day', [9, 9, 1, 1], [9, 9, 1, 1], 400 / 164],
  ['never at once', [1, 0], [0, 1], Number.POSITIVE_INFINITY],
  ['one not at all', [1, 1], [], Number.POSITIVE_INFINITY],
])('watched in common: %s', (_, a, b, expected) => {
  expect(watchedTogether(hours(a), hours(b)) / HOUR).toBeCloseTo(expected, 9)
})
