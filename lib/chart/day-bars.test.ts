import { expect, test } from 'vitest'
import { dayBars, spark } from './day-bars.ts'

const size = { width: 100, height: 50 }

test('bars stand on the base, what is unknown on what is known', () => {
  const { bars, ticks } = dayBars(
    [
      { day: '2026-11-02', failed: 10, died: 4 },
      { day: '2026-11-03', failed: 0, died: 0 },
    ],
    size,
  )
  expect(bars).toEqual([
    { day: '2026-11-02', x: 1, width: 48, known: { y: 30, height: 20 }, unknown: { y: 0, height: 30 } },
    { day: '2026-11-03', x: 51, width: 48, known: { y: 50, height: 0 }, unknown: { y: 50, height: 0 } },
  ])
  expect(ticks).toEqual([
    { value: 5, y: 25 },
    { value: 10, y: 0 },
  ])
})

test('nothing failed, or more died than failed: no bar leaves the frame', () => {
  for (const died of [0, 3]) {
    const { bars } = dayBars([{ day: '2026-11-02', failed: died === 0 ? 0 : 2, died }], size)
    for (const { known, unknown } of bars) {
      expect(unknown.height).toBe(0)
      expect(known.y).toBeGreaterThanOrEqual(0)
      expect(known.y + known.height).toBe(50)
    }
  }
  expect(dayBars([], size).bars).toEqual([])
})

test('a spark shows each day, one run as a pixel at least', () => {
  expect(spark([0, 1, 100], { width: 30, height: 20 })).toEqual([
    { x: 0, y: 20, width: 9, height: 0 },
    { x: 10, y: 19, width: 9, height: 1 },
    { x: 20, y: 0, width: 9, height: 20 },
  ])
})
