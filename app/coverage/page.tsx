import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { type CoverageView, coverageView, parseDays } from '#lib/service/coverage.ts'
import { type GroupsView, groupsView } from '#lib/service/groups.ts'
import { coverageHeadline } from '../_ui/coverage-words.ts'
import { count, counted } from '../_ui/format.ts'
import { GroupList } from '../_ui/group-list.tsx'
import { Away, Link } from '../_ui/link.tsx'
import { load } from '../_ui/load.ts'
import { TroubleNotice } from '../_ui/notice.tsx'
import { Page } from '../_ui/page.tsx'
import { one } from '../_ui/params.ts'
import { ReadingNotice } from '../_ui/reading-notice.tsx'
import { DayChart } from './day-chart.tsx'
import { JobTable, SignatureTable, SplitTables } from './tables.tsx'

export const metadata: Metadata = { title: 'Coverage' }

const WINDOWS = [7, 14, 30, 90]
const GROUPS_SHOWN = 40

export default async function CoveragePage({ searchParams }: PageProps<'/coverage'>) {
  const given = one((await searchParams).days)
  const loaded = await load(async (ctx) => {
    const days = parseDays(given)
    const [coverage, groups] = await Promise.all([coverageView(ctx, days), groupsView(ctx, days)])
    return { coverage, groups }
  })
  return (
    <Page section="triage">
      {loaded.trouble ? <TroubleNotice trouble={loaded.trouble} /> : <Coverage {...loaded.view} />}
    </Page>
  )
}

function Coverage({ coverage, groups }: { coverage: CoverageView; groups: GroupsView }): ReactNode {
  const { apart, window } = coverage
  return (
    <>
      <ReadingNotice />
      <h1>{coverageHeadline(coverage)}</h1>
      <p className="mt-1 flex flex-wrap gap-x-4 text-soft">
        <span>
          Apart: {counted(apart.aborted, 'aborted run')}, {count(apart.lost)} lost
        </span>
        <Windows days={window.days} />
      </p>
      {coverage.failed > 0 && (
        <>
          <DayChart view={coverage} />
          <SplitTables view={coverage} />
          <SignatureTable view={coverage} />
          <JobTable view={coverage} />
        </>
      )}
      <section className="mt-8" id="unknown">
        <h2>
          Unknown: {counted(groups.unknown, 'run')} in {counted(groups.count, 'group')}
        </h2>
        <p className="text-small text-faint">
          By the line that they failed with, without its numbers, ids, hosts, times, paths and quoted names.
          {groups.count > groups.groups.length && ` The ${groups.groups.length} largest.`}
        </p>
        <GroupList view={groups} shown={GROUPS_SHOWN} />
      </section>
      <p className="mt-8 max-w-[56rem] border-t border-line pt-3 text-small text-pretty text-soft">
        prowl explains failed runs. It is not a tool for test quarantine, and says nothing of how often a single test
        passes: <Away href="https://sippy.dptools.openshift.org/">Sippy</Away> does that.
      </p>
    </>
  )
}

function Windows({ days }: { days: number }): ReactNode {
  return (
    <span className="flex gap-x-3">
      last
      {WINDOWS.map((each) => (
        <Link
          key={each}
          href={`/coverage?days=${each}`}
          className={each === days ? 'font-medium text-ink' : 'link'}
          current={each === days ? 'true' : undefined}
        >
          {each} d
        </Link>
      ))}
    </span>
  )
}
