import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { ERROR_CODES } from '#lib/errors.ts'
import type { RunKey } from '#lib/model/run.ts'
import { parseRunPath } from '#lib/model/run-path.ts'
import { runPage } from '#lib/service/run.ts'
import { SEARCH_LIMITS } from '#lib/service/search-limits.ts'
import type { RunView } from '#lib/service/views.ts'
import { answerWith, readerSignal } from '../../_server/reader.ts'
import { load } from '../../_ui/load.ts'
import { Notice, TroubleNotice } from '../../_ui/notice.tsx'
import { Page } from '../../_ui/page.tsx'
import { lineNumber, one } from '../../_ui/params.ts'
import type { Asked } from './log-head.tsx'
import { LogSection } from './log-section.tsx'
import type { Selected } from './places.ts'
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
  const find = one(query.find)
  const anchor = { log: one(query.log), line: selected?.from ?? lineNumber(query.at), to: selected?.to, find }
  const all = query.all !== undefined
  const findMs = all ? SEARCH_LIMITS.find.ms : SEARCH_LIMITS.find.pageMs
  const loaded = await load((ctx) => runPage(ctx, key, { ...anchor, findMs, signal: readerSignal() }))
  const error = loaded.view?.error
  if (error) answerWith(ERROR_CODES[error.code])
  return (
    <Page wide>
      {loaded.trouble ? (
        <TroubleNotice trouble={loaded.trouble} />
      ) : (
        loaded.view && <Run view={loaded.view.view} asked={{ selected, find, all, error }} now={loaded.ctx.now()} />
      )}
    </Page>
  )
}

function Run({ view, asked, now }: { view: RunView; asked: Asked; now: number }) {
  return (
    <>
      <RunHead view={view} now={now} />
      <RunHits view={view} />
      {view.window ? (
        <LogSection view={view} window={view.window} asked={asked} />
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
