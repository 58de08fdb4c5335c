import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { scatter } from './scatter.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const NOW = Date.UTC(2026, 11, 1)
const SIZE = { width: 640, height: 270 }
const WINDOW = { from: NOW - 48 * HOUR, to: NOW }

test('runs lie by start and duration, the earlier ones at the edge', () => {
  const runs = [
    { at: WINDOW.from, took: 0 },
    { at: NOW, took: 2 * HOUR },
    { at: NOW - 24 * HOUR, took: HOUR },
    { at: WINDOW.from - HOUR, took: HOUR },
  ]
  const { plot, points } = scatter({ window: WINDOW, runs }, SIZE)
  expect(points).toEqual([
    { x: plot.left, y: plot.bottom },
    { x: plot.right, y: plot.top },
    { x: (plot.left + plot.right) / 2, y: (plot.top + plot.bottom) / 2 },
    { x: plot.left, y: (plot.top + plot.bottom) / 2 },
  ])
})

describe('levels are round, four at most', () => {
  test.each<[number, readonly string[]]>([
    [0, ['5 min']],
    [12 * MINUTE, ['5 min', '10 min', '15 min']],
    [95 * MINUTE, ['30 min', '1 h', '90 min', '2 h']],
    [5 * HOUR, ['2 h', '4 h', '6 h']],
    [100 * HOUR, ['48 h', '96 h', '144 h']],
  ])('%d ms', (took, labels) => {
    const { levels } = scatter({ window: WINDOW, runs: [{ at: NOW, took }] }, SIZE)
    expect(levels.map(({ label }) => label)).toEqual(labels)
  })
})

test('days on a long axis, hours on a short one', () => {
  const labels = (from: number) =>
    scatter({ window: { from, to: NOW }, runs: [] }, SIZE)
      .ticks.map(({ label }) => label)
      .filter(Boolean)
  expect(labels(NOW - 14 * 24 * HOUR)).toContain('23 Nov')
  expect(labels(NOW - 12 * HOUR)).toContain('18:00')
})

test('everything lies within the plot', () => {
  const run = fc.record({ at: fc.integer({ min: NOW - 90 * 24 * HOUR, max: NOW }), took: fc.nat({ max: 100 * HOUR }) })
  fc.assert(
    fc.property(fc.array(run), (runs) => {
      const { plot, points, levels } = scatter({ window: WINDOW, runs }, SIZE)
      for (const { x, y } of points) {
        expect(x).toBeGreaterThanOrEqual(plot.left)
        expect(x).toBeLessThanOrEqual(plot.right)
        expect(y).toBeGreaterThanOrEqual(plot.top)
        expect(y).toBeLessThanOrEqual(plot.bottom)
      }
      expect(levels.length).toBeLessThanOrEqual(4)
    }),
  )
})
