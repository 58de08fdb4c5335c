import type { ReactNode } from 'react'
import { formatQuery, type SearchQuery } from '#lib/search/query.ts'
import type { Spread } from '#lib/service/spread.ts'
import type { TallyView } from '#lib/service/tally.ts'
import { share } from '#lib/triage/share.ts'
import { CopyButton } from '../_ui/copy-button.client.tsx'
import { bytes, count, counted, day, duration, moment, percent } from '../_ui/format.ts'
import { Link } from '../_ui/link.tsx'
import { shareText } from '../_ui/share.ts'
import { literally } from './wholly.ts'

const LACKING: Readonly<Record<TallyView['partial'][number], string>> = {
  limit: 'not all values are told',
  deadline: 'the time was over, or a pattern came to no end on some text',
  bytes: 'as much log was read as one answer may',
  expired: 'some text expired meanwhile',
  damaged: 'some blocks are damaged (see status)',
}

/** What a group caught, as a table in the order of its counts. */
export function TallyTable({ view }: { view: TallyView }): ReactNode {
  const { query, values, others, lines, runs, spread, permanent } = view
  const found = values.length + others.values
  return (
    <div className="mt-5">
      <h1 className="text-lead">
        {found === 0
          ? 'Nothing was caught'
          : `${counted(found, 'value')} in ${counted(lines, 'line')} of ${counted(runs, 'run')}`}
      </h1>
      <Searched view={view} />
      {spread && <p className="text-soft">{spreadWords(spread)}</p>}
      <p className="my-2 flex flex-wrap gap-x-3">
        <Link href={`/search?${formatQuery(asLines(query))}`}>the lines</Link>
        <Link
          href={`/search?${formatQuery({ ...query, tally: { ...query.tally, by: view.by === 'run' ? 'line' : 'run' } })}`}
        >
          {view.by === 'run' ? 'by line' : 'by run'}
        </Link>
        <Link href={`/search?${permanent}`} permanent>
          link with absolute times
        </Link>
        <CopyButton address={`/search?${permanent}`} word="copy it" />
        <CopyButton text={tableText(view)} word="copy as text" />
      </p>
      {found > 0 && <Values view={view} />}
    </div>
  )
}

function Searched({ view: { range, searched, countedFrom, partial, reach, others } }: { view: TallyView }): ReactNode {
  return (
    <>
      <p className="text-soft">
        {day(range.from)} to {day(range.to)}
        <span className="text-faint">
          {' '}
          · {counted(searched.blocks, 'block')} read, {bytes(searched.bytes)}, in {count(searched.ms)} ms ·{' '}
          {reach.words}
        </span>
      </p>
      {[
        ...reach.warnings,
        ...partial.map((reason) => LACKING[reason]),
        ...(countedFrom === undefined ? [] : [`tallied back to ${moment(countedFrom)} only`]),
        ...(others.untold > 0 ? ['values were too many to tell all apart: those that came first are told'] : []),
      ].map((words) => (
        <p key={words} className="text-warn">
          ▲ {words}
        </p>
      ))}
    </>
  )
}

function Values({ view }: { view: TallyView }): ReactNode {
  const { values, others, by, query, lines, runs } = view
  const [first, second] = by === 'run' ? (['runs', 'lines'] as const) : (['lines', 'runs'] as const)
  const whole = by === 'run' ? runs : lines
  return (
    <div className="overflow-x-auto">
      <table className="figures max-w-4xl">
        <thead>
          <tr>
            <th scope="col">value</th>
            <th scope="col" className="number">
              {first}
            </th>
            <th scope="col" className="number">
              share of {first}
            </th>
            <th scope="col" className="number">
              {second}
            </th>
          </tr>
        </thead>
        <tbody>
          {values.map((each) => (
            <tr key={each.value}>
              <td className="font-mono text-small break-all">
                {each.value === '' ? (
                  <span className="text-faint">(empty)</span>
                ) : (
                  <Link href={`/search?${formatQuery(ofValue(query, each.value))}`} row>
                    {each.value}
                  </Link>
                )}
              </td>
              <td className="number">{count(each[first])}</td>
              <td className="number">
                {by === 'run' ? shareText(share(each.runs, runs)) : percent(each.lines, whole)}
              </td>
              <td className="number">{count(each[second])}</td>
            </tr>
          ))}
          {others.lines > 0 && (
            <tr>
              <td className="text-faint">
                {others.values > 0 ? counted(others.values, 'other value') : 'other values'}
              </td>
              <td className="number">{by === 'line' ? count(others.lines) : '–'}</td>
              <td className="number">{by === 'line' ? percent(others.lines, whole) : '–'}</td>
              <td className="number">{by === 'run' ? count(others.lines) : '–'}</td>
            </tr>
          )}
        </tbody>
      </table>
      <p className="mt-1 text-small text-faint">
        {by === 'run'
          ? 'A run with several values counts for each: shares may come to more than all.'
          : 'A line with several values counts for each.'}
      </p>
    </div>
  )
}

function asLines({ tally: _, ...query }: SearchQuery): SearchQuery {
  return query
}

/** Lines that hold the value's text; of one that was cut its beginning. */
function ofValue({ meet: _, ...query }: SearchQuery, value: string): SearchQuery {
  return { ...asLines(query), patterns: [literally(value.replace(/…$/, ''))] }
}

function tableText({ values, by }: TallyView): string {
  return values.map((each) => `${by === 'run' ? each.runs : each.lines}\t${each.value}`).join('\n')
}

function spreadWords({ unit, least, median, p90, most }: Spread): string {
  const told = (value: number) => (unit === 'ms' ? duration(value) : String(value))
  return `From ${told(least)} to ${told(most)}: half of the lines have at most ${told(median)}, nine in ten at most ${told(p90)}.`
}
