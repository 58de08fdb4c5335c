import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Plan } from '../model/plan.ts'
import { planOf, planOfAny } from './plan.ts'
import { printPlan } from './print-plan.ts'
import { wordy } from './testing/wordy.ts'

const gramsIn = (plan: Plan): number =>
  'of' in plan ? plan.of.reduce((sum, part) => sum + gramsIn(part), 0) : Number(plan.kind === 'gram')

describe('plans', () => {
  test.each([
    ['boskos.ci.*EOF', '"boskos" & "eof"'],
    ['no route to host', '"no route to host" & route~to & to~host'],
    ['No Route', '"no route"'],
    ['.*panic', '"panic"'],
    ['x.*y.*z', 'all'],
    ['panic|level=error', '"panic" | ("level=error" & level~error)'],
    ['(eof|reset) by peer', '" by peer" & by~peer & (("eof b" & eof~by) | ("reset b" & reset~by))'],
    ['abc.*bcd', '"abc" & "bcd"'],
    ['abc[xy]bcd', '"abc" & "bcd" & ("bcxbc" | "bcybc")'],
    // Words on both sides of what are only separators.
    [String.raw`after \d+ seconds`, /^"after " & .*" seconds" .*after~seconds/],
    [String.raw`took:\s*long (?:\d+\.)*\d{2}ms in all`, /took~long & .*long~ms/],
    ['dial [^a-z]{3,} refused', /^"dial " & " refused"$/],
    ['[ab]cd[ef]', '"acde" | "acdf" | "bcde" | "bcdf"'],
    ['foo(bar)?baz', '"foobarbaz" | "foobaz"'],
    [String.raw`\d+ failed`, /^" failed" & \("0 f" \| "1 f" .* "9 f"\)$/],
    ['error: .*: (timeout|refused)$', '"error: " & (": timeout" | ": refused")'],
    ['(?i)K8S', '"k8s"'],
    ['café au lait', '"caf" & " au lait" & au~lait'],
    ['[[:alpha:]]+ing', '"ing"'],
    ['(?:abc){2,}', '"abcabc"'],
    ['(?:abc){3}', '"abcabcabc"'],
    [String.raw`foo:\d*\s*\d*\s*\d*\s*\d*\s*\d*bar`, '"foo:" & "bar" & foo~bar'],
    [String.raw`(?:foo|.bar)\b(?:foo.|bar)`, /"barfoo"/],
    ['no.route', '"route"'],
    ['tcp: dial tcp [^ ]+: timeout', '"tcp: dial tcp " & ": timeout" & tcp~dial & dial~tcp'],
    [String.raw`\Qa.b+c\E`, '"a.b+c"'],
    [String.raw`^\bfoo\b$`, '"foo"'],
    ['(?P<x>foo)', '"foo"'],
    // Nothing is certain.
    ['a+', 'all'],
    ['ab', 'all'],
    ['', 'all'],
    ['x*', 'all'],
    ['fatal|', 'all'],
    ['foo|a', 'all'],
    ['(a|b|c|d)(e|f|g|h)(i|j|k)', 'all'],
    ['日本語', 'all'],
    // Nothing can match.
    [String.raw`foo\nbar`, 'none'],
    [String.raw`[^\x00-\x{10FFFF}]`, 'none'],
  ])('%s', (source, printed) => {
    const text = printPlan(planOf(source, { smartCase: true }))
    if (typeof printed === 'string') expect(text).toBe(printed)
    else expect(text).toMatch(printed)
  })

  test('are plain data, bounded whatever the pattern', () => {
    const long = planOf(`${'a long literal '.repeat(200)}|${'another one '.repeat(300)}`).plan
    expect(structuredClone(long)).toEqual(long)
    for (const source of ['[a-z]{100}', '(?:[ab]c){50}', `(${'a|b|'.repeat(500)}c)d`, 'abc'.repeat(3000)])
      expect(JSON.stringify(planOf(source).plan).length).toBeLessThan(100_000)
  })

  test('of a long pattern take no time to speak of, and still narrow', () => {
    const words = Array.from({ length: 1600 }, (_, at) => `word${at.toString(36)}`)
    for (const source of [words.join('.'), words.join('.*'), words.join(' '), words.slice(0, 200).join('|')])
      expect(gramsIn(planOf(source).plan)).toBeGreaterThan(0)
    for (const source of [words.join('.'), words.join('|'), words.slice(0, 500).join('|'), words.join('+x|y')])
      expect(gramsIn(planOf(source).plan)).toBeLessThan(1100)
  })

  test('are normal: nothing empty, nested in its own kind, or twice', () => {
    const check = (plan: Plan): void => {
      if (!('of' in plan)) return
      expect(plan.of.length).toBeGreaterThan(1)
      expect(new Set(plan.of.map((part) => JSON.stringify(part))).size).toBe(plan.of.length)
      for (const part of plan.of) {
        expect(['gram', plan.kind === 'and' ? 'or' : 'and']).toContain(part.kind)
        check(part)
      }
    }
    fc.assert(
      fc.property(fc.array(wordy, { minLength: 1, maxLength: 3 }), (sources) => {
        const plans = sources.map((source) => planOf(source).plan)
        plans.forEach(check)
        check(planOfAny(plans))
      }),
      { numRuns: 300 },
    )
  })

  test('of a pattern that does not parse are refused as it is', () => {
    expect(() => planOf('a(')).toThrow(expect.objectContaining({ code: 'REGEX_SYNTAX' }))
  })
})
