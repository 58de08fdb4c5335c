import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { RE2JS } from 're2js'
import { describe, expect, it } from 'vitest'
import { isProwlError } from '../errors.ts'
import { compile } from './compile.ts'
import { line, pattern, texts } from './testing/patterns.ts'

const SEED = Number(process.env.FC_SEED ?? 20190910)
const RUNS = 8000

function matchingLinesByRe2(re: RE2JS, lines: readonly string[]): number[] {
  return lines.flatMap((text, index) => (re.matcher(text).find() ? [index] : []))
}

function isAscii(text: string): boolean {
  return [...text].every((char) => char < '\u0080')
}

describe(`against re2js, seed ${SEED}`, () => {
  it('the same lines match, in 50,000 pairs of pattern and line at least', () => {
    let matched = 0
    let missed = 0
    fc.assert(
      fc.property(pattern, texts, fc.boolean(), (source, lines, fold) => {
        const wanted = matchingLinesByRe2(RE2JS.compile(source, fold ? RE2JS.CASE_INSENSITIVE : 0), lines)
        const matcher = compile(fold ? `(?i)${source}` : source)
        const text = lines.join('\n')
        expect(matcher.matchingLines(text, false)).toEqual(wanted)
        if (isAscii(text)) expect(matcher.matchingLines(text, true)).toEqual(wanted)
        expect(lines.flatMap((one, index) => (matcher.test(one) ? [index] : []))).toEqual(wanted)
        matched += wanted.length
        missed += lines.length - wanted.length
      }),
      { seed: SEED, numRuns: RUNS },
    )
    expect(matched + missed).toBeGreaterThan(50_000)
    // Neither side may be rare, or this would prove little.
    expect(Math.min(matched, missed)).toBeGreaterThan(RUNS)
  })

  it('spans are those of the pattern as written', () => {
    fc.assert(
      fc.property(pattern, line, (source, text) => {
        const theirs = RE2JS.compile(source).matcher(text)
        const wanted: { from: number; to: number }[] = []
        while (theirs.find()) wanted.push({ from: theirs.start(), to: theirs.end() })
        const matcher = compile(source)
        expect([...matcher.spans(text)]).toEqual(wanted)
        const first = matcher.find(text)
        expect(first && { from: first.from, to: first.to }).toEqual(wanted[0])
      }),
      { seed: SEED, numRuns: RUNS },
    )
  })

  it('accepts and refuses the same scrawl, and reads it alike', () => {
    const tokens = [
      '(',
      ')',
      '(?',
      '(?:',
      '(?i',
      '(?P<n>',
      '(?<n>',
      '[',
      '[^',
      ']',
      '[:alpha:]',
      '-',
      '{',
      '}',
      '2',
      ',',
      '1001',
    ]
    tokens.push(
      '*',
      '+',
      '?',
      '|',
      '^',
      '$',
      '.',
      '\\',
      '\\d',
      '\\pL',
      '\\p{',
      'Greek',
      '\\Q',
      '\\E',
      '\\x',
      '\\b',
      ':',
      'a',
      'k',
      'é',
    )
    const scrawl = fc.array(fc.constantFrom(...tokens), { maxLength: 7 }).map((parts) => parts.join(''))
    let accepted = 0
    fc.assert(
      fc.property(scrawl, texts, (source, lines) => {
        const theirs = attempt(() => RE2JS.compile(source))
        const ours = attempt(() => compile(source))
        if (ours instanceof Error && !isProwlError(ours)) throw ours
        expect(ours instanceof Error ? ours.message : 'accepted').toEqual(
          theirs instanceof Error ? expect.not.stringContaining('accepted') : 'accepted',
        )
        if (ours instanceof Error || theirs instanceof Error) return
        accepted++
        expect(ours.matchingLines(lines.join('\n'), false)).toEqual(matchingLinesByRe2(theirs, lines))
      }),
      { seed: SEED, numRuns: 4 * RUNS },
    )
    expect(accepted).toBeGreaterThan(RUNS / 5)
  })
})

function attempt<T>(what: () => T): T | Error {
  try {
    return what()
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

describe('named traps', () => {
  it.each([
    ['(?i)k', ['k', 'K', '\u212a', 'x'], [0, 1, 2]],
    ['(?i)s', ['S', '\u017f', 'ß'], [0, 1]],
    ['(?i)\\W', ['k\u212asſ', 'é'], [1]],
    ['(?i)[^k]', ['kK\u212a', 'a'], [1]],
    ['(a+)+$', [`${'a'.repeat(50_000)}b`, 'aa'], [1]],
    ['x(a+)+(b*)*y', ['xaay', `x${'a'.repeat(30)}z`], [0]],
    ['(|a)*', ['', 'aa', 'b'], [0, 1, 2]],
    ['(?:(a)|b)*', ['ab', ''], [0, 1]],
    ['(?s)a.b', ['a', 'b', 'a b'], [2]],
    ['a[^x]b', ['a', 'b', 'a-b'], [2]],
    ['a\\sb', ['a', 'b', 'a\tb'], [2]],
    ['a\\Db', ['a', 'b', 'a😀b'], [2]],
    ['a\\nb', ['a', 'b'], []],
    ['\\Aa\\z', ['a', 'aa', 'a'], [0, 2]],
    ['^$', ['', 'a', ''], [0, 2]],
    ['\\B', ['a', '', 'aa'], [1, 2]],
    ['^.$', ['😀', 'é', '\ufffd', 'ab', '👍🏽'], [0, 1, 2]],
    ['x.*\\B', ['x😀y', 'xy', 'x😀'], [1, 2]],
    ['\\B', ['0😀k', '😀', '0😀 k', '0😀'], [1, 2, 3]],
    ['(?:x|\\B)y?', ['0😀k', '0😀xk'], [1]],
    ['[😀-😅]{2}', ['😀😅', '😀😆'], [0]],
    ['[^a]+[^b]+', ['😀', '😀😀'], [1]],
    ['\\x{d800}', ['😀', 'a'], []],
    ['\\u003eEOF\\u003c', ['>EOF<'], [0]],
    ['\\ud83d\\ude00', ['😀'], [0]],
    ["\\'a\\'", ["'a'"], [0]],
    ['\\p{greek}', ['σ', 'a'], [0]],
    ['a|', ['', 'b'], [0, 1]],
  ])('%s', (source, lines, wanted) => {
    expect(compile(source).matchingLines(lines.join('\n'), false)).toEqual(wanted)
  })

  it('counts lines past a match at a line end, and an empty last line', () => {
    expect(compile('$').matchingLines('a\n\nb\n', true)).toEqual([0, 1, 2, 3])
    expect(compile('b$').matchingLines('ab\ncb\n\nb', true)).toEqual([0, 1, 3])
  })

  it('takes line ends and half pairs within a line as match text would', () => {
    const matcher = compile('a.b.c$')
    expect(matcher.test('a\rb\ud800c')).toBe(true)
    expect(matcher.find('xa\nb\u2028c')).toEqual({ from: 1, to: 6, groups: {} })
  })
})

it('captures named groups of both spellings, without those that took no part', () => {
  const matcher = compile('resource "(?P<res>[^"]+)"(?:: (?<cause>.+))?(?P<none>z)?$')
  expect(matcher.find('😀 for resource "a-1": EOF')?.groups).toEqual({ res: 'a-1', cause: 'EOF' })
  expect(matcher.find('resource "a"')).toEqual({ from: 0, to: 12, groups: { res: 'a' } })
  expect(matcher.find('nothing')).toBeUndefined()
})

it('refuses what neither engine can carry, at once', () => {
  const tooLarge = expect.objectContaining({ code: 'REGEX_TOO_LARGE' })
  expect(() => compile(`(${'abcdefghij'.repeat(20)}){1000}`)).toThrow(tooLarge)
  expect(() => compile('('.repeat(2000) + ')'.repeat(2000))).toThrow(tooLarge)
  expect(() => compile('a'.repeat(20_000))).toThrow(tooLarge)
  expect(compile('a'.repeat(10_000)).test('a'.repeat(10_001))).toBe(true)
})

describe('what people really search for', () => {
  const file = new URL('../../../shared/queries/dev.jsonl', import.meta.url)
  it.skipIf(!existsSync(file))('compiles, or says why not', () => {
    const rows = readFileSync(file, 'utf8').trim().split('\n')
    const patterns = rows.map((row) => (JSON.parse(row) as { pattern?: string; family?: string }).pattern ?? '')
    const refused = patterns.filter((source) => {
      const result = attempt(() => compile(source, { smartCase: true }))
      if (result instanceof Error) expect(result).toMatchObject({ code: 'REGEX_SYNTAX', position: expect.any(Number) })
      return result instanceof Error
    })
    expect(patterns.length).toBeGreaterThan(300)
    expect(refused.length).toBeLessThan(patterns.length / 50)
  })
})
