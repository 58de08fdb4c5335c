import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareBytes, compareKeys } from './order.ts'

describe('compareBytes', () => {
  test('U+FFFD comes before an astral character, unlike in UTF-16', () => {
    expect(compareBytes('\u{fffd}', '\u{1f600}')).toBeLessThan(0)
    expect('\u{fffd}' < '\u{1f600}').toBe(false)
  })

  test('agrees with the bytes', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', '\u{e9}', '\u{e000}', '\u{fffd}', '\u{10000}', '\u{1f600}'),
    })
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(compareBytes(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)))
      }),
    )
  })
})

test('a key without log or line comes after all of its run or log', () => {
  const run = { time: 1, bucket: 'b', path: 'p' }
  const ordered = [
    { ...run, time: 2 },
    { ...run, log: 'a', line: 1 },
    { ...run, log: 'a', line: 9 },
    { ...run, log: 'a' },
    { ...run, log: 'b', line: 1 },
    run,
    { ...run, path: 'q', log: 'a' },
  ]
  expect([...ordered].reverse().sort(compareKeys)).toEqual(ordered)
})
