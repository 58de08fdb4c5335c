import type { LineMatcher, Span } from '../regex/compile.ts'
import { matchText } from '../text/match-text.ts'
import { shownText } from '../text/printable.ts'

/** Characters of a line that an answer holds. */
const TEXT_CAP = 2_000
/** Characters kept before the first span of a longer line. */
const LEAD = 500
/** Spans of a pattern that a line shows. */
const SPAN_CAP = 100

/** One matching line of a block. `text` is capped; `before` and `after` reach to the block's ends at most. */
export interface MatchedLine {
  readonly line: number
  readonly patterns: readonly number[]
  readonly text: string
  /** Where `text` starts in the line, where that is not its start. */
  readonly start?: number
  readonly spans: readonly { readonly from: number; readonly to: number; readonly pattern: number }[]
  readonly before: readonly string[]
  readonly after: readonly string[]
}

export interface VerifyOptions {
  readonly context: number
  /** Lines up to this one are left out. */
  readonly afterLine: number
  /** Lines from this one on are left out; none where absent. */
  readonly beforeLine?: number
  /** Matching lines given; those beyond are counted in `more`. */
  readonly maxLines: number
  /** Give the last of them, not the first. */
  readonly fromEnd?: boolean
}

/** The lines of one block that match any of the matchers and none of `excludes`, in order. `firstLine` is 1-based. */
export function verifyBlock(
  bytes: Uint8Array,
  block: { readonly firstLine: number; readonly ascii: boolean },
  matchers: readonly LineMatcher[],
  excludes: readonly LineMatcher[],
  options: VerifyOptions,
): { readonly lines: MatchedLine[]; readonly more: number } {
  const text = matchText(bytes, block.ascii)
  const found = new Map<number, number[]>()
  for (const [pattern, indexes] of matchingLines(text, block.ascii, matchers, excludes).entries()) {
    for (const index of indexes) {
      const patterns = found.get(index)
      if (patterns) patterns.push(pattern)
      else found.set(index, [pattern])
    }
  }
  const { afterLine, beforeLine = Number.POSITIVE_INFINITY, maxLines, fromEnd = false } = options
  const isWanted = (line: number) => line > afterLine && line < beforeLine
  const indices = [...found.keys()].filter((index) => isWanted(block.firstLine + index))
  if (indices.length === 0) return { lines: [], more: 0 }
  if (matchers.length > 1) indices.sort((a, b) => a - b)
  const lines = text.split('\n')
  const given = fromEnd ? indices.slice(-maxLines) : indices.slice(0, maxLines)
  return {
    more: indices.length - given.length,
    lines: given.map((index) => ({
      line: block.firstLine + index,
      ...present(lines[index] ?? '', found.get(index) ?? [], matchers),
      before: lines.slice(Math.max(0, index - options.context), index).map(capLine),
      after: lines.slice(index + 1, index + 1 + options.context).map(capLine),
    })),
  }
}

/** How many lines of one block match each of the matchers, and how many match any; those that `excludes` match apart. */
export function countBlock(
  bytes: Uint8Array,
  { ascii }: { readonly ascii: boolean },
  matchers: readonly LineMatcher[],
  excludes: readonly LineMatcher[],
): { readonly counts: number[]; readonly any: number } {
  const text = matchText(bytes, ascii)
  const found = matchingLines(text, ascii, matchers, excludes)
  const counts = found.map((lines) => lines.length)
  return { counts, any: found.length === 1 ? (counts[0] ?? 0) : new Set(found.flat()).size }
}

/** By matcher, the indexes of its lines that none of `excludes` matches: these run only where there is something to leave out. */
export function matchingLines(
  text: string,
  ascii: boolean,
  matchers: readonly LineMatcher[],
  excludes: readonly LineMatcher[],
): number[][] {
  const found = matchers.map((matcher) => matcher.matchingLines(text, ascii))
  if (excludes.length === 0 || found.every((lines) => lines.length === 0)) return found
  const excluded = new Set(excludes.flatMap((matcher) => matcher.matchingLines(text, ascii)))
  return found.map((lines) => lines.filter((line) => !excluded.has(line)))
}

/** The first characters of a line as they may be shown, never half a surrogate pair. */
export function capLine(line: string): string {
  return shownText(line.length > TEXT_CAP ? line.slice(0, wholeFrom(line, TEXT_CAP)) : line)
}

function present(line: string, patterns: readonly number[], matchers: readonly LineMatcher[]) {
  const spans = patterns
    .flatMap((pattern) => firstSpans(matchers[pattern]?.spans(line) ?? []).map((span) => ({ ...span, pattern })))
    .sort((a, b) => a.from - b.from || a.pattern - b.pattern)
  const first = spans[0]?.from ?? 0
  const start =
    line.length > TEXT_CAP ? wholeFrom(line, Math.min(Math.max(0, first - LEAD), line.length - TEXT_CAP)) : 0
  const end = wholeFrom(line, Math.min(line.length, start + TEXT_CAP))
  return {
    patterns,
    text: shownText(line.slice(start, end)),
    ...(start > 0 ? { start } : {}),
    spans: spans
      .filter((span) => span.from <= end && span.to >= start)
      .map((span) => ({ ...span, from: Math.max(span.from, start) - start, to: Math.min(span.to, end) - start })),
  }
}

/** Those that the shown text can hold, which starts before the first: all matches of a long line may take quadratic time. */
function firstSpans(spans: Iterable<Span>): Span[] {
  const first: Span[] = []
  for (const span of spans) {
    if (span.from > (first[0]?.from ?? span.from) + TEXT_CAP) break
    first.push(span)
    if (first.length === SPAN_CAP) break
  }
  return first
}

/** `at`, or one less where it would cut a surrogate pair. */
export function wholeFrom(line: string, at: number): number {
  const unit = line.charCodeAt(at)
  return at > 0 && at < line.length && unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at
}
