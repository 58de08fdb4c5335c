import type { ReactNode } from 'react'
import { shareRead } from '#lib/regex/explain.ts'
import { formatQuery, type SearchQuery } from '#lib/search/query.ts'
import type { SearchGroup, SearchView } from '#lib/service/views.ts'
import { share } from '#lib/triage/share.ts'
import { CopyButton } from '../_ui/copy-button.client.tsx'
import { bytes, count, counted, day, moment } from '../_ui/format.ts'
import { FreezeButton } from '../_ui/freeze-button.tsx'
import { Link } from '../_ui/link.tsx'
import { shareText } from '../_ui/share.ts'
import { GroupHead } from './group-head.tsx'
import { MatchHistogram } from './histogram.tsx'
import { HitRuns } from './hit-runs.tsx'
import { InPlace } from './in-place.client.tsx'
import { looserQueries } from './looser.ts'
import { meetingWords, Patterns } from './patterns.tsx'

export function Answer({ view, now }: { view: SearchView; now: number }): ReactNode {
  const { found, groups, next, query, others = [] } = view
  if (found.lines === 0) return <NothingFound view={view} />
  return (
    <>
      <Summary view={view} />
      {groups.map((group) => (
        <Group key={group.key} group={group} query={query} now={now} />
      ))}
      {others.length > 0 && (
        <section className="mt-6">
          <h2 className="text-soft">Jobs that match further down</h2>
          {others.map(({ key, impact }) => (
            <GroupHead key={key} group={{ key, impact, hits: [] }} query={query} level="h3" />
          ))}
        </section>
      )}
      {next && (
        <div className="mt-6">
          <InPlace key={next} href={`/search?${next}`} from={`/search?${next}`} auto className="button">
            Next lines
          </InPlace>
        </div>
      )}
    </>
  )
}

function Summary({ view }: { view: SearchView }): ReactNode {
  const { found, of } = view
  const least = found.countedFrom === undefined ? '' : 'at least '
  const pulls = found.pulls > 0 ? `, ${counted(found.pulls, 'PR')}` : ''
  return (
    <>
      <h1 className="text-lead">
        {least}
        {counted(found.runs, 'run')} of {counted(found.jobs, 'job')}
        {pulls}
        {meetingWords(view.query)}
      </h1>
      <p className="text-soft">
        {least}
        {shareOf(found.runs, of.runs)} of {counted(of.runs, 'run')}, {shareOf(found.failedRuns, of.failed)} of{' '}
        {counted(of.failed, 'failure')}; {counted(found.lines, 'line')} shown{' '}
        <span className="text-faint">· {searchedWords(view)}</span>
      </p>
      <p className="text-small text-faint">{view.headline}</p>
      <Keep view={view} />
      {found.patterns.length > 1 && <Patterns found={found} query={view.query} />}
      {view.histogram && <MatchHistogram histogram={view.histogram} query={view.query} />}
      <Reach view={view} />
      <Explained view={view} />
      <Asides view={view} />
    </>
  )
}

/** A share with its 95% interval where few runs carry it. The range's whole days are its whole. */
function shareOf(part: number, whole: number): string {
  return shareText(share(Math.min(part, whole), whole))
}

function Keep({ view: { query, permanent } }: { view: SearchView }): ReactNode {
  return (
    <div className="my-2 flex flex-wrap items-center gap-x-3">
      <FreezeButton what="query" value={formatQuery(query).toString()} />
      <Link href={`/search?${permanent}`} permanent>
        link with absolute times
      </Link>
      <CopyButton address={`/search?${permanent}`} word="copy it" />
      <Link href={`/search?${formatQuery({ ...query, tally: { by: 'run' } })}`}>tally what matches</Link>
    </div>
  )
}

/** How old the answer may be. */
function Reach({ view: { reach } }: { view: SearchView }): ReactNode {
  if (!reach) return null
  return (
    <>
      <p className="text-small text-faint">{sentence(reach.words)}</p>
      {reach.warnings.map((warning) => (
        <p key={warning} className="text-warn">
          ▲ {sentence(warning)}
        </p>
      ))}
    </>
  )
}

/** How the patterns narrowed what was read. */
function Explained({ view: { explained, searched } }: { view: SearchView }): ReactNode {
  const { blocks, pruned } = searched
  return (
    <details className="mt-1 max-w-4xl">
      <summary className="text-small text-faint">How this was searched</summary>
      {explained.map(({ pattern, sentences, plan }) => (
        <div key={pattern} className="mt-1">
          <code className="break-all">{pattern}</code>
          {sentences.map((sentence) => (
            <p key={sentence} className="text-soft">
              {sentence}
            </p>
          ))}
          <p className="text-small text-faint">
            plan <code className="break-all">{plan}</code>
          </p>
        </div>
      ))}
      <p className="text-soft">{shareRead({ blocks: blocks + pruned, read: blocks })}</p>
    </details>
  )
}

/** How the answer differs from what was asked for. */
function Asides({ view: { cut, widened, found } }: { view: SearchView }): ReactNode {
  return (
    <>
      {found.countedFrom !== undefined && (
        <p className="text-soft">Counting took too long: runs are counted back to {moment(found.countedFrom)} only.</p>
      )}
      {widened && <p className="text-soft">{sentence(widened)}</p>}
      {cut && <p className="text-warn">▲ {cut}</p>}
    </>
  )
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
}

function searchedWords({ searched, range }: SearchView): string {
  const { blocks, pruned, ms } = searched
  const read = `${count(blocks)} of ${counted(blocks + pruned, 'block')} read, ${bytes(searched.bytes)}`
  return `${read}, ${day(range.from)} to ${day(range.to)}, in ${count(ms)} ms`
}

function Group({ group, query, now }: { group: SearchGroup; query: SearchQuery; now: number }): ReactNode {
  return (
    <section className="mt-6" data-lines="">
      {group.key && <GroupHead group={group} query={query} />}
      <HitRuns hits={group.hits} now={now} withJob={query.groupBy !== 'job'} query={query} />
    </section>
  )
}

/** What was searched, and the filters that could be hiding something, each a link without it. */
function NothingFound({ view }: { view: SearchView }): ReactNode {
  const { searched, found } = view
  const looser = looserQueries(view)
  return (
    <div className="max-w-[75ch]">
      <h1 className="text-lead">No line matches</h1>
      <p className="text-soft">
        {searched.blocks + searched.pruned + searched.leftOut === 0
          ? 'No log lies within these filters.'
          : sentence(searchedWords(view))}
      </p>
      <Reach view={view} />
      <Asides view={view} />
      {found.patterns.length > 1 && <Patterns found={found} query={view.query} />}
      <Keep view={view} />
      {looser.length > 0 && (
        <ul className="mt-3 space-y-1">
          {looser.map(({ words, query: other }) => (
            <li key={words}>
              <Link href={`/search?${formatQuery(other)}`}>{words}</Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
