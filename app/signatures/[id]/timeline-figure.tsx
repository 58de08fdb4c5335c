import { pairs } from 'd3-array'
import type { ReactNode } from 'react'
import { imageMarkdown } from '#lib/chart/image-markdown.ts'
import type { Timeline } from '#lib/chart/timeline.ts'
import { STATE_WORDS } from '#lib/incident/verdict-words.ts'
import { isCounted } from '#lib/incident/votes.ts'
import type { Incident } from '#lib/model/incident.ts'
import type { SignatureView } from '#lib/service/views.ts'
import { CopyButton } from '../../_ui/copy-button.client.tsx'
import { count, day, moment } from '../../_ui/format.ts'
import { Link } from '../../_ui/link.tsx'
import { ScrollFrame } from '../../_ui/scroll-frame.tsx'
import { incidentLink, signatureLink } from '../../_ui/signature-link.ts'
import { TimelineChart } from '../../_ui/timeline-chart.tsx'

const DAY = 86_400_000
const TABLE_ROWS = 200

/** The chart, what its rows mean, and the same numbers as a table. */
export function TimelineFigure({
  view,
  chart,
  site,
}: {
  view: SignatureView
  chart: Timeline
  /** Where the site is, for what leaves it. */
  site: string
}): ReactNode {
  const { window, incidents, cadence } = view
  return (
    <figure className="mt-6">
      <ScrollFrame>
        <TimelineChart
          chart={chart}
          title={`Incidents from ${day(window.from)} to ${day(window.to)}, the days between them and the hours watched a day`}
        />
      </ScrollFrame>
      <figcaption className="mt-1.5 flex flex-wrap justify-between gap-x-6 text-small text-faint">
        <span>
          ● incident, larger with the runs hit
          {!incidents.every(isCounted) && ' · ○ one PR or run only, not counted'} · watched: hours a day in which a run
          could have shown it{chart.hatch && chart.hatch.width >= 4 && ' · ▨ not complete yet'} · UTC
        </span>
        {view.evaluatedFrom !== undefined && (
          <span>The rules were edited: older text than of {day(view.evaluatedFrom)} was gone, and is not counted</span>
        )}
        <span>{cadence.continuous && 'too close together to tell apart'}</span>
      </figcaption>
      <Embed view={view} site={site} />
      {incidents.length > 0 && (
        <details className="mt-2">
          <summary>The same numbers as a table</summary>
          <IncidentTable incidents={incidents} all={`/api/v1${signatureLink(view.signature.id)}?format=csv`} />
        </details>
      )}
    </figure>
  )
}

/** The chart for elsewhere: as files, and as what to paste into an issue. */
function Embed({ view: { signature, verdict, sentences }, site }: { view: SignatureView; site: string }): ReactNode {
  const page = signatureLink(signature.id)
  const told = `${signature.title}: ${STATE_WORDS[verdict.state]}. ${sentences[0]}`
  return (
    <p className="mt-1 flex flex-wrap gap-x-3 text-small text-faint print:hidden">
      <span>
        This chart as{' '}
        <a href={`${page}/chart.svg`} className="link">
          SVG
        </a>{' '}
        or{' '}
        <a href={`${page}/chart.png`} className="link">
          PNG
        </a>
      </span>
      <CopyButton
        text={imageMarkdown({ told, image: `${site}${page}/chart.png`, link: `${site}${page}` })}
        word="copy chart as Markdown"
      />
    </p>
  )
}

/** The newest; `all` is where the others are told, too. */
function IncidentTable({ incidents, all }: { incidents: readonly Incident[]; all: string }): ReactNode {
  const gaps = gapsBefore(incidents)
  const told = incidents.slice(-TABLE_ROWS).toReversed()
  const more = incidents.length - told.length
  return (
    <div className="overflow-x-auto">
      <table className="figures mt-2 max-w-3xl">
        <thead>
          <tr>
            <th scope="col">began (UTC)</th>
            <th scope="col" className="number">
              days since the last
            </th>
            <th scope="col" className="number">
              runs
            </th>
            <th scope="col" className="number">
              jobs
            </th>
            <th scope="col" className="number">
              PRs
            </th>
            <th scope="col">clusters</th>
          </tr>
        </thead>
        <tbody>
          {told.map((incident) => (
            <tr key={incident.id}>
              <th scope="row" className="whitespace-nowrap">
                <Link href={incidentLink(incident.id)}>{moment(incident.at)}</Link>
                {!isCounted(incident) && <span className="text-faint"> not counted</span>}
              </th>
              <td className="number">{gaps.get(incident)?.toFixed(1) ?? '–'}</td>
              <td className="number">{count(incident.runs.length)}</td>
              <td className="number">{count(incident.jobs.length)}</td>
              <td className="number">{count(incident.pulls.length)}</td>
              <td>{incident.clusters.join(', ')}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && (
        <p className="mt-1 text-small text-faint">
          {count(more)} earlier;{' '}
          <a href={all} className="link">
            all as CSV
          </a>
        </p>
      )}
    </div>
  )
}

/** Days since the last, between incidents that count; the rest has no gap. Oldest first. */
function gapsBefore(incidents: readonly Incident[]): ReadonlyMap<Incident, number> {
  return new Map(pairs(incidents.filter(isCounted), (before, incident) => [incident, (incident.at - before.at) / DAY]))
}
