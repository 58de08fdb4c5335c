import type { Metadata } from 'next'
import { lanes } from '#lib/chart/lanes.ts'
import { OUTCOME_WORDS } from '#lib/incident/outcomes.ts'
import { isCounted } from '#lib/incident/votes.ts'
import type { RunOutcome } from '#lib/model/incident.ts'
import { incidentView } from '#lib/service/incident.ts'
import { togetherSentence } from '#lib/service/together.ts'
import type { IncidentView } from '#lib/service/views.ts'
import { bounds, clock, counted, day, moment } from '../../_ui/format.ts'
import { FreezeButton } from '../../_ui/freeze-button.tsx'
import { LanesChart, Shape } from '../../_ui/lanes-chart.tsx'
import { Link } from '../../_ui/link.tsx'
import { load } from '../../_ui/load.ts'
import { TroubleNotice } from '../../_ui/notice.tsx'
import { OutcomeShape } from '../../_ui/outcome.tsx'
import { Page } from '../../_ui/page.tsx'
import { pasted } from '../../_ui/pasted.ts'
import { ScrollFrame } from '../../_ui/scroll-frame.tsx'
import { incidentLink, signatureLink } from '../../_ui/signature-link.ts'
import { Companions } from './companions.tsx'
import { LaneTable } from './lane-table.tsx'

export async function generateMetadata({ params }: PageProps<'/incidents/[id]'>): Promise<Metadata> {
  const { id } = await params
  const { view } = await load((ctx) => incidentView(ctx, decodeURIComponent(id)))
  if (!view) return { title: 'Incident' }
  const title = `${view.signature.title}, ${moment(view.incident.at)} UTC`
  const description = [view.outcomeWords, reach(view.incident), ...togetherSentence(view.together)].join(' · ')
  return await pasted({ title, description, path: incidentLink(view.incident.id) })
}

export default async function IncidentPage({ params }: PageProps<'/incidents/[id]'>) {
  const id = decodeURIComponent((await params).id)
  const loaded = await load((ctx) => incidentView(ctx, id))
  return <Page>{loaded.trouble ? <TroubleNotice trouble={loaded.trouble} /> : <Incident view={loaded.view} />}</Page>
}

function Incident({ view }: { view: IncidentView }) {
  const { incident, signature, moreRuns, outcomes, together } = view
  const causes = new Map(
    incident.causes.map((id) => [id, signature.causes.find((cause) => cause.id === id)?.title ?? id]),
  )
  return (
    <>
      <p className="text-small text-faint">
        Incident of <Link href={signatureLink(signature.id)}>{signature.title}</Link>
      </p>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <h1>{when(incident)} UTC</h1>
        <FreezeButton what="incident" value={incident.id} />
      </div>
      <p className="mt-1 text-lead">{view.outcomeWords}</p>
      <p className="text-lead text-soft">{reach(incident)}</p>
      <p className="mt-1 text-soft">
        Began {bounds(incident.from)}, ended {bounds(incident.to)} UTC.
        {causes.size > 0 && ` In order: ${[...causes.values()].join(' → ')}.`}
      </p>
      {!isCounted(incident) && (
        <p className="mt-1 text-warn">◇ It struck one PR or run only, and is not counted in how often this strikes.</p>
      )}
      <Companions companions={together} />
      <figure className="mt-6">
        <ScrollFrame opensAt="beginning">
          <LanesChart
            chart={lanes(view, 1150)}
            causes={causes}
            title={`What the outage did to ${counted(incident.runs.length, 'run')}`}
          />
        </ScrollFrame>
        <Legend causes={causes} witness={signature.witness !== undefined} outcomes={outcomes} />
      </figure>
      <LaneTable view={view} causes={causes} />
      {moreRuns > 0 && <p className="mt-2 text-soft">and {counted(moreRuns, 'more run')}, not drawn</p>}
    </>
  )
}

/** As narrow as the logs allow: the bounds within which it began and ended. */
function when({ from, to }: IncidentView['incident']): string {
  const [begin, end] = [from.earliest, to.latest]
  if (day(begin) === day(end)) return clock(begin) === clock(end) ? moment(begin) : `${moment(begin)}–${clock(end)}`
  return `${moment(begin)} – ${moment(end)}`
}

function reach({ runs, jobs, pulls, clusters }: IncidentView['incident']): string {
  const ofPulls = pulls.length > 0 ? `, ${counted(pulls.length, 'PR')}` : ''
  const where = clusters.length > 0 ? `, on ${clusters.join(', ')}` : ''
  return `${counted(runs.length, 'run')} of ${counted(jobs.length, 'job')}${ofPulls}${where}`
}

interface LegendProps {
  readonly causes: ReadonlyMap<string, string>
  readonly witness: boolean
  readonly outcomes: IncidentView['outcomes']
}

function Legend({ causes, witness, outcomes }: LegendProps) {
  const items = [
    ...(witness ? [[-1, 'witness line']] : []),
    ...(causes.size > 0 ? [...causes.values()] : ['a line that shows it']).map((title, i) => [i, title]),
  ] as const
  return (
    <figcaption className="mt-1.5 flex flex-wrap gap-x-5 text-small text-faint">
      {items.map(([index, title]) => (
        <span key={title} className="inline-flex items-center gap-1.5">
          <svg width={14} height={14} aria-hidden="true" className="shrink-0">
            <Shape index={Number(index)} x={7} y={7} />
          </svg>
          {title}
        </span>
      ))}
      {(Object.keys(OUTCOME_WORDS) as RunOutcome[])
        .filter((outcome) => outcomes[outcome] > 0)
        .map((outcome) => (
          <span key={outcome} className="inline-flex items-center gap-1.5">
            <svg width={14} height={14} aria-hidden="true" className="shrink-0">
              <OutcomeShape outcome={outcome} x={7} y={7} />
            </svg>
            {OUTCOME_WORDS[outcome]}
          </span>
        ))}
      <span>shaded: the bounds of the incident</span>
    </figcaption>
  )
}
