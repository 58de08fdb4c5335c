import { ALL, type CodePoints, codePoints, complement } from './code-points.ts'
import { readClassEscape, readEscape, readPosixClass } from './escapes.ts'
import { Scanner } from './scanner.ts'
import { type Assertion, choice, concat, type Node } from './tree.ts'
import { foldCase } from './unicode.ts'

/** RE2's limits, and some of our own: pattern length, and nodes once all counted repeats are written out. */
const MAX_REPEAT = 1000
const MAX_DEPTH = 1000
const MAX_LENGTH = 16 * 1024
const MAX_SIZE = 50_000
/** Ends of ranges in all classes together: some seventy `\pL`. */
const MAX_RANGES = 100_000

const NOT_NEWLINE = complement([0x0a, 0x0a])

const ASSERTIONS: Readonly<Record<string, Assertion>> = {
  A: 'line-start',
  z: 'line-end',
  b: 'word-boundary',
  B: 'no-word-boundary',
}

/** Groups of other languages. */
const UNSUPPORTED: readonly (readonly [begins: RegExp, what: string])[] = [
  [/\(\?<?[=!]/y, 'look-around'],
  [/\(\?P=[^)]*\)?/y, 'a back-reference'],
  [/\(\?(?:(?:P>|&)[^)]*\)?|(?:R|[+-]?\d+)\))/y, 'recursion'],
  [/\(\?>/y, 'an atomic group'],
  [/\(\?#[^)]*\)?/y, 'a comment'],
  [/\(\?\|/y, 'a branch reset'],
  [/\(\?\(/y, 'a condition'],
  [/\(\?\??\{/y, 'embedded code'],
  [/\(\?'/y, 'a name in quotes'],
]

export interface Parsed {
  readonly tree: Node
  /** Code points that stand literally in the pattern, those in classes included: what smart case looks at. */
  readonly literals: ReadonlySet<number>
  /** The alternatives of its choices, as they are written. */
  readonly alternatives: ReadonlyMap<Node, string>
}

/**
 * Parses RE2 syntax; the only extensions are `\u003e`-style escapes. A match lies within one line, so `\A` is `^` and
 * `\z` is `$`, with and without `(?m)`. Throws REGEX_SYNTAX in RE2's terms, REGEX_UNSUPPORTED and REGEX_TOO_LARGE,
 * each with its position.
 */
export function parse(pattern: string, options: { foldCase?: boolean } = {}): Parsed {
  return new Parser(pattern, options.foldCase ?? false).parse()
}

interface Flags {
  readonly i: boolean
  readonly s: boolean
  readonly U: boolean
}

class Parser {
  readonly #scanner: Scanner
  readonly #literals = new Set<number>()
  readonly #names = new Set<string>()
  readonly #alternatives = new Map<Node, string>()
  #flags: Flags
  #depth = 0
  #ranges = 0

  constructor(pattern: string, fold: boolean) {
    this.#scanner = new Scanner(pattern)
    this.#flags = { i: fold, s: false, U: false }
  }

  parse(): Parsed {
    const scanner = this.#scanner
    if (scanner.pattern.length > MAX_LENGTH) {
      throw scanner.fault('REGEX_TOO_LARGE', `expression too large: longer than ${MAX_LENGTH} characters`, MAX_LENGTH)
    }
    const tree = this.#choice()
    if (scanner.more) throw scanner.error('unexpected )', scanner.at, scanner.at + 1)
    if (sizeOf(tree) > MAX_SIZE) {
      throw scanner.fault('REGEX_TOO_LARGE', 'expression too large: lower the counts of its repetitions', 0)
    }
    return { tree, literals: this.#literals, alternatives: this.#alternatives }
  }

  #choice(): Node {
    const branches: Node[] = []
    do {
      const from = this.#scanner.at
      const branch = this.#sequence()
      branches.push(branch)
      this.#alternatives.set(branch, this.#scanner.pattern.slice(from, this.#scanner.at))
    } while (this.#scanner.eat('|'))
    return choice(branches)
  }

  /** Items up to `|`, `)` or the end. A repetition applies to the item before it, as in Go also across a `(?i)`. */
  #sequence(): Node {
    const scanner = this.#scanner
    const items: Node[] = []
    let lastRepeat: number | undefined
    while (scanner.more && scanner.peek !== '|' && scanner.peek !== ')') {
      const from = scanner.at
      const bounds = this.#repeatBounds()
      if (bounds === undefined) {
        items.push(...this.#item())
        lastRepeat = undefined
        continue
      }
      const lazy = scanner.eat('?') !== this.#flags.U
      if (lastRepeat !== undefined) {
        if (scanner.pattern[from] === '+') throw scanner.unsupported('a possessive quantifier', lastRepeat)
        throw scanner.error('invalid nested repetition operator', lastRepeat)
      }
      const node = items.pop()
      if (node === undefined) throw scanner.error('missing argument to repetition operator', from)
      const [min, max] = bounds
      const repeat: Node = { kind: 'repeat', node, min, max, lazy }
      if ((min >= 2 || max >= 2) && !repeatsWithin(repeat, MAX_REPEAT))
        throw scanner.error('invalid repeat count', from)
      items.push(repeat)
      lastRepeat = from
    }
    return concat(items)
  }

  /** `{` that starts no well-formed repetition is literal, as in RE2. */
  #repeatBounds(): [min: number, max: number] | undefined {
    const scanner = this.#scanner
    if (scanner.eat('*')) return [0, Infinity]
    if (scanner.eat('+')) return [1, Infinity]
    if (scanner.eat('?')) return [0, 1]
    const from = scanner.at
    const match = scanner.eatMatch(/\{(0|[1-9][0-9]*)(,(0|[1-9][0-9]*)?)?\}/y)
    if (match === undefined) return undefined
    const min = Number(match[1])
    const max = match[2] === undefined ? min : match[3] === undefined ? Infinity : Number(match[3])
    const tooLarge = min > MAX_REPEAT || (max > MAX_REPEAT && max !== Infinity)
    if (tooLarge || min > max) throw scanner.error('invalid repeat count', from)
    return [min, max]
  }

  #item(): Node[] {
    const scanner = this.#scanner
    switch (scanner.peek) {
      case '(':
        return this.#group()
      case '[':
        return [this.#chars(this.#class())]
      case '\\':
        return this.#escape()
      case '.':
        scanner.at++
        return [this.#chars(this.#flags.s ? ALL : NOT_NEWLINE)]
      case '^':
        scanner.at++
        return [{ kind: 'assert', at: 'line-start' }]
      case '$':
        scanner.at++
        return [{ kind: 'assert', at: 'line-end' }]
      default:
        return [this.#literal(scanner.next())]
    }
  }

  #literal(point: number): Node {
    this.#literals.add(point)
    return this.#chars(this.#fold([point, point]))
  }

  #chars(points: CodePoints): Node {
    this.#ranges += points.length
    if (this.#ranges > MAX_RANGES) {
      throw this.#scanner.fault('REGEX_TOO_LARGE', 'expression too large: use fewer Unicode classes', this.#scanner.at)
    }
    return { kind: 'chars', points }
  }

  #fold(set: CodePoints): CodePoints {
    return this.#flags.i ? foldCase(set) : set
  }

  #escape(): Node[] {
    const scanner = this.#scanner
    const from = scanner.at
    const assertion = scanner.eatMatch(/\\([AzbB])/y)?.[1]
    if (assertion !== undefined) return [{ kind: 'assert', at: ASSERTIONS[assertion] ?? 'line-start' }]
    if (scanner.eat('\\C')) throw scanner.fault('REGEX_UNSUPPORTED', '`\\C` matches single bytes; use `.`', from)
    if (scanner.eat('\\Q')) return this.#quoted()
    const set = readClassEscape(scanner, this.#flags.i)
    return [set === undefined ? this.#literal(readEscape(scanner)) : this.#chars(set)]
  }

  /** `\Q…\E`; without `\E` up to the end of the pattern. */
  #quoted(): Node[] {
    const scanner = this.#scanner
    const found = scanner.pattern.indexOf('\\E', scanner.at)
    const end = found < 0 ? scanner.pattern.length : found
    const nodes: Node[] = []
    while (scanner.at < end) nodes.push(this.#literal(scanner.next()))
    scanner.eat('\\E')
    return nodes
  }

  #group(): Node[] {
    const scanner = this.#scanner
    const from = scanner.at
    for (const [begins, what] of UNSUPPORTED) if (scanner.eatMatch(begins)) throw scanner.unsupported(what, from)
    const outer = this.#flags
    let name: string | undefined
    let captures = true
    if (scanner.startsWith('(?P<') || scanner.startsWith('(?<')) name = this.#groupName()
    else if (scanner.startsWith('(?')) {
      captures = false
      if (this.#groupFlags() === ')') return []
    } else scanner.at++
    if (++this.#depth > MAX_DEPTH) throw scanner.fault('REGEX_TOO_LARGE', 'expression nests too deeply', from)
    const node = this.#choice()
    if (!scanner.eat(')')) throw scanner.error('missing closing )', from, scanner.pattern.length)
    this.#depth--
    this.#flags = outer
    return [captures ? { kind: 'capture', node, ...(name !== undefined && { name }) } : node]
  }

  #groupName(): string {
    const scanner = this.#scanner
    const from = scanner.at
    const name = scanner.eatMatch(/\(\?P?<([^>]*)>/y)?.[1]
    if (name === undefined) throw scanner.error('invalid named capture', from, scanner.pattern.length)
    if (!/^[A-Za-z0-9_]+$/.test(name)) throw scanner.error('invalid named capture', from)
    if (this.#names.has(name)) throw scanner.error('duplicate capture group name', from)
    this.#names.add(name)
    return name
  }

  /** `(?i-s:` or `(?i-s)`: sets the flags; says which of `:` and `)` ended it. */
  #groupFlags(): string {
    const scanner = this.#scanner
    const from = scanner.at
    const match = scanner.eatMatch(/\(\?([imsU]*)(?:-([imsU]+))?([:)])/y)
    if (match === undefined) {
      scanner.eatMatch(/\(\?[imsU-]*.?/suy)
      throw scanner.error('invalid or unsupported Perl syntax', from)
    }
    const [, on = '', off = '', end = ''] = match
    const flag = (name: keyof Flags) => (this.#flags[name] || on.includes(name)) && !off.includes(name)
    this.#flags = { i: flag('i'), s: flag('s'), U: flag('U') }
    return end
  }

  #class(): CodePoints {
    const scanner = this.#scanner
    const from = scanner.at
    scanner.at++
    const negate = scanner.eat('^')
    const ranges: number[] = []
    for (let first = true; first || !scanner.eat(']'); first = false) {
      if (!scanner.more) throw scanner.error('missing closing ]', from, scanner.pattern.length)
      const set = readPosixClass(scanner, this.#flags.i) ?? readClassEscape(scanner, this.#flags.i)
      ranges.push(...(set ?? this.#fold(this.#classRange(from))))
    }
    const set = codePoints(ranges)
    return negate ? complement(set) : set
  }

  #classRange(classFrom: number): CodePoints {
    const scanner = this.#scanner
    const from = scanner.at
    const low = this.#classChar(classFrom)
    let high = low
    if (scanner.peek === '-' && !scanner.startsWith('-]')) {
      scanner.at++
      high = this.#classChar(classFrom)
      if (high < low) throw scanner.error('invalid character class range', from)
    }
    return [low, high]
  }

  #classChar(classFrom: number): number {
    const scanner = this.#scanner
    if (!scanner.more) throw scanner.error('missing closing ]', classFrom, scanner.pattern.length)
    const point = scanner.peek === '\\' ? readEscape(scanner) : scanner.next()
    this.#literals.add(point)
    return point
  }
}

/** RE2's check: counts of repeats within repeats multiply to at most `limit`. */
function repeatsWithin(node: Node, limit: number): boolean {
  if (node.kind === 'concat' || node.kind === 'choice') return node.nodes.every((part) => repeatsWithin(part, limit))
  if (node.kind === 'capture') return repeatsWithin(node.node, limit)
  if (node.kind !== 'repeat') return true
  const count = node.max === Infinity ? node.min : node.max
  if (node.max === 0) return true
  if (count > limit) return false
  return repeatsWithin(node.node, count > 0 ? Math.trunc(limit / count) : limit)
}

function sizeOf(node: Node): number {
  if (node.kind === 'concat' || node.kind === 'choice') return node.nodes.reduce((sum, part) => sum + sizeOf(part), 1)
  if (node.kind === 'capture') return 1 + sizeOf(node.node)
  if (node.kind !== 'repeat') return 1
  return 1 + sizeOf(node.node) * Math.max(1, node.max === Infinity ? node.min : node.max)
}
