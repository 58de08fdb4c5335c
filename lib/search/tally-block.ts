import type { LineMatcher } from '../regex/compile.ts'
import { matchText } from '../text/match-text.ts'
import { shownText } from '../text/printable.ts'
import { NO_GROUP } from './tally-groups.ts'
import { matchingLines, wholeFrom } from './verify.ts'

/** UTF-16 units of a value that are told apart. */
const VALUE_CAP = 200
/** Matches of a pattern that a line tells, as of those that it shows. */
const MATCHES_CAP = 100

export interface BlockTally {
  /** Lines with a value. */
  readonly lines: number
  /** Each value, and how many lines hold it. */
  readonly values: readonly (readonly [value: string, lines: number])[]
}

/** What the group of each matcher caught in the lines of one block; a value of a line counts once. */
export function tallyBlock(
  bytes: Uint8Array,
  { ascii }: { readonly ascii: boolean },
  matchers: readonly LineMatcher[],
  excludes: readonly LineMatcher[],
  groups: readonly number[],
): BlockTally {
  const text = matchText(bytes, ascii)
  const caught = new Map<number, Set<string>>()
  let lines: readonly string[] | undefined
  for (const [at, indexes] of matchingLines(text, ascii, matchers, excludes).entries()) {
    const [matcher, group = NO_GROUP] = [matchers[at], groups[at]]
    if (!matcher || group === NO_GROUP) continue
    for (const index of indexes) {
      lines ??= text.split('\n')
      const values = caught.get(index) ?? new Set()
      for (const value of valuesOf(matcher, lines[index] ?? '', group)) values.add(value)
      if (values.size > 0) caught.set(index, values)
    }
  }
  const counts = new Map<string, number>()
  for (const values of caught.values()) for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return { lines: caught.size, values: [...counts] }
}

function* valuesOf(matcher: LineMatcher, line: string, group: number): Iterable<string> {
  let matches = 0
  for (const value of matcher.captured(line, group)) {
    yield shownText(value.length > VALUE_CAP ? `${value.slice(0, wholeFrom(value, VALUE_CAP))}…` : value)
    if (++matches === MATCHES_CAP) return
  }
}
