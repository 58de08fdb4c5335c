import fc from 'fast-check'
import { expect, test } from 'vitest'
import { spreadOf } from './spread.ts'

const of = (...values: [string, number][]) => spreadOf(values.map(([value, lines]) => ({ value, lines })))

test.each([
  ['numbers', of(['3', 1], ['10', 1], ['-2.5', 1]), { unit: 'number', least: -2.5, median: 3, p90: 10, most: 10 }],
  [
    'durations',
    of(['1m30s', 1], ['0s', 2], ['2h', 1]),
    { unit: 'ms', least: 0, median: 0, p90: 7_200_000, most: 7_200_000 },
  ],
  ['words among them', of(['3', 1], ['three', 1]), undefined],
  ['numbers and durations', of(['3', 1], ['3s', 1]), undefined],
  ['nothing', of(), undefined],
])('%s', (_, given, expected) => {
  expect(given).toEqual(expected)
})

test('ranks are those of all lines in a row', () => {
  const values = fc.uniqueArray(fc.record({ number: fc.nat(50), lines: fc.integer({ min: 1, max: 5 }) }), {
    minLength: 1,
    selector: ({ number }) => number,
  })
  fc.assert(
    fc.property(values, (given) => {
      const row = given
        .flatMap(({ number, lines }) => Array.from({ length: lines }, () => number))
        .sort((a, b) => a - b)
      const rank = (share: number) => row[Math.max(0, Math.ceil(share * row.length) - 1)]
      expect(spreadOf(given.map(({ number, lines }) => ({ value: String(number), lines })))).toEqual({
        unit: 'number',
        ...{ least: row[0], median: rank(0.5), p90: rank(0.9), most: row.at(-1) },
      })
    }),
  )
})
