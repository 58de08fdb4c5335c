import { RE2JS } from 're2js'
import { describe, expect, it } from 'vitest'
import { codePoints, complement, contains, MAX_CODE_POINT, union } from './code-points.ts'
import { foldCase, property } from './unicode.ts'
import { CATEGORIES, SCRIPTS } from './unicode-data.ts'

function points(pattern: RegExp): number[] {
  const ranges: number[] = []
  for (let point = 0; point <= MAX_CODE_POINT; point++) {
    if (pattern.test(String.fromCodePoint(point))) ranges.push(point, point)
  }
  return [...codePoints(ranges)]
}

describe('the tables are those of the engine that computes spans', () => {
  it('categories and scripts split all code points', () => {
    for (const table of [CATEGORIES, SCRIPTS]) {
      const sets = Object.keys(table).map((name) => property(name) ?? [])
      const sum = sets.reduce((total, set) => total + set.reduce((n, end, i) => n + (i % 2 ? end + 1 : -end), 0), 0)
      const all = codePoints(sets.flat())
      const unassigned = table === SCRIPTS && !('unknown' in SCRIPTS) ? complement(all) : []
      expect(union(all, unassigned)).toEqual([0, MAX_CODE_POINT])
      expect(sum).toBe(all.reduce((n, end, i) => n + (i % 2 ? end + 1 : -end), 0))
    }
  })

  it.each(['L', 'Lu', 'Ll', 'Lt', 'N', 'Sc', 'P', 'Cn', 'C', 'Z', 'Greek', 'Han', 'Old_Italic'])('\\p{%s}', (name) => {
    const re = RE2JS.compile(`^\\p{${name}}$`)
    const set = property(name) ?? []
    // Every edge of every range, on both sides.
    for (const end of set) {
      for (const point of [end - 1, end, end + 1]) {
        if (point < 0 || point > MAX_CODE_POINT || (point >= 0xd800 && point <= 0xdfff)) continue
        expect([point, re.test(String.fromCodePoint(point))]).toEqual([point, contains(set, point)])
      }
    }
  })

  it.skipIf(!process.versions.unicode?.startsWith('17.'))('V8 of the same version agrees', () => {
    expect(property('Lu')).toEqual(points(/\p{Lu}/u))
    expect(property('greek')).toEqual(points(/\p{Script=Greek}/u))
  })
})

describe('case folding', () => {
  it.each([
    ['k', 'Kk\u212a'],
    ['ſ', 'Ssſ'],
    ['ß', 'ßẞ'],
    ['ς', 'Σςσ'],
    ['𐐀', '𐐀𐐨'],
    ['İ', 'İ'],
    ['1', '1'],
  ])('%s', (char, wanted) => {
    const point = char.codePointAt(0) ?? 0
    const set = [...wanted].map((one) => one.codePointAt(0) ?? 0)
    expect(foldCase([point, point])).toEqual(codePoints(set.flatMap((one) => [one, one])))
  })

  it('is closed, and agrees with V8 for each code point that folds', () => {
    const folding = foldCase(property('L') ?? [])
    expect(foldCase(folding)).toEqual(folding)
    for (const end of property('Lu') ?? []) {
      for (const [index, member] of foldCase([end, end]).entries()) {
        if (index % 2 === 0)
          expect(String.fromCodePoint(member)).toMatch(new RegExp(`^\\u{${end.toString(16)}}$`, 'iu'))
      }
    }
  })
})

it.each([
  ['letter', 'L'],
  ['Uppercase_Letter', 'lu'],
  ['old italic', 'Old_Italic'],
  ['LC', 'Cased-Letter'],
])('\\p{%s} is \\p{%s}', (a, b) => {
  expect(property(a)).toEqual(property(b))
  expect(property(a)).toBeDefined()
})
