import type { ReactNode } from 'react'
import { formatQuery, type SearchQuery } from '#lib/search/query.ts'
import type { Impact, SearchGroup } from '#lib/service/views.ts'
import { share } from '#lib/triage/share.ts'
import { counted } from '../_ui/format.ts'
import { Away, Link } from '../_ui/link.tsx'
import { intervalText } from '../_ui/share.ts'
import { wholly } from './wholly.ts'

/** Read as text it is ci-search's line, which scripts grep for: `<job> (all) - 19 runs, 63% failed, …`. */
export function GroupHead({
  group: { key, impact, hits },
  query,
  level: Heading = 'h2',
}: {
  group: SearchGroup
  query: SearchQuery
  level?: 'h2' | 'h3'
}): ReactNode {
  if (query.groupBy !== 'job') return <h2 className="font-mono text-small break-all text-soft">{key}</h2>
  const history = hits[0]?.links.jobHistory
  return (
    <Heading className="flex flex-wrap items-baseline gap-x-2 border-b border-edge pb-1">
      <Link href={`/jobs/${encodeURIComponent(key)}`} className="break-all text-ink hover:text-accent">
        {key}
      </Link>{' '}
      <Link href={`/search?${formatQuery({ ...query, job: wholly(key) })}`} className="link font-normal">
        (all)
      </Link>{' '}
      {impact && <span className="font-normal text-soft">- {impact.words}</span>}{' '}
      {impact && <span className="text-small font-normal text-faint">{besides(impact)}</span>}{' '}
      {history && (
        <span className="text-small font-normal">
          <Away href={history}>job history</Away>
        </span>
      )}
    </Heading>
  )
}

/** Between what bounds the impact lies where few runs carry it, and how many PRs they are of. */
function besides({ runs, failed, matchedRuns, matchedFailed, matchedPulls }: Impact): string {
  const part = failed > 0 ? matchedFailed : matchedRuns
  const bounds = part < 100 && part <= runs ? `95%: ${intervalText(share(part, runs))}%` : ''
  return [bounds, matchedPulls > 0 ? counted(matchedPulls, 'PR') : ''].filter(Boolean).join(', ')
}
