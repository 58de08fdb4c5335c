import type { ReactNode } from 'react'
import type { FiguresView } from '#lib/service/figures.ts'
import type { Breakdown, BreakdownRow } from '#lib/triage/breakdown.ts'
import { count, counted, percent } from '../../_ui/format.ts'
import { Link } from '../../_ui/link.tsx'
import { intervalText } from '../../_ui/share.ts'

const JOBS_SHOWN = 10
const VALUES_SHOWN = 8
const NAMES: Readonly<Record<string, string>> = { job: 'By job', cluster: 'By build cluster', branch: 'By branch' }

/** Where it strikes: runs hit, of those that could have shown it. */
export function Shares({ view: { breakdowns, window } }: { view: FiguresView }): ReactNode {
  const [jobs, ...others] = breakdowns
  if (!jobs || jobs.rows.every(({ share }) => share.part === 0)) return null
  return (
    <section className="mt-8" id="breakdowns" aria-label="Where it strikes">
      <p className="text-small text-faint">
        Runs hit, of those of the last {window.days} days that could have shown it; shares with their 95% interval
      </p>
      <div className="mt-2">
        <Table breakdown={jobs} shown={JOBS_SHOWN} />
      </div>
      <div className="mt-6 grid gap-x-10 gap-y-6 md:grid-cols-2">
        {others.map((breakdown) => (
          <Table key={breakdown.by} breakdown={breakdown} shown={VALUES_SHOWN} />
        ))}
      </div>
    </section>
  )
}

function Table({ breakdown: { by, rows }, shown }: { breakdown: Breakdown; shown: number }): ReactNode {
  const rest = rows.slice(shown)
  return (
    <div className="min-w-0">
      <h2>{NAMES[by] ?? `By ${by}`}</h2>
      <Rows by={by} rows={rows.slice(0, shown)} />
      {rest.length > 0 && (
        <details className="mt-1">
          <summary>{count(rest.length)} more</summary>
          <Rows by={by} rows={rest} />
        </details>
      )}
    </div>
  )
}

function Rows({ by, rows }: { by: string; rows: readonly BreakdownRow[] }): ReactNode {
  return (
    <table className="figures">
      <tbody>
        {rows.map(({ value, share, pulls }) => (
          <tr key={value}>
            <th scope="row" className="break-all text-soft">
              {by === 'job' ? <Link href={`/jobs/${encodeURIComponent(value)}`}>{value}</Link> : valueWord(by, value)}
            </th>
            <td className="number">
              {count(share.part)} <span className="text-faint">of {count(share.whole)}</span>
              {pulls > 0 && <span className="text-faint max-sm:block"> {counted(pulls, 'PR')}</span>}
            </td>
            <td className="number w-14">{percent(share.part, share.whole)}</td>
            <td className="number w-20 text-small text-faint">{intervalText(share)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function valueWord(by: string, value: string): ReactNode {
  if (value !== '') return value
  return <span className="text-faint">{by === 'cluster' || by === 'branch' ? 'not known' : 'not said'}</span>
}
