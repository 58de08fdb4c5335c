import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BREAK, foldChar, GAP, GRAM_SPACE, gramsOf, literalGrams } from './grams.ts'

const names = (literal: string) => literalGrams(literal).map(({ name }) => name)

describe('the grams of a literal', () => {
  test.each<[string, string[]]>([
    ['', []],
    ['ab', []],
    ['eof', ['eof']],
    ['no route', ['no ', 'o r', ' ro', 'rou', 'out', 'ute']],
    [' no route', [' no', 'no ', 'o r', ' ro', 'rou', 'out', 'ute', 'no~route']],
    ['route to', ['rou', 'out', 'ute', 'te ', 'e t', ' to']],
    ['route to ', ['rou', 'out', 'ute', 'te ', 'e t', ' to', 'to ', 'route~to']],
    ['a1b2c', ['a1b', '1b2', 'b2c']],
    ['x1b2cde', ['x1b', '1b2', 'b2c', '2cd', 'cde', 'b~cde']],
    [`abc${BREAK}def`, ['abc', 'def']],
    ['::', []],
    [`to${GAP}seconds`, ['sec', 'eco', 'con', 'ond', 'nds']],
    [`after${GAP}seconds`, ['aft', 'fte', 'ter', 'sec', 'eco', 'con', 'ond', 'nds', 'after~seconds']],
    [`after${GAP}${BREAK}seconds`, ['aft', 'fte', 'ter', 'sec', 'eco', 'con', 'ond', 'nds']],
    ['in a pod', ['in ', 'n a', ' a ', 'a p', ' po', 'pod', 'a~pod']],
    ['as in a b', ['as ', 's i', ' in', 'in ', 'n a', ' a ', 'a b', 'in~a']],
    ['a---1---b ', ['a--', '---', '--1', '-1-', '1--', '--b', '-b ']],
  ])('%j', (literal, expected) => {
    expect(names(literal)).toEqual(expected)
  })
})

test('characters fold as they do where case is ignored', () => {
  expect(
    ['A', 'a', '\u212a', '\u017f', 'é', '😀', '\n', '1', ' '].map((char) => foldChar(char.codePointAt(0) ?? 0)),
  ).toEqual(['a', 'a', 'k', 's', BREAK, BREAK, BREAK, '1', ' '])
})

const piece = fc.constantFrom(
  'a',
  'B',
  'no',
  'Route',
  'to',
  ' ',
  '-',
  '1',
  '22',
  'é',
  '\u212a',
  '\u017f',
  '😀',
  '\n',
  '\t',
  '\ud800',
)
const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''))

const fold = (literal: string) => [...literal].map((char) => foldChar(char.codePointAt(0) ?? 0)).join('')

describe('the grams of a text', () => {
  test('are ascending, distinct and within their space', () => {
    fc.assert(
      fc.property(text, (whole) => {
        const grams = [...gramsOf(whole)]
        expect(grams).toEqual([...new Set(grams)].sort((a, b) => a - b))
        for (const gram of grams) expect(gram).toBeLessThan(GRAM_SPACE)
      }),
    )
  })

  test('hold those of every literal in it, wherever it is cut', () => {
    fc.assert(
      fc.property(text, text, text, (before, literal, after) => {
        const grams = new Set(gramsOf(before + literal + after))
        // A pair of surrogates that the cut makes or breaks is a break either way.
        for (const { gram, name } of literalGrams(fold(literal))) expect(grams.has(gram), name).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  test('are no others than those of its words and characters', () => {
    fc.assert(
      fc.property(text, (whole) => {
        // Between breaks nothing goes on.
        const grams = literalGrams(BREAK + fold(whole) + BREAK).map(({ gram }) => gram)
        expect([...gramsOf(whole)]).toEqual(grams.sort((a, b) => a - b))
      }),
      { numRuns: 2000 },
    )
  })

  test('hold those across a gap, whatever separators it is', () => {
    const separators = fc.string({ unit: fc.constantFrom(...' \t:.-_#"0159{'), minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(text, separators, text, (before, gap, after) => {
        const grams = new Set(gramsOf(before + gap + after))
        for (const { gram, name } of literalGrams(fold(before) + GAP + fold(after)))
          expect(grams.has(gram), name).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  test('do not depend on what was asked before', () => {
    const first = gramsOf('connect: no route to host')
    gramsOf('something else entirely')
    expect(gramsOf('CONNECT: no route to host')).toEqual(first)
    expect(gramsOf('')).toEqual(new Uint32Array(0))
  })

  test('differ for phrases of the same words in another order', () => {
    const grams = new Set(gramsOf('to create failed pod'))
    expect(literalGrams('failed to create').filter(({ gram }) => !grams.has(gram)).length).toBeGreaterThan(0)
  })
})
