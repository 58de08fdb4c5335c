import type { ReactNode } from 'react'
import { formatQuery, type SearchQuery } from '#lib/search/query.ts'
import type { SearchHitView } from '#lib/service/views.ts'
import { CopyButton } from '../_ui/copy-button.client.tsx'
import { ageInFull, counted } from '../_ui/format.ts'
import { Link } from '../_ui/link.tsx'
import { PlaceLinks } from '../_ui/place-links.tsx'
import { pullName } from '../_ui/pull-name.ts'
import { Result } from '../_ui/result.tsx'
import { Time } from '../_ui/time.tsx'
import { InPlace } from './in-place.client.tsx'
import { MarkedLine, PatternChip } from './marked-line.tsx'
import { wholly } from './wholly.ts'

/** Hits under the run that they are of, in their order. */
export function HitRuns({
  hits,
  now,
  withJob,
  query,
}: {
  hits: readonly SearchHitView[]
  now: number
  withJob: boolean
  query: SearchQuery
}): ReactNode {
  const runs = Map.groupBy(hits, ({ hit }) => `${hit.bucket}/${hit.path}`)
  return (
    <ol>
      {[...runs].map(([key, own]) => (
        <li key={key} className="border-b border-line py-2 last:border-0">
          {own[0] && <RunLine view={own[0]} now={now} withJob={withJob} />}
          {own.map((one) => (
            <Hit key={`${one.hit.log} ${one.hit.line}`} view={one} query={query} />
          ))}
        </li>
      ))}
    </ol>
  )
}

function RunLine({
  view: { hit, links },
  now,
  withJob,
}: {
  view: SearchHitView
  now: number
  withJob: boolean
}): ReactNode {
  return (
    <div className="flex flex-wrap items-baseline gap-x-3">
      <Result result={hit.result} />
      <Time at={hit.time} /> <span className="text-faint">{ageInFull(hit.time, now)}</span>
      {withJob && (
        <Link href={`/jobs/${encodeURIComponent(hit.job)}`} className="break-all hover:text-accent">
          {hit.job}
        </Link>
      )}
      {links.spyglass ? (
        <a href={links.spyglass} rel="noreferrer" className="link">
          #{hit.buildId}
        </a>
      ) : (
        <span className="text-faint">#{hit.buildId}</span>
      )}
      {hit.refs && hit.refs.pulls.length > 0 && (
        <span className="text-soft">
          {links.pull ? (
            <a href={links.pull} rel="noreferrer" className="link">
              {pullName(hit.refs)}
            </a>
          ) : (
            pullName(hit.refs)
          )}
        </span>
      )}
    </div>
  )
}

function Hit({ view: { hit, links }, query }: { view: SearchHitView; query: SearchQuery }): ReactNode {
  const { before, after, log, line, more, runFull, cut } = hit
  return (
    <div className="mt-1.5" data-log={log}>
      <div className="flex flex-wrap items-baseline gap-x-3 text-small">
        <Link href={links.prowl} className="link font-mono break-all" row>
          {log}:{line}
        </Link>
        {query.patterns.length > 1 && (
          <span className="inline-flex gap-1">
            {hit.patterns.map((pattern) => (
              <PatternChip key={pattern} pattern={pattern} />
            ))}
          </span>
        )}
        <PlaceLinks links={links} />
        <CopyButton address={links.prowl} word="copy link" />
      </div>
      <pre className="mt-0.5 max-h-72 overflow-y-auto rounded-sm bg-sunk px-2 py-1 break-all whitespace-pre-wrap">
        {before.map((text, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines around a hit never move, and may be equal
          <span key={i} className="block min-h-[1lh] text-faint">
            {text}
          </span>
        ))}
        <span className="block min-h-[1lh]">
          <MarkedLine text={hit.text} spans={hit.spans} />
          {cut && <span className="text-faint"> … a part of a long line</span>}
        </span>
        {after.map((text, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines around a hit never move, and may be equal
          <span key={i} className="block min-h-[1lh] text-faint">
            {text}
          </span>
        ))}
      </pre>
      {runFull && <p className="text-small text-faint">This run was read no further</p>}
      {more > 0 && (
        <div className="text-small text-faint">
          {counted(more, 'more matching line')} in this log:{' '}
          <InPlace
            href={`/search?${formatQuery(ofRun(query, hit))}`}
            from={`/search?${formatQuery(ofRun(query, hit), hit)}`}
            log={log}
            className="link"
          >
            all lines of this run
          </InPlace>
        </div>
      )}
    </div>
  )
}

/** The same search of this run alone: by its job, and its moment, to the millisecond. */
function ofRun(query: SearchQuery, { job, time }: SearchHitView['hit']): SearchQuery {
  return { ...query, job: wholly(job), range: { from: time, to: time + 1 }, groupBy: 'none' }
}
