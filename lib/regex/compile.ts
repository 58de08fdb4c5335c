import { RE2JS } from 're2js'
import { ProwlError } from '../errors.ts'
import { parse } from './parse.ts'
import { printJavaScript } from './print.ts'
import { printRe2 } from './print-re2.ts'
import { ignoresCase } from './smart-case.ts'
import { isRare, stagesOf } from './stages.ts'
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
  /** What a group (0: the whole) caught in each of these matches; those in which it took no part are left out. */
  captured(line: string, group: number): Iterable<string>
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
    captured: (line, group) => captured(re2, line, group),
  }
}

/** UTF-16 units. */
const LONG = 512

type Lines = (text: string) => number[]

function linesOf(verdict: Node, ascii: boolean): Lines {
  if (isNever(verdict)) return () => []
  if (verdict.kind === 'empty') return everyLine
  const stages = stagesOf(verdict, ascii)
  const splitsPairs = !ascii && hasNoWordBoundary(verdict)
  const whole = programOf(verdict, ascii)
  const inOne: Lines = (text) => matchLines(text, (from) => findOne(whole, text, from, splitsPairs))
  if (stages.length === 1) return inOne
  const programs = stages.map((stage) => programOf(stage, ascii))
  const inStages: Lines = (text) => matchLines(text, (from) => findStages(programs, text, from))
  // One call a line is up to three times as quick as two, unless lines are long or often hold the first stage.
  return isRare(stages) ? (text) => (hasLongLine(text) ? inStages : inOne)(text) : inStages
}

function programOf(stage: Node, ascii: boolean): RegExp {
  return guarded(() => {
    const compiled = new RegExp(printJavaScript(stage, ascii), 'gm')
    // V8 finds a program too large only when it first runs, and compiles anew for two-byte text.
    compiled.test('')
    compiled.test('\u0100')
    return compiled
  })
}

function everyLine(text: string): number[] {
  const lines = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines.push(lines.length)
  return lines
}

/** `find` gives a position in the next line that matches, from a line's start on, or -1. */
function matchLines(text: string, find: (from: number) => number): number[] {
  const lines: number[] = []
  let line = 0
  let lineEnd = text.indexOf('\n')
  let from = 0
  for (let at = find(from); at >= 0; at = find(from)) {
    while (lineEnd >= 0 && lineEnd < at) {
      line++
      lineEnd = text.indexOf('\n', lineEnd + 1)
    }
    lines.push(line)
    if (lineEnd < 0) break
    from = lineEnd + 1
    line++
    lineEnd = text.indexOf('\n', lineEnd + 1)
  }
  return lines
}

/** Where the next match ends: a match lies within one line, so that is in its line, or is the line's end. */
function findOne(regex: RegExp, text: string, from: number, splitsPairs: boolean): number {
  regex.lastIndex = from
  while (regex.test(text)) {
    if (!splitsPairs || !isInsidePair(text, regex.lastIndex)) return regex.lastIndex
    regex.lastIndex++
  }
  return -1
}

/** Where the last stage ends in the next line that holds all of them. Each is sought past a line that lacks it. */
function findStages(stages: readonly RegExp[], text: string, from: number): number {
  let at = from
  let lineEnd = -1
  for (let stage = 0; stage < stages.length; ) {
    const found = findOne(stages[stage] as RegExp, text, at, false)
    if (found < 0) return -1
    if (stage > 0 && found > lineEnd) {
      at = text.lastIndexOf('\n', found - 1) + 1
      stage = 0
      continue
    }
    if (stage === 0) lineEnd = endOfLine(text, found)
    at = found
    stage++
  }
  return at
}

/** Whether a line is certainly long: one of twice LONG holds a whole window of it. */
function hasLongLine(text: string): boolean {
  for (let at = 0; at + LONG <= text.length; at += LONG) if (endOfLine(text, at) >= at + LONG) return true
  return false
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
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

function* captured(re: RE2JS, line: string, group: number): Iterable<string> {
  const matcher = re.matcher(asMatchText(line))
  while (matcher.find()) {
    const from = matcher.start(group)
    if (from >= 0) yield line.slice(from, matcher.end(group))
  }
}
