import { describe, expect, test } from 'vitest'
import { chanceOfAtMost, chanceOfLonger, quietFor, stillAllowed, variation } from './chance.ts'

describe('chanceOfAtMost', () => {
  // scipy.stats.nbinom.cdf(k, shape, T / (T + t)), SciPy 1.18.
  test.each([
    [0, 12.5, 62, 18.2, 0.04006051380893907],
    [0, 12.5, 62, 27.6, 0.010024114020550617],
    [1, 12.5, 62, 43.3, 0.008179282790916089],
    [1, 12.5, 62, 58, 0.0018314961329907403],
    [12, 7.5, 45, 75, 0.5500983306831293],
    [0, 4.5, 62, 59, 0.04934332786818557],
    [0, 1.5, 62, 395, 0.049970446976271184],
    [0, 5, 66.9, 53.1, 0.053854792709277344],
    [3, 2.5, 10, 100, 0.02945076380496115],
    [40, 60.5, 90, 90, 0.025607220318213893],
  ])('%d with shape %d in %d, then %d: %d', (k, shape, T, t, expected) => {
    expect(chanceOfAtMost(k, { shape, T, t }) / expected).toBeCloseTo(1, 9)
  })

  test('nothing watched tells nothing', () => {
    expect(chanceOfAtMost(0, { shape: 12.5, T: 62, t: 0 })).toBe(1)
  })
})

test.each([
  [0.05, 12.5, 62, 16.8],
  [0.01, 12.5, 62, 27.6],
  [0.05, 4.5, 62, 58.6],
  [0.05, 1.5, 62, 395],
])('a chance of %d with shape %d in %d takes %d', (chance, shape, T, t) => {
  const found = quietFor(chance, { shape, T })
  expect(found).toBeCloseTo(t, 0)
  expect(chanceOfAtMost(0, { shape, T, t: found })).toBeCloseTo(chance, 12)
})

test('none in 22 days still allows one every 7.3', () => {
  expect(stillAllowed(22)).toBeCloseTo(7.34, 2)
})

describe('chanceOfLonger', () => {
  /** `count` gaps of a sum, with a coefficient of variation of 1/√alpha: half of them above the mean, half below. */
  function gapsOf(alpha: number, count: number, sum: number): number[] {
    const mean = sum / count
    const off = mean * Math.sqrt((count - 1) / count / alpha)
    return Array.from({ length: count }, (_, i) => (i % 2 === 0 ? mean + off : mean - off))
  }

  // scipy.stats.betaprime.sf(g / sum, alpha, count * alpha), SciPy 1.18.
  test.each([
    [4, 8, 40, 12, 0.024852844246641876],
    [1, 6, 30, 10, 0.177978515625],
  ])('shape %d, %d gaps of %d in all, then %d: %d', (alpha, count, sum, gap, expected) => {
    const gaps = gapsOf(alpha, count, sum)
    expect(1 / variation(gaps) ** 2).toBeCloseTo(alpha, 9)
    expect(chanceOfLonger(gap, gaps) / expected).toBeCloseTo(1, 9)
  })

  test('what is next to nothing is not lost in the subtraction', () => {
    expect(chanceOfLonger(30, gapsOf(25, 12, 54))).toBeLessThan(1e-14)
    expect(chanceOfLonger(30, gapsOf(25, 12, 54))).toBeGreaterThan(0)
  })
})
