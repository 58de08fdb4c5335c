import { describe, expect, it } from 'vitest'
import { parse } from './parse.ts'
import { printJavaScript } from './print.ts'
import { printRe2 } from './print-re2.ts'
import { verdictTree } from './verdict.ts'

function programs(pattern: string): { ascii: string; full: string } {
  const { tree } = parse(pattern)
  const print = (ascii: boolean) => printJavaScript(verdictTree(tree, ascii), ascii)
  return { ascii: print(true), full: print(false) }
}

const ANY = '(?:[^\\x0a\\ud800-\\udfff]|[\\ud800-\\udbff][\\udc00-\\udfff])'

describe('JavaScript programs', () => {
  it.each([
    ['failed to send', 'failed to send', 'failed to send'],
    ['(?i)key', '[Kk][Ee][Yy]', '[Kk\\u212a][Ee][Yy]'],
    ['a.b.*c', 'a[^\\x0a]b[^\\x0a]*c', `a${ANY}b[^\\x0a]*c`],
    ['a.+b', 'a[^\\x0a]+b', `a${ANY}[^\\x0a]*b`],
    ['a.{2,}b', 'a[^\\x0a]{2,}b', `a${ANY}{2}[^\\x0a]*b`],
    ['a.*\\Bb', 'a[^\\x0a]*\\Bb', `a${ANY}*\\Bb`],
    ['x[^"]*y', 'x[^\\x0a"]*y', 'x[^\\x0a"]*y'],
    ['é|b', 'b', '\\xe9|b'],
    ['é', '[]', '\\xe9'],
    ['a(?:é|)b', 'ab', 'a(?:\\xe9|(?:))b'],
    ['😀', '[]', '(?:\\ud83d\\ude00)'],
    ['[😀-😅k]', 'k', '(?:k|\\ud83d[\\ude00-\\ude05])'],
    ['[\\x{10ffe}-\\x{11401}]', '[]', '(?:\\ud803[\\udffe\\udfff]|\\ud804[\\udc00-\\udfff]|\\ud805[\\udc00\\udc01])'],
    ['\\Aa\\s\\z', '^a[\\x09\\x0c\\x0d ]$', '^a[\\x09\\x0c\\x0d ]$'],
    ['x(?:ab?){2,3}?y', 'x(?:ab?){2,3}?y', 'x(?:ab?){2,3}?y'],
    ['a\\nb', '[]', '[]'],
    ['\\.\\-/"\\\\\\t\\x00', '\\.\\-\\/"\\\\\\x09\\x00', '\\.\\-\\/"\\\\\\x09\\x00'],
  ])('%s', (pattern, ascii, full) => {
    expect(programs(pattern)).toEqual({ ascii, full })
  })
})

describe('what decides nothing is left off', () => {
  it.each([
    ['.*panic', 'panic'],
    ['.*?panic.*', 'panic'],
    ['.+panic.+', '[^\\x0a]panic[^\\x0a]'],
    ['^.*panic.*$', 'panic'],
    ['^.+panic', '[^\\x0a]panic'],
    ['^a*panic', '^a*panic'],
    ['(.*)panic(\\s*)', 'panic'],
    ['[a-z]*a', 'a'],
    ['(?:.*a|b.*)c', '(?:a|b[^\\x0a]*)c'],
    ['(?:.*a|.*)c', 'c'],
    ['(?:.*a){3}', 'a(?:[^\\x0a]*a){2}'],
    ['(?:a.*){2}', 'a[^\\x0a]*a'],
    ['(a+)+$', 'a$'],
    ['x((a+)+)?y', 'xa*y'],
    ['x(?:(?:a|b)+)*y', 'x(?:a|b)*y'],
    ['x(?:a{2}){3}y', 'x(?:a{2}){3}y'],
    ['\\b.*a', '\\b[^\\x0a]*a'],
    ['(?:|a)b?', '(?:)'],
    ['a{0}', '(?:)'],
  ])('%s', (pattern, ascii) => {
    expect(programs(pattern).ascii).toBe(ascii)
  })
})

it.each([
  ['(?i)k(?P<x>[^\\n])\\z', '[K-Kk-k\\x{212a}-\\x{212a}](?P<x>[\\x{0}-\\x{9}\\x{b}-\\x{10ffff}])\\z'],
  ['(?U)a*b+?|(c|d){2}', '(?:a)*?(?:b)+|(?:(c|d)){2,2}?'],
  ['a(?:b|c)\\u003e', 'a(?:b|c)\\x{3e}'],
])('%s as plain RE2', (pattern, wanted) => {
  expect(printRe2(parse(pattern).tree)).toBe(wanted)
})
