import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import type { RunKey } from '#lib/model/run.ts'
import { parseRunPath } from '#lib/model/run-path.ts'
import { runView } from '#lib/service/run.ts'
import type { RunView } from '#lib/service/views.ts'
import { load } from '../../_ui/load.ts'
import { Notice, TroubleNotice } from '../../_ui/notice.tsx'
import { Page } from '../../_ui/page.tsx'
import { lineNumber, one } from '../../_ui/params.ts'
import { LogSection, type Selected } from './log-section.tsx'
import { RunHead } from './run-head.tsx'
import { RunHits } from './run-hits.tsx'

export async function generateMetadata({ params }: PageProps<'/runs/[...path]'>): Promise<Metadata> {
  const key = keyOf((await params).path)
  const [job, build] = key?.path.split('/').slice(-2) ?? []
  return { title: `${job} ${build}` }
}

/** `at` chooses the window, `line` (and `to`) also selects: what a copied link names. */
export default async function RunPage({ params, searchParams }: PageProps<'/runs/[...path]'>) {
  const key = keyOf((await params).path)
  if (!key) notFound()
  const query = await searchParams
  const selected = selectedOf(lineNumber(query.line), lineNumber(query.to))
  const anchor = { log: one(query.log), line: selected?.from ?? lineNumber(query.at), to: selected?.to }
  const loaded = await load((ctx) => runView(ctx, key, anchor))
  return (
    <Page wide>
      {loaded.trouble ? (
        <TroubleNotice trouble={loaded.trouble} />
      ) : (
        loaded.view && <Run view={loaded.view} selected={selected} now={loaded.ctx.now()} />
      )}
    </Page>
  )
}

function Run({ view, selected, now }: { view: RunView; selected: Selected | undefined; now: number }) {
  return (
    <>
      <RunHead view={view} now={now} />
      <RunHits view={view} />
      {view.window ? (
        <LogSection view={view} window={view.window} selected={selected} />
      ) : (
        <div className="mt-8">
          <Notice title={view.expired ? 'The text of its logs is kept no longer' : 'It left no log'}>
            <p>
              {view.expired
                ? 'Its hits above, with the lines around them, are kept. The bucket may still have the whole text: see the links above.'
                : 'The run may have died before it logged anything; what is known of it stands above.'}
            </p>
          </Notice>
        </div>
      )}
    </>
  )
}

/** Next gives the segments as they stand in the address. */
function keyOf(segments: readonly string[]): RunKey | undefined {
  return parseRunPath(segments.join('/'))
}

function selectedOf(line: number | undefined, to: number | undefined): Selected | undefined {
  return line === undefined ? undefined : { from: line, to: Math.max(line, to ?? line) }
}
