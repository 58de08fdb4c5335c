import { sum } from 'd3-array'
import type { Metadata } from 'next'
import { RUN_RESULTS } from '#lib/model/run.ts'
import { formatRunPath } from '#lib/model/run-path.ts'
import { LATE, quarantineWords } from '#lib/service/reach.ts'
import { statusView } from '#lib/service/status.ts'
import type { StatusView } from '#lib/service/views.ts'
import { Figures } from '../_ui/figures.tsx'
import { bytes, count, counted } from '../_ui/format.ts'
import { Link } from '../_ui/link.tsx'
import { load } from '../_ui/load.ts'
import { TroubleNotice } from '../_ui/notice.tsx'
import { Page } from '../_ui/page.tsx'
import { ReadingNotice } from '../_ui/reading-notice.tsx'
import { resultWord } from '../_ui/result.tsx'
import { Time } from '../_ui/time.tsx'
import { Buckets } from './buckets.tsx'

export const metadata: Metadata = { title: 'Status' }

export default async function StatusPage() {
  const loaded = await load(statusView)
  return (
    <Page section="status">
      {loaded.trouble ? (
        <TroubleNotice trouble={loaded.trouble} />
      ) : (
        <Status view={loaded.view} now={loaded.ctx.now()} />
      )}
    </Page>
  )
}

function Status({ view, now }: { view: StatusView; now: number }) {
  return (
    <>
      <ReadingNotice />
      <h1>{verdict(view)}</h1>
      <div className="mt-5 grid gap-x-12 gap-y-8 lg:grid-cols-2">
        <div className="min-w-0 space-y-8">
          <Buckets buckets={view.buckets} now={now} />
          <Signatures view={view} />
          <Problems view={view} now={now} />
        </div>
        <Stored store={view.store} />
      </div>
    </>
  )
}

function verdict({ freshness: { state, problems } }: StatusView): string {
  const words = {
    never: 'Nothing has been read yet',
    reading: 'The worker is reading',
    fresh: 'The data is fresh',
    late: `The data is late: ${LATE}`,
  }
  return problems === 0 ? words[state] : `${words[state]}; ${counted(problems, 'problem')}`
}

function Stored({ store }: { store: StatusView['store'] }) {
  const damaged = quarantineWords(store.index)
  const figures: readonly (readonly [string, string])[] = [
    ...RUN_RESULTS.filter((result) => store.runs[result] > 0).map(
      (result) => [`runs ${resultWord(result)}`, count(store.runs[result])] as const,
    ),
    ['logs', count(store.logs)],
    ['of them truncated', count(store.truncatedLogs)],
    ['of them broken', count(store.brokenLogs)],
    ['hits of known failures', count(store.hits)],
    ['evidence frozen', count(store.evidence)],
    ['log text', bytes(store.rawBytes)],
    ['as stored', bytes(store.storedBytes)],
    ['days with text', count(store.days.length)],
    ['blocks of text', count(store.index.blocks)],
    ['of them indexed', count(store.index.indexed)],
    ['segments of the index', count(store.index.segments)],
  ]
  return (
    <section>
      <h2>Stored</h2>
      <p className="text-small text-faint">
        {store.kind} store, layout {store.layout}
        {store.oldest !== undefined && store.newest !== undefined && (
          <>
            , runs from <Time at={store.oldest} /> to <Time at={store.newest} /> UTC
          </>
        )}
      </p>
      <Figures figures={figures} />
      {damaged && <p className="text-warn">▲ {damaged}</p>}
    </section>
  )
}

/** A chance taken often enough comes true. */
function watchedWords({ count: watched, chance }: StatusView['changesWatched']): string {
  return `${counted(watched, 'change')} watched at ${chance * 100}%: up to ${(watched * chance).toFixed(1)} wrong calls expected`
}

function Signatures({ view: { signatures, catalogueProblems, reevaluation, changesWatched } }: { view: StatusView }) {
  return (
    <section id="signatures">
      <h2>Signatures</h2>
      <p className="text-soft">
        {counted(signatures, 'signature')} in use; {watchedWords(changesWatched)}
        {catalogueProblems.length === 0 ? ', every file is right.' : '; left out:'}
      </p>
      {reevaluation && (
        <p className="text-soft">
          Edited, and being looked for anew in all text kept: {reevaluation.signatures.join(', ')};{' '}
          {count(reevaluation.done)} of {counted(reevaluation.total, 'run')}.
        </p>
      )}
      <ul className="mt-1 space-y-1">
        {catalogueProblems.map(({ file, line, signature, message }) => (
          <li key={`${file} ${line} ${message}`} className="text-warn">
            ▲{' '}
            <code>
              {file}:{line}
            </code>{' '}
            {signature && <code>{signature}</code>} {message}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Problems({ view: { store, problemCodes }, now }: { view: StatusView; now: number }) {
  const { problems, problemCount } = store
  return (
    <section className="min-w-0">
      <h2>Runs that could not be read</h2>
      {problemCount === 0 ? (
        <p className="text-soft">None.</p>
      ) : (
        <p className="text-soft">
          {counted(problemCount, 'run')}, by code:{' '}
          {problemCodes.map(({ code, runs }) => `${code} ${count(runs)}`).join(', ')}
          {problemCount > sum(problemCodes, ({ runs }) => runs) && ' among the newest'}
        </p>
      )}
      <ol>
        {problems.map((problem) => (
          <li key={`${problem.bucket} ${problem.path}`} className="border-b border-line py-1.5 last:border-0">
            <Link href={`/runs/${formatRunPath(problem)}`} className="link font-mono text-small break-all">
              {problem.path}
            </Link>
            <p className="text-soft">
              <code>{problem.code}</code> {problem.message} · <Time at={problem.at} now={now} />
            </p>
          </li>
        ))}
      </ol>
      {problemCount > problems.length && (
        <p className="text-soft">and {counted(problemCount - problems.length, 'more')}</p>
      )}
    </section>
  )
}
