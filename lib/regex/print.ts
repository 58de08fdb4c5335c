import { type CodePoints, complement, containsAll, intersection, rangesOf, union } from './code-points.ts'
import { type Assertion, hasNoWordBoundary, type Node, type Repeat } from './tree.ts'

const BMP: CodePoints = [0, 0xffff]
const ASTRAL: CodePoints = [0x10000, 0x10ffff]
const SURROGATES: CodePoints = [0xd800, 0xdfff]
const NEWLINE: CodePoints = [0x0a, 0x0a]
const ASCII: CodePoints = [0, 0x7f]

const ASSERTIONS: Readonly<Record<Assertion, string>> = {
  'line-start': '^',
  'line-end': '$',
  'word-boundary': '\\b',
  'no-word-boundary': '\\B',
}

/**
 * A verdict tree as the source of a JavaScript RegExp with flags `gm` and no others: sets are explicit classes, astral
 * characters surrogate pairs, and there is no look-around, so that V8's linear fallback accepts it. Exact on match
 * text, which holds no lone surrogate; only empty matches of `\B` inside a pair are left to the caller to pass over. An
 * ASCII program is for text whose every character is below 0x80.
 */
export function printJavaScript(verdict: Node, ascii: boolean): string {
  return new Printer(ascii, !ascii && !hasNoWordBoundary(verdict)).choice(verdict)
}

class Printer {
  readonly #ascii: boolean
  /**
   * `x*` may run over surrogates one by one if x holds all astral characters: whatever follows can't begin inside a
   * pair, except `\B`, which holds there.
   */
  readonly #loopsByUnit: boolean

  constructor(ascii: boolean, loopsByUnit: boolean) {
    this.#ascii = ascii
    this.#loopsByUnit = loopsByUnit
  }

  choice(node: Node): string {
    return node.kind === 'choice' ? node.nodes.map((part) => this.#sequence(part)).join('|') : this.#sequence(node)
  }

  #sequence(node: Node): string {
    return node.kind === 'concat' ? node.nodes.map((part) => this.#item(part)).join('') : this.#item(node)
  }

  #item(node: Node): string {
    switch (node.kind) {
      case 'chars':
        return this.#chars(node.points)
      case 'assert':
        return ASSERTIONS[node.at]
      case 'repeat':
        return this.#repeat(node)
      case 'empty':
        return '(?:)'
      default:
        return `(?:${this.choice(node)})`
    }
  }

  #repeat({ node, min, max, lazy }: Repeat): string {
    const end = lazy ? '?' : ''
    if (this.#loopsByUnit && max === Infinity && node.kind === 'chars' && containsAll(node.points, ASTRAL)) {
      const star = `${printClass(union(intersection(node.points, BMP), SURROGATES), BMP)}*${end}`
      return min === 0 ? star : `${this.#chars(node.points)}${min === 1 ? '' : `{${min}}`}${star}`
    }
    const item = this.#item(node)
    const body = node.kind === 'assert' || node.kind === 'repeat' ? `(?:${item})` : item
    return `${body}${printBounds(min, max)}${end}`
  }

  /** A character as one unit: a single escape, a class, or a group of classes and surrogate pairs. */
  #chars(points: CodePoints): string {
    if (this.#ascii) return printClass(points, ASCII)
    const bmp = intersection(points, BMP)
    const arms = bmp.length > 0 ? [printClass(bmp, BMP)] : []
    for (const [from, to] of rangesOf(intersection(points, ASTRAL))) arms.push(...printPairs(from, to))
    if (points.length === 0) return '[]'
    return arms.length === 1 && bmp.length > 0 ? arms.join() : `(?:${arms.join('|')})`
  }
}

function printBounds(min: number, max: number): string {
  if (max === Infinity) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`
  if (min === 0 && max === 1) return '?'
  return min === max ? `{${min}}` : `{${min},${max}}`
}

/** Negated where that is shorter; the newline is then among what is left out, since no set of a verdict tree has it. */
function printClass(points: CodePoints, universe: CodePoints): string {
  if (points.length === 2 && points[0] === points[1]) return printUnit(points[0] ?? 0)
  const rest = intersection(complement(points), universe)
  if (points.length > 0 && containsAll(rest, NEWLINE) && rest.length < points.length + 2)
    return `[^${printRanges(rest)}]`
  return `[${printRanges(points)}]`
}

function printRanges(points: CodePoints): string {
  let text = ''
  for (const [from, to] of rangesOf(points)) {
    text += printUnit(from)
    if (to > from) text += (to > from + 1 ? '-' : '') + printUnit(to)
  }
  return text
}

/** The astral range as pairs of a high surrogate and a class of low ones. */
function printPairs(from: number, to: number): string[] {
  const [high, low] = surrogates(from)
  const [lastHigh, lastLow] = surrogates(to)
  if (high === lastHigh) return [printUnit(high) + printClass([low, lastLow], BMP)]
  const pairs: string[] = []
  const first = low === 0xdc00 ? high : high + 1
  const last = lastLow === 0xdfff ? lastHigh : lastHigh - 1
  if (first > high) pairs.push(`${printUnit(high)}${printClass([low, 0xdfff], BMP)}`)
  if (first <= last) pairs.push(`${printClass([first, last], BMP)}[\\udc00-\\udfff]`)
  if (last < lastHigh) pairs.push(`${printUnit(lastHigh)}${printClass([0xdc00, lastLow], BMP)}`)
  return pairs
}

function surrogates(point: number): [high: number, low: number] {
  return [0xd800 + ((point - 0x10000) >> 10), 0xdc00 + ((point - 0x10000) & 0x3ff)]
}

function printUnit(unit: number): string {
  const char = String.fromCharCode(unit)
  if (/[A-Za-z0-9 _"'#%&,:;<=>@`~!]/.test(char)) return char
  if (unit > 0x20 && unit < 0x7f) return `\\${char}`
  return unit <= 0xff ? `\\x${unit.toString(16).padStart(2, '0')}` : `\\u${unit.toString(16).padStart(4, '0')}`
}
