import Form from 'next/form'
import type { ReactNode } from 'react'
import { LOG_KINDS } from '#lib/model/run.ts'
import { formatQuery, type SearchQuery } from '#lib/search/query.ts'
import type { SearchView } from '#lib/service/views.ts'

const DAY = 86_400_000
const LASTS: readonly (readonly [number, string])[] = [
  [DAY, 'last 24 h'],
  [2 * DAY, 'last 2 days'],
  [7 * DAY, 'last 7 days'],
  [14 * DAY, 'last 14 days'],
  [30 * DAY, 'last 30 days'],
  [90 * DAY, 'last 90 days'],
  [365 * DAY, 'last year'],
]
const RESULTS: readonly (readonly [string, string])[] = [
  ['', 'any result'],
  ['failure,error', 'failed'],
  ['success', 'passed'],
  ['aborted', 'aborted'],
  ['pending,lost', 'pending or lost'],
]
const MEETINGS = [
  ['any', 'runs with any of them'],
  ['all', 'runs with all of them'],
  ['without', 'first, none of the others'],
] as const
const SHOWN = [
  ['', 'the lines'],
  ['run', 'a tally by run'],
  ['line', 'a tally by line'],
] as const
const PER_RUN = [1, 3, 10, 50]
const CONTEXTS = [0, 1, 2, 3, 5, 10, 15]

/** A plain GET form: its address is the search. */
export function SearchForm({
  query,
  error,
  more,
}: {
  query: SearchQuery
  error: SearchView['error'] | undefined
  /** An empty box for one more pattern. */
  more: boolean
}): ReactNode {
  const given = formatQuery(query)
  const patterns = [...query.patterns, ...(query.patterns.length === 0 || more ? [''] : [])]
  return (
    <Form action="/search" role="search" className="space-y-2">
      <input type="hidden" name="go" value="address" />
      {patterns.map((pattern, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: patterns have no other identity, and may be equal
        <div key={i} className="flex gap-2">
          <input
            type="search"
            name="search"
            defaultValue={pattern}
            aria-label={i === 0 ? 'Regex' : `Regex ${i + 1}`}
            aria-invalid={isFaulty(error, 'search', i)}
            placeholder="regex, e.g. boskos.ci.*EOF"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            data-focus={i === 0 ? '/' : undefined}
            className="field h-9 grow font-mono text-small aria-invalid:border-alert"
          />
          {i === 0 && (
            <button
              type="submit"
              className="button h-9 border-accent bg-accent text-paper hover:bg-accent hover:opacity-90"
            >
              Search
            </button>
          )}
        </div>
      ))}
      <div className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
        {patterns.length > 1 ? (
          <Select name="meet" label="Runs that hold" value={query.meet ?? 'any'} options={MEETINGS} />
        ) : (
          query.meet && <input type="hidden" name="meet" value={query.meet} />
        )}
        {[...(query.excludes ?? []), ...(query.excludes && !more ? [] : [''])].map((exclude, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: patterns have no other identity, and may be equal
          <Labelled key={i} name="not line">
            <Text name="exclude" value={exclude} placeholder="line regex" isFaulty={isFaulty(error, 'exclude', i)} />
          </Labelled>
        ))}
        <Labelled name="job">
          <Text name="name" value={query.job} placeholder="job regex" isFaulty={isFaulty(error, 'name')} />
        </Labelled>
        <Labelled name="not job">
          <Text
            name="excludeName"
            value={query.excludeJob}
            placeholder="job regex"
            isFaulty={isFaulty(error, 'excludeName')}
          />
        </Labelled>
        <Range query={query} given={given} />
        <Select name="result" label="Result" value={given.get('result') ?? ''} options={RESULTS} />
        <Select
          name="type"
          label="Logs"
          value={given.get('type') ?? ''}
          options={[['', 'all logs'], ...LOG_KINDS.map((kind) => [kind, kind] as const)]}
        />
        <Select
          name="context"
          label="Context"
          value={String(query.context)}
          options={CONTEXTS.map((n) => [String(n), n === 1 ? '1 line around' : `${n} lines around`])}
        />
        <Select
          name="groupBy"
          label="Group"
          value={query.groupBy}
          options={[
            ['job', 'grouped by job'],
            ['run', 'grouped by run'],
            ['none', 'not grouped'],
          ]}
        />
        <Select name="tally" label="Show" value={query.tally?.by ?? ''} options={SHOWN} />
        {query.tally && (
          <Labelled name="group">
            <Text name="group" value={query.tally.group} placeholder="first" />
          </Labelled>
        )}
        <Select
          name="maxPerRun"
          label="Lines of a run"
          value={given.get('maxPerRun') ?? ''}
          options={[
            ['', 'all of a run'],
            ...PER_RUN.map((n) => [String(n), n === 1 ? '1 line a run' : `${n} lines a run`] as const),
          ]}
        />
        <button
          type="submit"
          name="more"
          value="1"
          className="cursor-pointer px-1 text-left whitespace-nowrap text-accent hover:underline"
        >
          + pattern
        </button>
      </div>
    </Form>
  )
}

/** The last so many days, or, where the address gives them, two instants. */
function Range({ query, given }: { query: SearchQuery; given: URLSearchParams }): ReactNode {
  if ('lastMs' in query.range) {
    const { lastMs } = query.range
    const value = given.get('maxAge') ?? '14d'
    const known = LASTS.some(([ms]) => ms === lastMs)
    const options = LASTS.map(([ms, title]) => [`${ms / DAY}d`, title] as const)
    return (
      <Select
        name="maxAge"
        label="Range"
        value={value}
        options={known ? options : [[value, `last ${value}`], ...options]}
      />
    )
  }
  return (
    <>
      <Labelled name="from">
        <Text name="from" value={given.get('from') ?? undefined} placeholder="2026-11-03" />
      </Labelled>
      <Labelled name="to">
        <Text name="to" value={given.get('to') ?? undefined} placeholder="2026-11-04" />
      </Labelled>
    </>
  )
}

function Labelled({ name, children }: { name: string; children: ReactNode }): ReactNode {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is its child
    <label className="flex min-w-0 items-center gap-1.5 text-small text-faint">
      <span className="whitespace-nowrap">{name}</span>
      {children}
    </label>
  )
}

type Fault = SearchView['error']

function isFaulty(error: Fault, parameter: NonNullable<NonNullable<Fault>['pattern']>['parameter'], at = 0): boolean {
  return error?.pattern?.parameter === parameter && error.pattern.index === at
}

function Text({
  name,
  value,
  placeholder,
  isFaulty = false,
}: {
  name: string
  value: string | undefined
  placeholder: string
  isFaulty?: boolean
}): ReactNode {
  return (
    <input
      name={name}
      defaultValue={value}
      placeholder={placeholder}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      aria-invalid={isFaulty}
      className="field w-full font-mono text-small text-ink aria-invalid:border-alert sm:w-30"
    />
  )
}

function Select({
  name,
  label,
  value,
  options,
}: {
  name: string
  label: string
  value: string
  options: readonly (readonly [string, string])[]
}): ReactNode {
  const known = options.some(([one]) => one === value)
  return (
    <select name={name} aria-label={label} defaultValue={value} className="field w-full text-small sm:w-auto">
      {!known && <option value={value}>{value}</option>}
      {options.map(([one, title]) => (
        <option key={one} value={one}>
          {title}
        </option>
      ))}
    </select>
  )
}
