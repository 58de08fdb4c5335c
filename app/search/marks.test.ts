import fc from 'fast-check'
import { expect, test } from 'vitest'
import { piecesOf } from './marks.ts'

const span = (from: number, to: number, pattern = 0) => ({ from, to, pattern })

test.each([
  ['no match', 'abcdef', [], ['abcdef']],
  ['one, amid', 'abcdef', [span(2, 4)], ['ab', '0:cd', 'ef']],
  ['an empty one marks nothing', 'abc', [span(1, 1)], ['abc']],
  ['side by side', 'abcd', [span(2, 4, 1), span(0, 2)], ['0:ab', '1:cd']],
  ['overlapping: the first goes on', 'abcdef', [span(0, 4, 1), span(2, 6)], ['1:abcd', '0:ef']],
  ['at one place: the earlier pattern', 'abcd', [span(1, 3, 2), span(1, 4, 1)], ['a', '1:bcd']],
  ['beyond the text', 'abc', [span(2, 9)], ['ab', '0:c']],
])('%s', (_, text, spans, expected) => {
  expect(
    piecesOf(text, spans).map(({ text: each, pattern }) => (pattern === undefined ? each : `${pattern}:${each}`)),
  ).toEqual(expected)
})

test('pieces laid end to end are the line, and every character of a match is marked', () => {
  const spans = fc.array(
    fc.tuple(fc.nat(12), fc.nat(6), fc.nat(3)).map(([from, length, pattern]) => span(from, from + length, pattern)),
  )
  fc.assert(
    fc.property(fc.string({ maxLength: 12 }), spans, (text, given) => {
      const pieces = piecesOf(text, given)
      expect(pieces.map((piece) => piece.text).join('')).toBe(text)
      const marked = pieces.flatMap(({ text: each, pattern }) =>
        [...Array(each.length)].map(() => pattern !== undefined),
      )
      expect(marked).toEqual(
        Array.from({ length: text.length }, (_, i) => given.some(({ from, to }) => from <= i && i < to)),
      )
    }),
  )
})
