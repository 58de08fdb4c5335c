import type { SearchQuery } from './query.ts'

/** Which runs an answer to several patterns is of: those that hold a line of any, of all, or of the first and of no other. */
export const MEETS = ['any', 'all', 'without'] as const
export type Meet = (typeof MEETS)[number]

/** What decides: of one pattern by itself all three are the same. */
export function meetOf({ patterns, meet }: Pick<SearchQuery, 'patterns' | 'meet'>): Meet {
  return (patterns.length > 1 && meet) || 'any'
}

/** Whether a run belongs to the answer, of which each pattern has so many lines. */
export function meets(meet: Meet, lines: readonly number[]): boolean {
  const [first = 0, ...others] = lines
  if (meet === 'all') return lines.every((count) => count > 0)
  if (meet === 'without') return first > 0 && others.every((count) => count === 0)
  return lines.some((count) => count > 0)
}

/** The patterns whose lines are shown: their places in the query don't change. */
export function shownPatterns(query: Pick<SearchQuery, 'patterns' | 'meet'>): readonly string[] {
  return meetOf(query) === 'without' ? query.patterns.slice(0, 1) : query.patterns
}

/** `a or b`, `a and b`, `a without b or c`: what of several patterns is asked. */
export function patternWords(query: Pick<SearchQuery, 'patterns' | 'meet'>): string {
  const [first = '', ...others] = query.patterns
  const meet = meetOf(query)
  if (meet === 'without') return `${first} without ${others.join(' or ')}`
  return query.patterns.join(meet === 'all' ? ' and ' : ' or ')
}
