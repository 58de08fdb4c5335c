import { RE2JS } from 're2js'
import { ProwlError } from '../errors.ts'

/** Offsets in UTF-16 units, `to` exclusive. */
export interface Span {
  readonly from: number
  readonly to: number
}

export interface Match extends Span {
  /** Named groups that took part in the match. */
  readonly groups: Readonly<Record<string, string>>
}

export interface LineMatcher {
  readonly pattern: string
  /** Smart case made the whole pattern ignore case. */
  readonly foldsCase: boolean
  /** 0-based indexes, ascending, of the lines of a match text that match. */
  matchingLines(text: string, ascii: boolean): number[]
  test(line: string): boolean
  find(line: string): Match | undefined
  spans(line: string): Span[]
}

export function compile(pattern: string, options: { smartCase?: boolean } = {}): LineMatcher {
  const foldsCase = options.smartCase === true && !/\p{Lu}/u.test(pattern.replace(/\\[^x]/g, ''))
  let re: RE2JS
  try {
    re = RE2JS.compile(pattern, foldsCase ? RE2JS.CASE_INSENSITIVE : 0)
  } catch (cause) {
    throw new ProwlError('REGEX_SYNTAX', cause instanceof Error ? cause.message : String(cause), { cause, position: 0 })
  }
  return {
    pattern,
    foldsCase,
    matchingLines: (text) => text.split('\n').flatMap((line, index) => (re.test(line) ? [index] : [])),
    test: (line) => re.test(line),
    find: (line) => find(re, line),
    spans: (line) => spans(re, line),
  }
}

function find(re: RE2JS, line: string): Match | undefined {
  const matcher = re.matcher(line)
  if (!matcher.find()) return undefined
  const groups: Record<string, string> = {}
  for (const [name, value] of Object.entries(matcher.getNamedGroups())) if (value !== null) groups[name] = value
  return { from: matcher.start(), to: matcher.end(), groups }
}

function spans(re: RE2JS, line: string): Span[] {
  const matcher = re.matcher(line)
  const found: Span[] = []
  while (matcher.find()) found.push({ from: matcher.start(), to: matcher.end() })
  return found
}
