import type { Metadata, Route } from 'next'
import { redirect } from 'next/navigation'
import { ERROR_CODES } from '#lib/errors.ts'
import { patternWords } from '#lib/search/meet.ts'
import { formatQuery, type ParsedQuery, parseQuery } from '#lib/search/query.ts'
import { queryWords } from '#lib/search/query-words.ts'
import { jump } from '#lib/service/jump.ts'
import { searchView } from '#lib/service/search.ts'
import { tallyPage } from '#lib/service/tally.ts'
import type { SearchView } from '#lib/service/views.ts'
import { answerWith, readerSignal } from '../_server/reader.ts'
import { load } from '../_ui/load.ts'
import { TroubleNotice } from '../_ui/notice.tsx'
import { Page } from '../_ui/page.tsx'
import { one, searchParamsOf } from '../_ui/params.ts'
import { pasted } from '../_ui/pasted.ts'
import { QueryError } from '../_ui/query-error.tsx'
import { ReadingNotice } from '../_ui/reading-notice.tsx'
import { Answer } from './answer.tsx'
import { Jumped } from './jumped.tsx'
import { SearchForm } from './search-form.tsx'
import { TallyTable } from './tally-table.tsx'

const TALLY_TOP = 100

export async function generateMetadata({ searchParams }: PageProps<'/search'>): Promise<Metadata> {
  const { query } = parseQuery(searchParamsOf(await searchParams))
  if (query.patterns.length === 0) return { title: 'Search' }
  return await pasted({
    title: `${patternWords(query)} · search`,
    description: queryWords(query),
    path: `/search?${formatQuery(query)}`,
  })
}

export default async function SearchPage({ searchParams }: PageProps<'/search'>) {
  const params = await searchParams
  const parsed = parseQuery(searchParamsOf(params))
  const text = one(params.search)
  if (params.go && text) {
    // The box of this page is for patterns: there a number is one.
    const found = await load((ctx) => jump(ctx, text, { addressesOnly: params.go === 'address' }))
    if (found.view?.kind === 'page') redirect(found.view.page as Route)
    if (found.view && found.view.kind !== 'pattern')
      return (
        <Page section="search" box={false}>
          <SearchForm query={parsed.query} error={undefined} more={false} />
          <Jumped jump={found.view} text={text.trim()} now={found.ctx.now()} />
        </Page>
      )
  }
  const { query, after, notes } = parsed
  if (query.tally && query.patterns.length > 0) return <TallySearch parsed={parsed} more={params.more !== undefined} />
  const loaded = await load((ctx) => searchView(ctx, query, { after, signal: readerSignal() }))
  if (loaded.view?.error) answerWith(ERROR_CODES[loaded.view.error.code])
  return (
    <Page section="search" box={false}>
      <SearchForm query={query} error={loaded.view?.error} more={params.more !== undefined} />
      {query.patterns.length > 0 &&
        notes.map((note) => (
          <p key={note} className="mt-2 text-small text-warn">
            ▲ Left aside: {note}
          </p>
        ))}
      {loaded.trouble ? (
        <TroubleNotice trouble={loaded.trouble} />
      ) : (
        <Result view={loaded.view} now={loaded.ctx.now()} />
      )}
    </Page>
  )
}

async function TallySearch({ parsed: { query, notes }, more }: { parsed: ParsedQuery; more: boolean }) {
  const loaded = await load((ctx) => tallyPage(ctx, query, { top: TALLY_TOP, signal: readerSignal() }))
  const error = loaded.view?.error
  if (error) answerWith(ERROR_CODES[error.code])
  return (
    <Page section="search" box={false}>
      <SearchForm query={query} error={error} more={more} />
      {notes.map((note) => (
        <p key={note} className="mt-2 text-small text-warn">
          ▲ Left aside: {note}
        </p>
      ))}
      {loaded.trouble ? (
        <TroubleNotice trouble={loaded.trouble} />
      ) : loaded.view.error ? (
        <QueryError error={loaded.view.error} />
      ) : (
        <TallyTable view={loaded.view.view} />
      )}
    </Page>
  )
}

function Result({ view, now }: { view: SearchView; now: number }) {
  if (view.error) return <QueryError error={view.error} />
  if (view.query.patterns.length === 0) return <Help />
  return (
    <div className="mt-5">
      <ReadingNotice />
      <Answer view={view} now={now} />
    </div>
  )
}

function Help() {
  return (
    <div className="mt-6 grid max-w-4xl gap-x-10 gap-y-4 text-soft sm:grid-cols-2">
      <p>
        Patterns are RE2, matched line by line in every log kept; a pattern without capitals ignores case. Several
        patterns find the lines of any.
      </p>
      <p>
        Try <ExampleLink pattern="boskos.ci.*EOF" />, <ExampleLink pattern="no route to host" /> or{' '}
        <ExampleLink pattern="(?i)timed? ?out" />. Keys: <kbd>/</kbd> this box, <kbd>j</kbd> <kbd>k</kbd> over hits,{' '}
        <kbd>Enter</kbd> opens the line, <kbd>c</kbd> copies its link.
      </p>
    </div>
  )
}

function ExampleLink({ pattern }: { pattern: string }) {
  return (
    <a href={`/search?${new URLSearchParams({ search: pattern })}`} className="link font-mono text-small">
      {pattern}
    </a>
  )
}
