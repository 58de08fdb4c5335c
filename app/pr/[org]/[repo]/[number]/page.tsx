import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import type { ReactNode } from 'react'
import { parsePull } from '#lib/service/box.ts'
import { type PullView, pullView } from '#lib/service/pull.ts'
import { pullHeadline } from '#lib/service/pull-words.ts'
import { Away, Link } from '../../../../_ui/link.tsx'
import { load } from '../../../../_ui/load.ts'
import { TroubleNotice } from '../../../../_ui/notice.tsx'
import { Page } from '../../../../_ui/page.tsx'
import { ReadingNotice } from '../../../../_ui/reading-notice.tsx'
import { CommitRuns } from './commit-runs.tsx'

type Props = PageProps<'/pr/[org]/[repo]/[number]'>

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const pull = await pullOf(params)
  return { title: pull ? `${pull.org}/${pull.repo}#${pull.number}` : 'Pull request' }
}

/** Whether a pull request's red jobs are known. As plain text the same is at /api/v1/prs (proxy.ts). */
export default async function PullPage({ params }: Props) {
  const pull = await pullOf(params)
  if (!pull) notFound()
  const loaded = await load((ctx) => pullView(ctx, pull))
  return (
    <Page>
      {loaded.trouble ? (
        <TroubleNotice trouble={loaded.trouble} />
      ) : (
        <PullRuns view={loaded.view} now={loaded.ctx.now()} />
      )}
    </Page>
  )
}

/** Next gives the segments as they stand in the address. */
async function pullOf(params: Props['params']) {
  const { org, repo, number } = await params
  return parsePull(`${org}/${repo}#${number}`)
}

function PullRuns({ view, now }: { view: PullView; now: number }): ReactNode {
  const { pull, commits, partial } = view
  const [newest, ...superseded] = commits
  return (
    <>
      <h1 className="break-all">{pull.name}</h1>
      <p className="mt-1 flex flex-wrap gap-x-4 text-small">
        {pull.github && <Away href={pull.github}>pull request on GitHub</Away>}
        {pull.history && <Away href={pull.history}>all its runs on Prow</Away>}
        <Link href={`/bug/${encodeURIComponent(pull.name)}`}>as a bug</Link>
      </p>
      <div className="mt-4">
        <ReadingNotice />
      </div>
      {newest ? (
        <>
          <p className="mt-2 max-w-[64rem] text-lead text-pretty">{pullHeadline(view)}</p>
          <CommitRuns commit={newest} now={now} />
          {superseded.length > 0 && (
            <section className="mt-8">
              <h2 className="border-b border-edge pb-1">Superseded</h2>
              {superseded.map((commit) => (
                <details key={commit.sha ?? ''} className="border-b border-line py-1.5">
                  <CommitRuns commit={commit} now={now} folded />
                </details>
              ))}
            </section>
          )}
          {partial.includes('limit') && (
            <p className="mt-4 text-small text-warn">▲ Older runs of it exist that are not listed.</p>
          )}
        </>
      ) : (
        <>
          <p className="mt-2 max-w-[64rem] text-lead text-pretty">{pullHeadline(view)}</p>
          <p className="mt-1 max-w-[64rem] text-pretty text-soft">
            Its jobs show here once they have been read: the line above says how far the data reaches, the{' '}
            <Link href="/status">status page</Link> what is read. The number may also be that of an issue.
          </p>
        </>
      )}
    </>
  )
}
