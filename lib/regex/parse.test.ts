import { describe, expect, it } from 'vitest'
import { parse } from './parse.ts'

/** Terms and excerpts are Go's (regexp/syntax). */
const SYNTAX: [pattern: string, message: string, position: number][] = [
  ['[a', 'missing closing ]: `[a`', 0],
  ['é[^]', 'missing closing ]: `[^]`', 1],
  ['*', 'missing argument to repetition operator: `*`', 0],
  ['a|+', 'missing argument to repetition operator: `+`', 2],
  ['(?i)*', 'missing argument to repetition operator: `*`', 4],
  ['({2})', 'missing argument to repetition operator: `{2}`', 1],
  ['a**', 'invalid nested repetition operator: `**`', 1],
  ['😀a+*', 'invalid nested repetition operator: `+*`', 3],
  ['a{2}{3}?', 'invalid nested repetition operator: `{2}{3}?`', 1],
  ['a{1001}', 'invalid repeat count: `{1001}`', 1],
  ['a{2,1}', 'invalid repeat count: `{2,1}`', 1],
  ['(a{500}){3}', 'invalid repeat count: `{3}`', 8],
  ['((a{10}){10}b*){11}', 'invalid repeat count: `{11}`', 15],
  ['x(a', 'missing closing ): `(a`', 1],
  ['a)b', 'unexpected ): `)`', 1],
  ['a\\', 'trailing backslash at end of expression', 1],
  ['\\y', 'invalid escape sequence: `\\y`', 0],
  ['\\Z', 'invalid escape sequence: `\\Z`', 0],
  ['\\é', 'invalid escape sequence: `\\é`', 0],
  ['\\x{}', 'invalid escape sequence: `\\x`', 0],
  ['\\x{110000}', 'invalid escape sequence: `\\x{110000}`', 0],
  ['\\u12', 'invalid escape sequence: `\\u`', 0],
  ['[\\b]', 'invalid escape sequence: `\\b`', 1],
  ['[b-a]', 'invalid character class range: `b-a`', 1],
  ['[[:foo:]]', 'invalid character class range: `[:foo:]`', 1],
  ['a\\p{Foo}', 'invalid character class range: `\\p{Foo}`', 1],
  ['\\p{constructor}', 'invalid character class range: `\\p{constructor}`', 0],
  ['\\p', 'invalid character class range: `\\p`', 0],
  ['\\pL\\p{Greek', 'invalid character class range: `\\p{Greek`', 3],
  ['(?P<n', 'invalid named capture: `(?P<n`', 0],
  ['(?<n m>a)', 'invalid named capture: `(?<n m>`', 0],
  ['(?P<>a)', 'invalid named capture: `(?P<>`', 0],
  ['(?P<n>a)(?<n>b)', 'duplicate capture group name: `(?<n>`', 8],
  ['(?z)', 'invalid or unsupported Perl syntax: `(?z`', 0],
  ['(?i-)', 'invalid or unsupported Perl syntax: `(?i-)`', 0],
  ['a\ud800', 'invalid UTF-8: `\\x{d800}`', 1],
  ['(\n', 'missing closing ): `(\\x{a}`', 0],
]

it.each(SYNTAX)('%s: %s', (pattern, message, position) => {
  expect(() => parse(pattern)).toThrow(expect.objectContaining({ code: 'REGEX_SYNTAX', message, position }))
})

it.each([
  ['a(?=b)', 'look-around', 1],
  ['a(?!b)', 'look-around', 1],
  ['(?<=a)b', 'look-around', 0],
  ['(?<!a)b', 'look-around', 0],
  ['(a)\\1', 'back-reference', 3],
  ['(?P<n>a)(?P=n)', 'back-reference', 8],
  ['(?<n>a)\\k<n>', 'back-reference', 7],
  ['a\\C', 'single bytes', 1],
  ['b(?>a)', 'an atomic group', 1],
  ['b(?#a)', 'a comment', 1],
  ['b(?|a|b)', 'a branch reset', 1],
  ['(a)(?(1)b|c)', 'a condition', 3],
  ['a(?R)', 'recursion', 1],
  ['a(?1)', 'recursion', 1],
  ['a(?-1)', 'recursion', 1],
  ['a(?&n)', 'recursion', 1],
  ['a(?P>n)', 'recursion', 1],
  ['a(?{b})', 'embedded code', 1],
  ['a(??{b})', 'embedded code', 1],
  ["(?'n'a)", 'a name in quotes', 0],
  ['😀a*+', 'a possessive quantifier', 3],
  ['a++', 'a possessive quantifier', 1],
  ['a?+', 'a possessive quantifier', 1],
  ['a{2,3}+', 'a possessive quantifier', 1],
])('%s is unsupported: %s', (pattern, what, position) => {
  const message = expect.stringContaining(what)
  expect(() => parse(pattern)).toThrow(expect.objectContaining({ code: 'REGEX_UNSUPPORTED', message, position }))
})

describe('limits of our own', () => {
  it.each([
    ['length', 'a'.repeat(17_000)],
    ['nesting', `${'('.repeat(1001)}a${')'.repeat(1001)}`],
    ['written-out size', `(?:${'ab'.repeat(100)}){1000}`],
    ['Unicode classes', '\\pL'.repeat(500)],
  ])('%s', (_, pattern) => {
    expect(() => parse(pattern)).toThrow(
      expect.objectContaining({ code: 'REGEX_TOO_LARGE', position: expect.any(Number) }),
    )
  })
})

it.each([
  'a{',
  'a{,2}',
  'a{2',
  'a{02}',
  '[]a]',
  '[a-]',
  '[-a]',
  '[\\d-z]',
  '()',
  '(|)',
  '^*',
  '(?i)',
  '(?)',
  '\\_',
  '\\0',
  '\\123',
])('%s parses', (pattern) => {
  expect(() => parse(pattern)).not.toThrow()
})
