import { isAscii } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { gramsOf } from '../text/grams.ts'
import { indexText } from '../text/index-text.ts'
import { lineTexts } from '../text/line-texts.ts'
import { matchText } from '../text/match-text.ts'
import { satisfies, sortedGrams } from '../text/satisfies.ts'
import { compile } from './compile.ts'
import { planOf } from './plan.ts'
import { pattern, texts } from './testing/patterns.ts'
import { wordy, wordyLine } from './testing/wordy.ts'

/** Text whose match text or index text is another. */
const odd = fc.constantFrom(
  ...[
    '\u001b[31m',
    '\u001b[0m',
    '\u001b]0;fail\u0007',
    '\u001b[',
    '\r',
    '\r\n',
    '\0',
    '\u2028',
    '\n',
    '\ud83d\ude00',
    '\ufeff',
  ],
)
const badBytes = fc.constantFrom([0xff], [0xe2, 0x84], [0xed, 0xa0, 0x80], [0xc5]).map((bytes) => Buffer.from(bytes))
const recordOf = (msg: string, error: string) =>
  `\n${JSON.stringify({ msg: `${msg}\u001b[1m\r\n${error}`, error }).replaceAll('o', '\\u006f')}\n`
const record = fc.tuple(wordyLine, wordyLine).map(([msg, error]) => recordOf(msg, error))
const quoted = (literal: string) => literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const rawBlock = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: wordyLine.map((text) => Buffer.from(text)) },
      { weight: 4, arbitrary: odd.map((text) => Buffer.from(text)) },
      { weight: 1, arbitrary: badBytes },
      { weight: 1, arbitrary: record.map((text) => Buffer.from(text)) },
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((parts) => Buffer.concat(parts))

describe('a block with a matching line always satisfies the plan', () => {
  const law = (source: string, lines: readonly string[], smartCase: boolean) => {
    const text = lines.join('\n')
    const { plan } = planOf(source, { smartCase })
    const matches = compile(source, { smartCase }).matchingLines(text, false).length > 0
    const kept = satisfies(sortedGrams(gramsOf(text)), plan)
    if (matches) expect(kept, `${source} on ${JSON.stringify(text)}`).toBe(true)
    return { matches, kept, selective: plan.kind !== 'all' }
  }

  test.each([
    ['foo\\d*bar', 'foobar'],
    ['foo\\d*bar', 'foo12bar'],
    ['foo(?:\\d*-?)bar', 'foobar'],
    ['foo(?:\\d*-?)+bar', 'foobar'],
    ['foo(?:\\d|-)+bar', 'foo1-bar'],
    ['foo(?:|\\d+)bar', 'foobar'],
    ['foo(?:é)+bar', 'fooébar'],
    ['foo[é-]+bar', 'foo-é-bar'],
    ['foo\\d+(?:ab|c)\\d+bar', 'foo1c2bar'],
    ['ab\\d+cd', 'xab1cdx'],
    ['foo\\d+ba\\d', 'foo1ba2'],
    ['foo\\b\\d*\\b bar', 'foo bar'],
    ['(?:foo\\d+){2,}bar', 'foo1foo2foo3bar'],
    ['x(?:foo|bar){2,3}y', 'xfoobarfooy'],
    ['x(?:foo.*bar|zzz)', 'xfoo-bar'],
    ['(?:foo.*bar|zzz)x', 'foo-barx'],
    ['x(?:foo){2,3}y', 'xfoofoofooy'],
    ['[[:punct:]]?foo', 'foo'],
    ['foo[^a-z]bar', 'foo\u2014bar'],
    ['foo[\\r\\t]bar', 'foo\tbar'],
  ])('%s on %s', (source, line) => {
    for (const smartCase of [true, false]) expect(law(source, ['zzz', line], smartCase).matches).toBe(true)
  })

  test('of any syntax', () => {
    fc.assert(
      fc.property(pattern, texts, fc.boolean(), (source, lines, smartCase) => {
        law(source, lines, smartCase)
      }),
      { numRuns: 3000 },
    )
  })

  test('of words', () => {
    let [narrowed, found] = [0, 0]
    fc.assert(
      fc.property(
        wordy,
        fc.array(wordyLine, { minLength: 1, maxLength: 6 }),
        fc.boolean(),
        (source, lines, smartCase) => {
          const { matches, kept, selective } = law(source, lines, smartCase)
          if (selective && matches) found++
          if (!kept) narrowed++
        },
      ),
      { numRuns: 4000 },
    )
    // A plan that leaves all blocks proves nothing. Both are far above this with any seed: found is 118 in the mean.
    expect(Math.min(narrowed, found)).toBeGreaterThan(50)
  })

  test('of raw bytes: escape codes, progress bars, bad bytes, JSON records', () => {
    let found = 0
    const check = (source: string, bytes: Buffer, smartCase: boolean) => {
      const ascii = isAscii(bytes)
      const lines = matchText(bytes, ascii).split('\n')
      const matcher = compile(source, { smartCase })
      if (!lines.some((one) => matcher.test(one) || lineTexts(one).some(matcher.test))) return
      const { plan } = planOf(source, { smartCase })
      const grams = sortedGrams(gramsOf(indexText(bytes, ascii)))
      expect(satisfies(grams, plan), `${source} on ${JSON.stringify(lines)}`).toBe(true)
      if (plan.kind !== 'all') found++
    }
    fc.assert(
      fc.property(rawBlock, wordyLine, rawBlock, wordy, fc.boolean(), (before, inside, after, source, smartCase) => {
        for (const text of [inside, recordOf(inside, 'x')]) {
          const bytes = Buffer.concat([before, Buffer.from(text), after])
          check(quoted(inside), bytes, smartCase)
          check(source, bytes, smartCase)
        }
      }),
      { numRuns: 1000 },
    )
    expect(found).toBeGreaterThan(500)
  })

  test('where it is a part of the line itself', () => {
    fc.assert(
      fc.property(wordyLine, wordyLine, wordyLine, (before, inside, after) => {
        expect(law(quoted(inside), [before + inside + after], true).matches).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })
})
