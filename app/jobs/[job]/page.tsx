import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { type JobView, jobView } from '#lib/service/job.ts'
import { cursorOf, cursorText } from '../../_ui/cursor.ts'
import { count, counted, duration, percent } from '../../_ui/format.ts'
import { Link } from '../../_ui/link.tsx'
import { load } from '../../_ui/load.ts'
import { TroubleNotice } from '../../_ui/notice.tsx'
import { Page } from '../../_ui/page.tsx'
import { one } from '../../_ui/params.ts'
import { PlaceLinks } from '../../_ui/place-links.tsx'
import { pullName } from '../../_ui/pull-name.ts'
import { Result } from '../../_ui/result.tsx'
import { Time } from '../../_ui/time.tsx'

export async function generateMetadata({ params }: PageProps<'/jobs/[job]'>): Promise<Metadata> {
  return { title: decodeURIComponent((await params).job) }
}

export default async function JobPage({ params, searchParams }: PageProps<'/jobs/[job]'>) {
  const job = decodeURIComponent((await params).job)
  const after = cursorOf(one((await searchParams).after))
  const loaded = await load((ctx) => jobView(ctx, job, after))
  if (!loaded.trouble && !loaded.view) notFound()
  return (
    <Page>
      {loaded.trouble ? (
        <TroubleNotice trouble={loaded.trouble} />
      ) : (
        loaded.view && <Job view={loaded.view} now={loaded.ctx.now()} />
      )}
    </Page>
  )
}

function Job({ view, now }: { view: JobView; now: number }) {
  const { job, recent, runs, next } = view
  const page = `/jobs/${encodeURIComponent(job)}`
  return (
    <>
      <p className="text-small text-faint">Job</p>
      <h1 className="break-all">{job}</h1>
      <p className="mt-1 text-soft">
        {recent.runs === 0
          ? `No run in the last ${recent.days} days`
          : `${counted(recent.runs, 'run')} in the last ${recent.days} days, ${count(recent.failed)} failed (${percent(recent.failed, recent.runs)})`}{' '}
        · <Link href={`/search?${new URLSearchParams({ name: `^${escapeRegex(job)}$` })}`}>search its logs</Link>
      </p>
      <ol className="mt-5">
        {runs.map((row) => (
          <RunRow key={row.links.prowl} row={row} now={now} />
        ))}
      </ol>
      {next && (
        <p className="mt-4">
          <Link href={`${page}?${new URLSearchParams({ after: cursorText(next) })}`} className="button">
            Older runs
          </Link>
        </p>
      )}
    </>
  )
}

function RunRow({ row: { run, links, known }, now }: { row: JobView['runs'][number]; now: number }) {
  const took = run.startedAt !== undefined && run.finishedAt !== undefined ? run.finishedAt - run.startedAt : undefined
  return (
    <li className="grid gap-x-4 border-t border-line py-1.5 md:grid-cols-[13rem_5rem_5rem_minmax(0,1fr)_auto] md:items-baseline">
      <Link href={links.prowl} className="font-medium text-ink hover:text-accent" row>
        <Time at={run.time} now={now} />
      </Link>
      <Result result={run.result} />
      <span className="text-soft md:text-right">{took !== undefined && took >= 0 && duration(took)}</span>
      <span className="min-w-0">
        {known.map(({ signature, link }) => (
          <Link key={signature.id} href={link} className="mr-3 hover:underline">
            {signature.title}
          </Link>
        ))}
        {run.refs && run.refs.pulls.length > 0 && <span className="text-faint">{pullName(run.refs)}</span>}
      </span>
      <PlaceLinks links={links} />
    </li>
  )
}

function escapeRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
