import type { ReactNode } from 'react'
import { MEETS, type Meet, meetOf } from '#lib/search/meet.ts'
import { formatQuery, type SearchQuery } from '#lib/search/query.ts'
import type { SearchView } from '#lib/service/views.ts'
import { count, counted } from '../_ui/format.ts'
import { Link } from '../_ui/link.tsx'
import { PatternChip } from './marked-line.tsx'

const WAYS: Readonly<Record<Meet, string>> = { any: 'any', all: 'all', without: '1 without the others' }

/** Of several patterns each by itself in its colour, and how many runs each way of meeting leaves, a link to it. */
export function Patterns({ found, query }: { found: SearchView['found']; query: SearchQuery }): ReactNode {
  const { patterns, meeting } = found
  return (
    <div className="mt-2 text-soft">
      <ul aria-label="Patterns">
        {patterns.map(({ pattern, runs, failedRuns }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: patterns have no other identity, and may be equal
          <li key={at}>
            <PatternChip pattern={at} /> <code className="break-all">{pattern}</code> {counted(runs, 'run')},{' '}
            {count(failedRuns)} failed
          </li>
        ))}
      </ul>
      {meeting && (
        <p>
          Runs that hold{' '}
          {MEETS.map((meet, i) => (
            <span key={meet}>
              {i > 0 && ' · '}
              <Link href={hrefOf(query, meet)} current={meet === meetOf(query) ? 'true' : undefined}>
                {WAYS[meet]}
              </Link>{' '}
              {count(meeting[meet].runs)}
            </span>
          ))}
        </p>
      )}
    </div>
  )
}

/** What the head's counts are of, where patterns must meet. */
export function meetingWords(query: SearchQuery): string {
  return { any: '', all: ' in which all patterns match', without: ' with the first pattern and none of the others' }[
    meetOf(query)
  ]
}

function hrefOf({ meet: _, ...query }: SearchQuery, meet: Meet): string {
  return `/search?${formatQuery({ ...query, ...(meet === 'any' ? {} : { meet }) })}`
}
