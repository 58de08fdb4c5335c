import type { Metadata } from 'next'
import Form from 'next/form'
import { ERROR_CODES, isProwlError } from '#lib/errors.ts'
import { formatQuery, type SearchQuery } from '#lib/search/query.ts'
import type { Context } from '#lib/service/context.ts'
import { type ChartView, chartQuery, chartView } from '#lib/service/peer-chart.ts'
import { answerWith, readerSignal } from '../_server/reader.ts'
import { siteOfPage } from '../_server/site.ts'
import { count, counted, day, moment } from '../_ui/format.ts'
import { load } from '../_ui/load.ts'
import { TroubleNotice } from '../_ui/notice.tsx'
import { Page } from '../_ui/page.tsx'
import { searchParamsOf } from '../_ui/params.ts'
import { QueryError } from '../_ui/query-error.tsx'
import { ScrollFrame } from '../_ui/scroll-frame.tsx'
import { Legend } from './legend.tsx'
import { ScatterChart } from './scatter-chart.tsx'

type Faulty = Parameters<typeof QueryError>[0]['error']

export async function generateMetadata({ searchParams }: PageProps<'/chart'>): Promise<Metadata> {
  const params = searchParamsOf(await searchParams)
  const patterns = params.getAll('search').filter(Boolean)
  const title = patterns.length > 0 ? `${patterns.join(' or ')} · chart` : 'Chart'
  return { title, openGraph: { title, images: [`${await siteOfPage()}/chart.png?${params}`] } }
}

/** ci-search's chart: what died of which pattern, and when. */
export default async function ChartPage({ searchParams }: PageProps<'/chart'>) {
  const params = searchParamsOf(await searchParams)
  const loaded = await load((ctx) => chartOf(ctx, params))
  return (
    <Page section="search">
      {loaded.trouble ? (
        <TroubleNotice trouble={loaded.trouble} />
      ) : 'error' in loaded.view ? (
        <QueryError error={loaded.view.error} />
      ) : (
        <Chart view={loaded.view.chart} />
      )}
    </Page>
  )
}

async function chartOf(ctx: Context, params: URLSearchParams): Promise<{ chart: ChartView } | { error: Faulty }> {
  try {
    return { chart: await chartView(ctx, await chartQuery(ctx, params), readerSignal()) }
  } catch (error) {
    if (!isProwlError(error) || error.status !== 400) throw error
    answerWith(ERROR_CODES[error.code])
    const { code, message, position, pattern } = error
    return { error: { code, message, position, pattern } }
  }
}

function Chart({ view }: { view: ChartView }) {
  const { of, runs, window, partial, reach, query } = view
  return (
    <>
      <h1 className="text-lead">
        {count(of.failed)} of {counted(of.runs, 'run')} failed
      </h1>
      <p className="text-soft">
        {day(window.from)} to {moment(window.to)} UTC{query.job && `, jobs that match ${query.job}`}
        {runs.length < of.runs && `; the newest ${count(runs.length)} drawn`}
      </p>
      {partial.length > 0 && <p className="text-warn">▲ Not all was searched: {partial.join(', ')}</p>}
      <p className="text-small text-faint">{[reach.words, ...reach.warnings].join('; ')}</p>
      <ScrollFrame>
        <ScatterChart view={view} />
      </ScrollFrame>
      <Legend view={view} />
      <AddPattern query={query} />
    </>
  )
}

/** A plain GET form with the rest of the query in hidden fields. */
function AddPattern({ query }: { query: SearchQuery }) {
  const given = [...formatQuery({ ...query, groupBy: 'job' })]
  return (
    <Form action="/chart" className="mt-4 flex max-w-2xl gap-2">
      {given.map(([name, value]) => (
        <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
      ))}
      {query.job === undefined && <input type="hidden" name="name" value="" />}
      <input
        name="search"
        aria-label="One more pattern"
        placeholder="one more pattern"
        autoComplete="off"
        spellCheck={false}
        className="field grow font-mono text-small"
      />
      <button type="submit" className="button">
        Add
      </button>
    </Form>
  )
}
