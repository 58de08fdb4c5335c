import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { parseDays } from '#lib/service/coverage.ts'
import { type GroupView, groupView } from '#lib/service/groups.ts'
import { count, counted, day as dayText } from '../../_ui/format.ts'
import { Link } from '../../_ui/link.tsx'
import { load } from '../../_ui/load.ts'
import { TroubleNotice } from '../../_ui/notice.tsx'
import { Page } from '../../_ui/page.tsx'
import { one } from '../../_ui/params.ts'
import { ReadingNotice } from '../../_ui/reading-notice.tsx'
import { Spark } from '../../_ui/spark.tsx'
import { Examples } from './examples.tsx'
import { ProposalSection } from './proposal.tsx'

export const metadata: Metadata = { title: 'Unexplained failures' }

export default async function GroupPage({ params, searchParams }: PageProps<'/groups/[id]'>) {
  const id = decodeURIComponent((await params).id)
  const given = one((await searchParams).days)
  const loaded = await load((ctx) => groupView(ctx, id, { days: parseDays(given) }))
  return (
    <Page section="triage">
      {loaded.trouble ? (
        <TroubleNotice trouble={loaded.trouble} />
      ) : (
        <Group view={loaded.view} now={loaded.ctx.now()} />
      )}
    </Page>
  )
}

function Group({ view, now }: { view: GroupView; now: number }): ReactNode {
  const { group, folded, window } = view
  return (
    <>
      <ReadingNotice />
      <p className="text-small text-faint">
        A group of <Link href="/coverage#unknown">unexplained failures</Link>
      </p>
      <h1>{headline(view)}</h1>
      <p className="mt-2 rounded-sm bg-sunk px-2.5 py-2 font-mono text-small break-words">{folded}</p>
      <p className="mt-1 text-small text-faint">The line that they failed with, what differs from run to run folded.</p>
      {group && (
        <div className="mt-5 flex flex-wrap items-end gap-x-10 gap-y-4">
          <div>
            <Spark counts={group.days} title={`${counted(group.runs, 'run')} over ${counted(window.days, 'day')}`} />
            <p className="mt-1 text-small text-faint">
              {dayText(window.from)} – {dayText(window.to)}
            </p>
          </div>
          <ul className="min-w-0">
            {group.jobs.slice(0, 8).map(({ job, runs }) => (
              <li key={job} className="break-all">
                <Link href={`/jobs/${encodeURIComponent(job)}`}>{job}</Link>{' '}
                <span className="text-faint">{counted(runs, 'run')}</span>
              </li>
            ))}
            {group.jobs.length > 8 && <li className="text-faint">and {counted(group.jobs.length - 8, 'more job')}</li>}
          </ul>
        </div>
      )}
      <ProposalSection view={view} />
      <Examples view={view} now={now} />
    </>
  )
}

function headline({ group, window, unknown, firstSeen, isNew }: GroupView): string {
  const last = `last ${counted(window.days, 'day')}`
  const since = `${isNew ? 'new, ' : ''}first seen ${dayText(Date.parse(firstSeen))}`
  if (!group) return `None unexplained in the ${last}, ${since}`
  return `${count(group.runs)} of ${counted(unknown, 'unknown failure')} (${last}), ${since}`
}
