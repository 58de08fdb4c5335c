import { expect, test } from 'vitest'
import { memoryFigures } from './memory.ts'

const samples = (of: (minutes: number) => number) =>
  Array.from({ length: 60 }, (_, at) => ({ minutes: at / 6, mib: of(at / 6) }))

test.each<[string, (minutes: number) => number, number]>([
  ['flat', () => 300, 0],
  ['a leak of 5 MiB a minute', (minutes) => 200 + 5 * minutes, 5],
  ['what grows at first alone', (minutes) => 200 + 100 * Math.min(minutes, 3), 0],
  ['a saw', (minutes) => 300 + 20 * ((minutes * 6) % 2), 0],
])('%s', (_, of, slope) => {
  expect(memoryFigures(samples(of)).slope).toBeCloseTo(slope, 0)
})

test('none was taken', () => {
  expect(memoryFigures([])).toEqual({ slope: 0, last: 0, most: 0 })
})
