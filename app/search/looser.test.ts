import { expect, test } from 'vitest'
import { formatQuery, parseQuery } from '#lib/search/query.ts'
import { looserQueries } from './looser.ts'

const looser = (text: string, widened?: string) =>
  looserQueries({ query: parseQuery(new URLSearchParams(text)).query, ...(widened ? { widened } : {}) }).map(
    ({ words, query }) => [words, decodeURIComponent(formatQuery(query).toString())],
  )

test.each([
  ['search=plain', [['Search the last year', 'search=plain&maxAge=365d']]],
  ['search=plain&maxAge=365d', []],
  ['search=a&search=b&meet=all&maxAge=365d', [['Show runs with any of the patterns', 'search=a&search=b&maxAge=365d']]],
  [
    'search=a&exclude=b&name=aws&maxAge=365d',
    [
      ['Leave no line out', 'search=a&name=aws&maxAge=365d'],
      ['Search all jobs', 'search=a&exclude=b&maxAge=365d'],
    ],
  ],
  [
    'search=EOF(x&maxAge=365d',
    [
      ['Take every character as it stands', 'search=EOF\\(x&maxAge=365d'],
      ['Ignore case', 'search=(?i)EOF(x&maxAge=365d'],
    ],
  ],
])('%s', (text, expected) => {
  expect(looser(text)).toEqual(expected)
})

test('what has searched everything is not told to search longer', () => {
  expect(looser('search=plain', 'all was searched')).toEqual([])
})
