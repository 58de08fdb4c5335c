import type { ReactNode } from 'react'
import type { EvidenceView, NowCounts } from '#lib/service/evidence-view.ts'
import { count } from '../../_ui/format.ts'
import { Time } from '../../_ui/time.tsx'

interface Column {
  readonly title: string
  readonly under?: string
  readonly counts: NowCounts
}

const ROWS = [
  ['incidents', 'incidents'],
  ['runs', 'runs that match'],
  ['failedRuns', 'of them failed'],
  ['lines', 'lines'],
] as const

/** The frozen figures beside today's, of the same range; what followed it stands apart. */
export function ThenAndNow({ view }: { view: EvidenceView }): ReactNode {
  const { evidence, now } = view
  const columns = columnsOf(view)
  const rows = ROWS.filter(([name]) => evidence.content.counts[name] !== undefined)
  return (
    <section aria-label="Then and now" className="mt-5">
      <div className="overflow-x-auto">
        <table className="figures max-w-3xl">
          <thead>
            <tr>
              <th scope="col">
                <span className="sr-only">of the frozen range</span>
              </th>
              {columns.map(({ title, under }) => (
                <th key={title + under} scope="col" className="text-right">
                  <span className="block font-medium text-ink">{title}</span>
                  {under && <span className="block">{under}</span>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, title]) => (
              <tr key={name}>
                <th scope="row" className="text-small">
                  {title}
                </th>
                {columns.map(({ title: of, under, counts }) => (
                  <td key={of + under} className="number">
                    {counts[name] === undefined ? '–' : `${counts.partial ? '≥ ' : ''}${count(counts[name])}`}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="mt-1.5 text-small text-faint">
        Now is <Time at={now.at} /> UTC, of the same range.
        {columns.some(({ counts }) => counts.partial) && ' ≥: not all could be counted in time.'}
      </p>
      {now.notes.map((note) => (
        <p key={note} className="text-small text-soft">
          {note}
        </p>
      ))}
    </section>
  )
}

function columnsOf({ evidence, now }: EvidenceView): Column[] {
  const under = (rules: 'frozen' | 'today' | undefined) => (rules === 'today' ? 'regexes of today' : 'regexes of then')
  return [
    { title: 'then', counts: evidence.content.counts },
    ...now.columns.map((counts) => ({
      title: 'now',
      ...(now.columns.length > 1 && { under: under(counts.rules) }),
      counts,
    })),
    ...(now.since ? [{ title: 'since', under: 'after the range', counts: now.since }] : []),
  ]
}
