import { describe, expect, it } from 'vitest'
import { isProwlError } from '../errors.ts'
import { compile } from './compile.ts'

/** RE2's page of its syntax, construct by construct: texts that match whole (`^(?:…)$`), and texts that don't. */
const SUPPORTED: readonly (readonly [pattern: string, matching: readonly string[], not: readonly string[]])[] = [
  // Single characters.
  ['.', ['a', 'é', '😀', '\t'], ['', 'ab']],
  ['(?s).', ['a'], ['', 'ab']],
  ['[xyz]', ['x'], ['a', '']],
  ['[^xyz]', ['a', '😀'], ['x', '']],
  ['\\d', ['7'], ['a', '٣']],
  ['\\D', ['a', '٣'], ['7']],
  ['[[:alpha:]]', ['a', 'Z'], ['1', 'é']],
  ['[[:^alpha:]]', ['1', 'é'], ['a']],
  ['\\pN', ['1', '٣', 'Ⅳ'], ['a']],
  ['\\p{Greek}', ['σ'], ['s']],
  ['\\PN', ['a'], ['1']],
  ['\\P{Greek}', ['s'], ['σ']],
  ['\\p{^Greek}', ['s'], ['σ']],
  ['\\P{^Greek}', ['σ'], ['s']],
  // Composites and repetitions.
  ['xy', ['xy'], ['x', 'yx']],
  ['x|y', ['x', 'y'], ['xy', '']],
  ['x*', ['', 'x', 'xxx'], ['y']],
  ['x+', ['x', 'xx'], ['']],
  ['x?', ['', 'x'], ['xx']],
  ['x{2,3}', ['xx', 'xxx'], ['x', 'xxxx']],
  ['x{2,}', ['xx', 'xxxxx'], ['x']],
  ['x{2}', ['xx'], ['x', 'xxx']],
  ['x{0}', [''], ['x']],
  ['x{0,0}y', ['y'], ['xy']],
  ['x{1000}', ['x'.repeat(1000)], ['x'.repeat(999)]],
  ['x*?', ['', 'xx'], ['y']],
  ['x+?', ['x'], ['']],
  ['x??', ['', 'x'], ['xx']],
  ['x{2,3}?', ['xx', 'xxx'], ['x']],
  ['x{2,}?', ['xxx'], ['x']],
  ['x{2}?', ['xx'], ['xxx']],
  // What starts no well-formed count is text.
  ['x{}', ['x{}'], ['x']],
  ['x{-}', ['x{-}'], ['x']],
  ['x{-2}', ['x{-2}'], ['xx']],
  ['x{,2}', ['x{,2}'], ['xx']],
  ['x{2', ['x{2'], ['xx']],
  ['x{02}', ['x{02}'], ['xx']],
  ['x=', ['x='], ['x']],
  // Groups and flags.
  ['(xy)', ['xy'], ['x']],
  ['(?P<name>xy)', ['xy'], ['x']],
  ['(?<name>xy)', ['xy'], ['x']],
  ['(?:xy)', ['xy'], ['x']],
  ['(?i)xy', ['xy', 'XY', 'xY'], ['x']],
  ['x(?i)y', ['xy', 'xY'], ['XY']],
  ['x(?i:y)z', ['xYz'], ['xYZ']],
  ['(?i)x(?-i)y', ['Xy'], ['XY']],
  ['(?i-s)x.', ['X1'], ['X']],
  ['(?im)^X$', ['x'], ['xx']],
  ['(?U)x+', ['x', 'xx'], ['']],
  ['(?-U:x+?)', ['xx'], ['']],
  ['(x(?i)y)z', ['xYz'], ['xYZ']],
  // Empty strings.
  ['^x$', ['x'], ['xx']],
  ['(?m)^x$', ['x'], ['xx']],
  ['\\Ax\\z', ['x'], ['xx']],
  ['x\\b y', ['x y'], ['xy']],
  ['x\\By', ['xy'], ['x y']],
  // Escapes.
  ['\\a\\f\\t\\v', ['\x07\f\t\v'], ['aftv']],
  ['\\*\\.\\-\\_\\/\\<\\"', ['*.-_/<"'], ['']],
  ['\\101\\60\\0', [], ['A0']],
  ['\\101\\060', ['A0'], ['a0']],
  ['\\x41\\x{42}\\x{1F600}', ['AB😀'], ['ab😀']],
  ['\\Qa.b*\\E+', ['a.b*', 'a.b***'], ['axb']],
  ['\\Q\\E', [''], ['x']],
  // Elements of classes.
  ['[A-Z0-9_]', ['Q', '5', '_'], ['q']],
  ['[\\d]', ['1'], ['a']],
  ['[^\\d]', ['a'], ['1']],
  ['[\\D]', ['a'], ['1']],
  ['[^\\D]', ['1'], ['a']],
  ['[[:digit:]x]', ['1', 'x'], ['a']],
  ['[^[:digit:]]', ['a'], ['1']],
  ['[\\p{Lu}_]', ['É', '_'], ['é']],
  ['[^\\p{Lu}]', ['é'], ['É']],
  ['[]a]', [']', 'a'], ['b']],
  ['[^]a]', ['b'], [']', 'a']],
  ['[a-]', ['a', '-'], ['b']],
  ['[-a]', ['a', '-'], ['b']],
  ['[a^]', ['a', '^'], ['b']],
  ['[\\]\\\\]', [']', '\\'], ['a']],
  ['[[a]', ['[', 'a'], ['b']],
  ['[a&&b]', ['a', '&', 'b'], ['c']],
  ['[\\x41-\\x{43}\\n]', ['B'], ['D']],
  // Named classes.
  ['\\s', ['\t', ' ', '\f'], ['\v', '\u00a0']],
  ['\\S', ['\v', '\u00a0', 'x'], [' ']],
  ['\\w', ['a', '_', '9'], ['é', '-']],
  ['\\W', ['é', '-'], ['a']],
  ['[[:alnum:]]', ['a', '1'], ['_']],
  ['[[:ascii:]]', ['a', '\x7f'], ['é']],
  ['[[:blank:]]', [' ', '\t'], ['\f']],
  ['[[:cntrl:]]', ['\x01', '\x7f'], ['a']],
  ['[[:graph:]]', ['!', '~'], [' ']],
  ['[[:lower:]]', ['a'], ['A']],
  ['[[:print:]]', [' ', '~'], ['\t']],
  ['[[:punct:]]', ['!', '`', '~'], ['a', ' ']],
  ['[[:space:]]', ['\v', ' '], ['a']],
  ['[[:upper:]]', ['A'], ['a']],
  ['[[:word:]]', ['_'], ['-']],
  ['[[:xdigit:]]', ['f', 'F', '0'], ['g']],
  ['\\p{L}\\p{Ll}\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}', ['éaAǅʰª'], ['éaAAʰª']],
  ['\\p{M}\\p{Mn}\\p{Mc}\\p{Me}', ['\u0301\u0301\u0903\u20dd'], ['aaaa']],
  ['\\p{Nd}\\p{Nl}\\p{No}', ['1Ⅳ½'], ['aaa']],
  ['\\p{P}\\p{Pc}\\p{Pd}\\p{Ps}\\p{Pe}\\p{Pi}\\p{Pf}\\p{Po}', ['!_-()«»!'], ['aaaaaaaa']],
  ['\\p{S}\\p{Sc}\\p{Sk}\\p{Sm}\\p{So}', ['+$^+©'], ['aaaaa']],
  ['\\p{Z}\\p{Zs}', ['  '], ['aa']],
  ['\\p{C}\\p{Cc}\\p{Cf}\\p{Co}', ['\x01\x01\u200b\ue000'], ['aaaa']],
  ['\\p{Han}\\p{Latin}\\p{Cyrillic}\\p{Common}', ['漢aж1'], ['aaaa']],
  ['\\p{Any}', ['a', '😀'], ['']],
  // What a pasted pattern may hold.
  ['-x --y', ['-x --y'], ['x y']],
  ['\\x{0}|\\x00|x', ['x'], ['']],
  ['\\u003e\\\'\\"', ['>\'"'], ['u003e']],
]

describe('what RE2 has', () => {
  it.each(SUPPORTED)('%j', (pattern, matching, not) => {
    const whole = compile(`^(?:${pattern})$`)
    expect(matching.filter((text) => !whole.test(text))).toEqual([])
    expect(not.filter(whole.test)).toEqual([])
  })
})

/** What the page marks as not supported, and what RE2 says of it: its term, or ours where we name the construct. */
const REFUSED: readonly (readonly [patterns: string, message: RegExp])[] = [
  ['x*+ x++ x?+ x{2,3}+ x{2,}+ x{2}+', /^`.*\+` is a possessive quantifier, which RE2 does not have$/],
  ['x** x+* x?* x{2}* x*{2} x*?? x**?', /^invalid nested repetition operator: `/],
  ['* +a ?a a|* (*) (?:+) ^(|+) (*ACCEPT)', /^missing argument to repetition operator: `[*+?]`$/],
  ['x{1001} x{2,1001} x{1001,} x{2,1} (x{100}){11} ((x{10}){10}){11} (?:x{2,500}y?){3}', /^invalid repeat count: `{/],
  ['x(?=y) x(?!y) (?<=x)y (?<!x)y', /is look-around/],
  ["(x)\\1 (x)\\2 \\8 \\k<n> \\k'n' \\k{n} (?P<n>x)(?P=n)", /is a back-reference/],
  ['(?R) (?0) (?1) (?+1) (?-1) (?&n) (?P>n)', /is recursion/],
  ["(?>x) (?#x) (?|x|y) (?(1)x) (?{x}) (?'n'x)", /which RE2 does not have$/],
  ['\\C [\\C] x\\C', /^(`\\C` matches single bytes; use `.`|invalid escape sequence: `\\C`)$/],
  [
    '\\G \\Z \\cK \\e \\g1 \\g{1} \\l \\L \\U \\K \\N{x} \\R \\X \\h \\H \\V \\i \\o \\y \\é [\\b] [\\A] [\\B] [\\z] [\\Q] [a-\\d]',
    /^invalid escape sequence: `\\[^ ]*`$/,
  ],
  ['\\x \\x4 \\xg0 \\x{ \\x{} \\x{110000} \\x{4g} \\u12 \\ug000', /^invalid escape sequence: `\\/],
  ['[b-a] [[:nope:]] \\p{Nope} \\pX [\\p{Nope}] \\p{} [z-\\x41]', /^invalid character class range: `/],
  ['[ [a [^ [] [^] [[:alpha:] [a-', /^missing closing \]: `/],
  ['( (a (?:a (?i:a ((a) (?P<n>a', /^missing closing \): `/],
  [') a) (a)) a|b)', /^unexpected \): `\)`$/],
  ['(?P<n (?P<>a) (?P<n-m>a) (?<é>a)', /^invalid named capture: `/],
  ['(?P<n>a)(?P<n>b) (?<n>a)(?P<n>b)', /^duplicate capture group name: `/],
  [
    '(?z) (?i (?iz:a) (?i-) (?--i) (?P) (?P=',
    /^(invalid or unsupported Perl syntax: `\(\?|`\(\?P=` is a back-reference)/,
  ],
  ['\\ a\\ [a\\', /^trailing backslash at end of expression$/],
  ['\ud800 \udfff a\ud800b [\ud800] \\\ud800 \\Q\ud800', /^invalid UTF-8: `/],
]

describe('what RE2 has not', () => {
  it.each(REFUSED.flatMap(([patterns, message]) => patterns.split(' ').map((pattern) => [pattern, message] as const)))(
    '%j: %s',
    (pattern, message) => {
      const fault = faultOf(pattern)
      expect(fault.message).toMatch(message)
      expect(fault.position).toBeGreaterThanOrEqual(0)
      expect(fault.position).toBeLessThan(pattern.length)
    },
  )
})

function faultOf(pattern: string): { message: string; position: number | undefined } {
  try {
    compile(pattern)
  } catch (error) {
    if (isProwlError(error)) return error as { message: string; position: number | undefined }
    throw error
  }
  return { message: 'accepted', position: undefined }
}

describe('what no line can hold', () => {
  it.each(['a\nb', 'a\\nb', 'a\0b', 'a\\x00b', '\\x{d800}', 'a\rb'])('%j finds nothing, and is no error', (pattern) => {
    expect(compile(pattern).matchingLines('a\nb\na b\nab', true)).toEqual([])
  })
})

describe('a pattern that matches the empty string', () => {
  it.each(['', 'x*', '()', '(?:)', '|x', 'x?', '(x|)', '(?i)', '^', '$', '\\A\\z|x*', 'x{0}', '(a*)*', '\\Q\\E'])(
    '%j matches every line',
    (pattern) => {
      expect(compile(pattern).matchingLines('a\n\n😀', false)).toEqual([0, 1, 2])
    },
  )
})
