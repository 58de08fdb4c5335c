import { type CodePoints, codePoints, complement, MAX_CODE_POINT } from './code-points.ts'
import type { Scanner } from './scanner.ts'
import { foldCase, property } from './unicode.ts'

const CONTROLS: Readonly<Record<string, number>> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 }

const DIGIT = range('09')
const SPACE: CodePoints = [0x09, 0x0a, 0x0c, 0x0d, 0x20, 0x20]
const WORD = range('09AZ__az')

const PERL: Readonly<Record<string, CodePoints>> = { d: DIGIT, s: SPACE, w: WORD }

const POSIX: Readonly<Record<string, CodePoints>> = {
  alnum: range('09AZaz'),
  alpha: range('AZaz'),
  ascii: [0, 0x7f],
  blank: [0x09, 0x09, 0x20, 0x20],
  cntrl: [0, 0x1f, 0x7f, 0x7f],
  digit: DIGIT,
  graph: range('!~'),
  lower: range('az'),
  print: range(' ~'),
  punct: range('!/:@[`{~'),
  space: [0x09, 0x0d, 0x20, 0x20],
  upper: range('AZ'),
  word: WORD,
  xdigit: range('09AFaf'),
}

function range(ends: string): CodePoints {
  return codePoints([...ends].map((char) => char.charCodeAt(0)))
}

/** `\d`, `\PN`, `\p{Greek}` and their like, or undefined with nothing read. */
export function readClassEscape(scanner: Scanner, fold: boolean): CodePoints | undefined {
  const from = scanner.at
  const perl = scanner.eatMatch(/\\([dswDSW])/y)?.[1]
  if (perl !== undefined) {
    const set = PERL[perl.toLowerCase()] ?? []
    return signed(set, fold, perl === perl.toUpperCase())
  }
  const sign = scanner.eatMatch(/\\([pP])/y)?.[1]
  if (sign === undefined) return undefined
  const name = scanner.eatMatch(/\{([^}]*)\}|[^{]/uy)
  if (name === undefined) throw scanner.error('invalid character class range', from, scanner.pattern.length)
  const [, negated, bare] = /^(\^?)(.*)$/s.exec(name[1] ?? name[0]) ?? []
  const set = property(bare ?? '')
  if (set === undefined) throw scanner.error('invalid character class range', from)
  return signed(set, fold, (sign === 'P') !== (negated === '^'))
}

/** `[:alpha:]` inside a class, or undefined with nothing read. */
export function readPosixClass(scanner: Scanner, fold: boolean): CodePoints | undefined {
  const from = scanner.at
  const name = scanner.eatMatch(/\[:(.*?):\]/sy)?.[1]
  if (name === undefined) return undefined
  const bare = name.replace(/^\^/, '')
  if (!Object.hasOwn(POSIX, bare)) throw scanner.error('invalid character class range', from)
  return signed(POSIX[bare] ?? [], fold, bare !== name)
}

/** Folding comes before negation, as in RE2: `(?i)\W` has neither k nor the Kelvin sign. */
function signed(set: CodePoints, fold: boolean, negate: boolean): CodePoints {
  const folded = fold ? foldCase(set) : set
  return negate ? complement(folded) : folded
}

/** The code point of an escape such as `\n`, `\x{1F600}`, `\u003e`, `\.`; the scanner stands on the backslash. */
export function readEscape(scanner: Scanner): number {
  const from = scanner.at
  scanner.at++
  if (!scanner.more) throw scanner.fault('REGEX_SYNTAX', 'trailing backslash at end of expression', from)
  const octal = scanner.eatMatch(/0[0-7]{0,2}|[1-7][0-7]{1,2}/y)?.[0]
  if (octal !== undefined) return Number.parseInt(octal, 8)
  if (scanner.eatMatch(/[1-9]|k[<{']/y)) throw scanner.unsupported('a back-reference', from)
  const hex = scanner.eatMatch(/x(?:([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]+)\})/y)
  const point = hex === undefined ? readUnicodeEscape(scanner) : Number.parseInt(hex[1] ?? hex[2] ?? '', 16)
  if (point !== undefined && point > MAX_CODE_POINT) throw scanner.error('invalid escape sequence', from)
  if (point !== undefined) return point
  const char = String.fromCodePoint(scanner.next())
  const control = Object.hasOwn(CONTROLS, char) ? CONTROLS[char] : undefined
  if (control !== undefined) return control
  if (/^[^A-Za-z0-9\u0080-\u{10ffff}]$/u.test(char)) return char.charCodeAt(0)
  throw scanner.error('invalid escape sequence', from)
}

/** `\u003e` as JSON writes it, also as a surrogate pair: not RE2's, but pasted patterns hold it. */
function readUnicodeEscape(scanner: Scanner): number | undefined {
  const pair = scanner.eatMatch(/u([Dd][89ABab][0-9A-Fa-f]{2})\\u([Dd][C-Fc-f][0-9A-Fa-f]{2})/y)
  if (pair !== undefined) {
    const [high, low] = [Number.parseInt(pair[1] ?? '', 16), Number.parseInt(pair[2] ?? '', 16)]
    return String.fromCharCode(high, low).codePointAt(0)
  }
  const unit = scanner.eatMatch(/u([0-9A-Fa-f]{4})/y)?.[1]
  return unit === undefined ? undefined : Number.parseInt(unit, 16)
}
