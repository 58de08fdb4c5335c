import { meetOf } from '#lib/search/meet.ts'
import type { SearchQuery } from '#lib/search/query.ts'
import type { SearchView } from '#lib/service/views.ts'
import { literally } from './wholly.ts'

export interface Looser {
  readonly words: string
  readonly query: SearchQuery
}

const YEAR = { lastMs: 365 * 86_400_000 }

/** Searches that may find something where this one found nothing: each without one of the filters, or with a plainer pattern. */
export function looserQueries({ query, widened }: Pick<SearchView, 'query' | 'widened'>): Looser[] {
  const { job, excludeJob, results, kinds, excludes, meet, ...rest } = query
  const filters = { job, excludeJob, results, kinds, excludes, meet }
  const without = (name: keyof typeof filters, words: string): Looser[] =>
    filters[name] === undefined ? [] : [{ words, query: { ...rest, ...given({ ...filters, [name]: undefined }) } }]
  const short = widened === undefined && (!('lastMs' in query.range) || query.range.lastMs < YEAR.lastMs)
  return [
    ...(meetOf(query) === 'any' ? [] : without('meet', 'Show runs with any of the patterns')),
    ...without('excludes', 'Leave no line out'),
    ...(short ? [{ words: 'Search the last year', query: { ...query, range: YEAR } }] : []),
    ...without('job', 'Search all jobs'),
    ...without('excludeJob', 'Leave no job out'),
    ...without('results', 'Search runs of any result'),
    ...without('kinds', 'Search all logs'),
    ...plainer(query, 'Take every character as it stands', literally),
    ...plainer(query, 'Ignore case', (pattern) => (/\p{Lu}/u.test(pattern) ? `(?i)${pattern}` : pattern)),
  ]
}

function plainer(query: SearchQuery, words: string, change: (pattern: string) => string): Looser[] {
  const patterns = query.patterns.map(change)
  return patterns.every((pattern, at) => pattern === query.patterns[at])
    ? []
    : [{ words, query: { ...query, patterns } }]
}

function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}
