import { Fragment, type ReactNode } from 'react'
import type { News, NewsKind, Struck } from '#lib/triage/news.ts'
import { kindWords, type NewsPart, newsParts, sinceWords, strikeWords } from '#lib/triage/news-words.ts'
import { age, count, counted, moment } from './format.ts'
import { Link } from './link.tsx'
import { groupLink, incidentLink, signatureLink } from './signature-link.ts'
import { Time } from './time.tsx'

/** Of each kind; the line counts them all. */
const LISTED = 8
const COLOURS: Readonly<Record<NewsKind, string>> = {
  new: 'text-alert',
  again: 'text-warn',
  'under way': 'text-alert',
}

/** What came since the reader last looked: the counts in a line, each a link, and what they are of. */
export function TriageNews({ news, now }: { news: News; now: number }): ReactNode {
  const parts = newsParts(news)
  return (
    <>
      <p className="mt-1 text-soft" id="news">
        Since{' '}
        <time dateTime={new Date(news.since).toISOString()} title={`${moment(news.since)} UTC`}>
          {sinceWords(news.since, now)}
        </time>
        :{' '}
        {parts.length === 0
          ? 'nothing new'
          : parts.map((part, i) => (
              <Fragment key={part.kind}>
                {i > 0 && ' · '}
                <Link href={hrefOf(part)} className="link">
                  {part.words}
                </Link>
              </Fragment>
            ))}
      </p>
      {parts.map((part) => (
        <PartList key={part.kind} part={part} now={now} />
      ))}
    </>
  )
}

/** To what it is of where that is one thing, to the list of them otherwise. */
function hrefOf({ kind, struck, groups }: NewsPart): string {
  const [only, ...more] = [
    ...struck.map(({ incident }) => incidentLink(incident.id)),
    ...groups.map(({ id }) => groupLink(id)),
  ]
  return only !== undefined && more.length === 0 ? only : `#${listId(kind)}`
}

function listId(kind: NewsKind): string {
  return `news-${kind.replace(' ', '-')}`
}

function PartList({ part: { kind, struck, groups }, now }: { part: NewsPart; now: number }): ReactNode {
  const more = struck.length + groups.length - LISTED
  return (
    <ul id={listId(kind)} className="mt-1 space-y-0.5">
      {struck.slice(0, LISTED).map((each) => (
        <StruckItem key={each.incident.id} struck={each} now={now} />
      ))}
      {groups.slice(0, Math.max(0, LISTED - struck.length)).map(({ id, text, runs }) => (
        <li key={id} className="flex min-w-0 flex-wrap items-baseline gap-x-3 sm:flex-nowrap">
          <Mark kind="new">new, unknown</Mark>
          <Link href={groupLink(id)} className="min-w-0 truncate font-mono text-small text-ink hover:text-accent">
            {text}
          </Link>
          <span className="text-faint whitespace-nowrap">{counted(runs, 'run')}</span>
        </li>
      ))}
      {more > 0 && <li className="text-faint">and {count(more)} more</li>}
    </ul>
  )
}

function StruckItem({ struck, now }: { struck: Struck; now: number }): ReactNode {
  const { signature, incident, kind } = struck
  return (
    <li className="flex flex-wrap items-baseline gap-x-3">
      <Mark kind={kind}>{kindWords(struck)}</Mark>
      <Link href={signatureLink(signature.id)} className="text-ink hover:text-accent">
        {signature.title}
      </Link>
      <Link href={incidentLink(incident.id)} className="link">
        <Time at={incident.at} />
      </Link>
      <span className="text-faint">
        {age(incident.at, now)}, {strikeWords(struck)}
      </span>
    </li>
  )
}

function Mark({ kind, children }: { kind: NewsKind; children: ReactNode }): ReactNode {
  return (
    <span className={`whitespace-nowrap ${COLOURS[kind]}`}>
      <span aria-hidden="true">● </span>
      {children}
    </span>
  )
}
