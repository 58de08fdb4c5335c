import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dayOf } from '../store/order.ts'
import { histogramOf } from './histogram.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const TUESDAY = Date.UTC(2026, 10, 3)

describe('a range is told', () => {
  test.each([
    ['by hours up to two days', 2 * DAY, 'hour', 48],
    ['by days beyond', 2 * DAY + 1, 'day', 3],
    ['by days up to 120', 120 * DAY, 'day', 120],
    ['by weeks beyond', 121 * DAY, 'week', 19],
  ] as const)('%s', (_, length, unit, bins) => {
    const histogram = histogramOf({ runs: [] }, { from: TUESDAY - length, to: TUESDAY }, [])
    expect([histogram.unit, histogram.bins.length]).toEqual([unit, bins])
  })

  test('in weeks that begin on Mondays, those at its ends cut', () => {
    const { bins } = histogramOf({ runs: [] }, { from: TUESDAY - 130 * DAY, to: TUESDAY }, [])
    expect(bins.at(-1)).toMatchObject({ from: TUESDAY - DAY, to: TUESDAY })
    expect(bins.at(-2)).toMatchObject({ from: TUESDAY - 8 * DAY, to: TUESDAY - DAY, of: 0 })
    expect(bins.at(-1)).not.toHaveProperty('of')
  })

  test('where there are runs, when it is open', () => {
    const rollups = [0, 30].map((days) => ({ day: dayOf(TUESDAY - days * DAY), kind: 'any' as const, runs: 1 }))
    const { unit, bins } = histogramOf({ runs: [] }, { from: 0, to: Date.UTC(9999, 11, 31) }, rollups)
    expect([unit, bins.length, bins[0]?.from, bins.at(-1)?.to]).toEqual(['day', 31, TUESDAY - 30 * DAY, TUESDAY + DAY])
    expect(histogramOf({ runs: [] }, { from: 0, to: Date.UTC(9999, 11, 31) }, []).bins.length).toBeLessThan(49)
  })
})

test('whole days say of how many runs, whatever their logs', () => {
  const runs = [
    { time: TUESDAY + HOUR, result: 'failure' as const },
    { time: TUESDAY, result: 'success' as const },
  ]
  const rollups = [
    { day: dayOf(TUESDAY), kind: 'any' as const, runs: 5 },
    { day: dayOf(TUESDAY), kind: 'any' as const, runs: 2 },
    { day: dayOf(TUESDAY), kind: 'junit' as const, runs: 5 },
  ]
  const { bins } = histogramOf({ runs }, { from: TUESDAY - 3 * DAY, to: TUESDAY + DAY }, rollups)
  expect(bins.at(-1)).toEqual({ from: TUESDAY, to: TUESDAY + DAY, runs: 2, failedRuns: 1, of: 7 })
})

test('bars follow each other without a gap over the whole range, and hold each run once', () => {
  const result = fc.constantFrom('failure' as const, 'success' as const, 'error' as const)
  const shape = fc.record({
    from: fc.integer({ min: 0, max: TUESDAY }),
    length: fc.oneof(fc.integer({ min: 1, max: 3 * DAY }), fc.integer({ min: 1, max: 1_300 * DAY })),
    runs: fc.array(fc.record({ part: fc.double({ min: 0, max: 1, noNaN: true }), result }), { maxLength: 20 }),
  })
  fc.assert(
    fc.property(shape, ({ from, length, runs: given }) => {
      const runs = given.map(({ part, result: end }) => ({ time: from + Math.floor(part * (length - 1)), result: end }))
      const { bins } = histogramOf({ runs }, { from, to: from + length }, [])
      expect([bins[0]?.from, bins.at(-1)?.to]).toEqual([from, from + length])
      for (const [i, bin] of bins.entries()) {
        if (i > 0) expect(bin.from).toBe(bins[i - 1]?.to)
        const within = runs.filter(({ time }) => bin.from <= time && time < bin.to)
        expect([bin.runs, bin.failedRuns]).toEqual([
          within.length,
          within.filter(({ result: end }) => end !== 'success').length,
        ])
      }
    }),
  )
})
