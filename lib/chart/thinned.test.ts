import fc from 'fast-check'
import { expect, test } from 'vitest'
import { byWeight, thinned } from './thinned.ts'

const mark = (x: number, runs: number, counted = true) => ({ x, runs, counted })

test('marks on the same pixels are one, that of the most runs that counts', () => {
  const marks = [mark(10.1, 3), mark(11.9, 9, false), mark(11, 5), mark(12, 1)]
  expect(thinned(marks, 2, byWeight)).toEqual([
    { ...mark(11, 5), more: 2 },
    { ...mark(12, 1), more: 0 },
  ])
})

test('however many there are, one stands for each pixel, and none is lost from the count', () => {
  const any = fc.record({ x: fc.double({ min: 0, max: 50, noNaN: true }), runs: fc.nat(9), counted: fc.boolean() })
  fc.assert(
    fc.property(fc.array(any, { maxLength: 200 }), (marks) => {
      const drawn = thinned(marks, 1, byWeight)
      expect(drawn.reduce((sum, { more }) => sum + 1 + more, 0)).toBe(marks.length)
      expect(new Set(drawn.map(({ x }) => Math.floor(x))).size).toBe(drawn.length)
    }),
  )
})
