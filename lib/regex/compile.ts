import { RE2JS } from 're2js'
import { ProwlError } from '../errors.ts'
import { parse } from './parse.ts'
import { printJavaScript } from './print.ts'
import { printRe2 } from './print-re2.ts'
import { ignoresCase } from './smart-case.ts'
import { hasNoWordBoundary, isNever, type Node } from './tree.ts'
import { verdictTree } from './verdict.ts'

/** Offsets in UTF-16 units, `to` exclusive. */
export interface Span {
  readonly from: number
  readonly to: number
}

export interface Match extends Span {
  /** Named groups that took part in the match. */
  readonly groups: Readonly<Record<string, string>>
}

/**
 * A pattern, ready to be matched against lines. V8 decides which lines match, and may take exponential time over it:
 * foreign patterns belong in a worker with a deadline. Spans and groups come from re2js, in linear time.
 *
 * A line over 64 KiB reaches this as windows, each a text of its own: a match longer than their overlap can be missed,
 * and `^`, `$` and `\b` hold at a window's edges.
 */
export interface LineMatcher {
  readonly pattern: string
  /** Smart case made the whole pattern ignore case. */
  readonly foldsCase: boolean
  /** 0-based indexes, ascending, of the matching lines of a match text (lib/text); `ascii` as its block says. */
  matchingLines(text: string, ascii: boolean): number[]
  /** Whether one line matches; a line end within it counts as a space, as in match text. */
  test(line: string): boolean
  /** The leftmost-first match. */
  find(line: string): Match | undefined
  /**
   * All matches, from left to right, without overlap; empty ones included. Found as they are asked for, since each may
   * take a scan to the line's end.
   */
  spans(line: string): Iterable<Span>
}

/** Compiles RE2 syntax. Throws REGEX_SYNTAX, REGEX_UNSUPPORTED or REGEX_TOO_LARGE, with the position. */
export function compile(pattern: string, options: { smartCase?: boolean } = {}): LineMatcher {
  const parsed = parse(pattern)
  const foldsCase = options.smartCase === true && ignoresCase(parsed.literals)
  const { tree } = foldsCase ? parse(pattern, { foldCase: true }) : parsed
  const asciiLines = linesOf(verdictTree(tree, true), true)
  const fullLines = linesOf(verdictTree(tree, false), false)
  const re2 = guarded(() => RE2JS.compile(printRe2(tree)))
  return {
    pattern,
    foldsCase,
    matchingLines: (text, ascii) => (ascii ? asciiLines : fullLines)(text),
    test: (line) => fullLines(asMatchText(line)).length > 0,
    find: (line) => find(re2, asMatchText(line)),
    spans: (line) => spans(re2, asMatchText(line)),
  }
}

type Lines = (text: string) => number[]

function linesOf(verdict: Node, ascii: boolean): Lines {
  if (isNever(verdict)) return () => []
  if (verdict.kind === 'empty') return everyLine
  const regex = guarded(() => {
    const compiled = new RegExp(printJavaScript(verdict, ascii), 'gm')
    // V8 finds a program too large only when it first runs, and compiles anew for two-byte text.
    compiled.test('')
    compiled.test('\u0100')
    return compiled
  })
  const splitsPairs = !ascii && hasNoWordBoundary(verdict)
  return (text) => matchLines(regex, text, splitsPairs)
}

function everyLine(text: string): number[] {
  const lines = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines.push(lines.length)
  return lines
}

/** One pass over the text: after a match the regex goes on at the next line. */
function matchLines(regex: RegExp, text: string, splitsPairs: boolean): number[] {
  const lines: number[] = []
  let line = 0
  let lineEnd = text.indexOf('\n')
  regex.lastIndex = 0
  while (regex.test(text)) {
    // A match lies within one line, so where it ends is in that line, or is its end.
    const matchEnd = regex.lastIndex
    if (splitsPairs && isInsidePair(text, matchEnd)) {
      regex.lastIndex = matchEnd + 1
      continue
    }
    while (lineEnd >= 0 && lineEnd < matchEnd) {
      line++
      lineEnd = text.indexOf('\n', lineEnd + 1)
    }
    lines.push(line)
    if (lineEnd < 0) break
    regex.lastIndex = lineEnd + 1
    line++
    lineEnd = text.indexOf('\n', lineEnd + 1)
  }
  return lines
}

function isInsidePair(text: string, at: number): boolean {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is one of what match text replaces
const NOT_IN_MATCH_TEXT = /[\n\r\u0000\u2028\u2029]/g

/** Of the same length, so spans hold in the line given. */
function asMatchText(line: string): string {
  return line.replace(NOT_IN_MATCH_TEXT, ' ').toWellFormed()
}

function guarded<T>(compileWith: () => T): T {
  try {
    return compileWith()
  } catch (cause) {
    throw new ProwlError('REGEX_TOO_LARGE', 'expression too large: search for a part of it', { cause, position: 0 })
  }
}

function find(re: RE2JS, line: string): Match | undefined {
  const matcher = re.matcher(line)
  if (!matcher.find()) return undefined
  const groups: Record<string, string> = {}
  for (const [name, value] of Object.entries(matcher.getNamedGroups())) if (value !== null) groups[name] = value
  return { from: matcher.start(), to: matcher.end(), groups }
}

function* spans(re: RE2JS, line: string): Iterable<Span> {
  const matcher = re.matcher(line)
  while (matcher.find()) yield { from: matcher.start(), to: matcher.end() }
}
