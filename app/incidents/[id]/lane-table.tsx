import type { ReactNode } from 'react'
import { runLinks } from '#lib/deployment/links.ts'
import type { Hit } from '#lib/model/hit.ts'
import type { Run } from '#lib/model/run.ts'
import type { IncidentView } from '#lib/service/views.ts'
import { clock } from '../../_ui/format.ts'
import { Link } from '../../_ui/link.tsx'
import { Outcome } from '../../_ui/outcome.tsx'
import { PlaceLinks } from '../../_ui/place-links.tsx'
import { pullName } from '../../_ui/pull-name.ts'
import { Time } from '../../_ui/time.tsx'

/** The runs hit with the lines that show it: the same as the drawing says, and where to read on. */
export function LaneTable({ view, causes }: { view: IncidentView; causes: ReadonlyMap<string, string> }): ReactNode {
  return (
    <ol className="mt-6">
      {view.lanes.map(({ run, hits, links, outcome, end }) => (
        <li key={links.prowl} className="border-t border-line py-2.5">
          <div className="flex flex-wrap items-baseline gap-x-3">
            <Link href={links.prowl} className="font-semibold break-all text-ink hover:text-accent" row>
              {run.job} <span className="font-normal text-faint">{run.buildId}</span>
            </Link>
            <Outcome outcome={outcome} words={end} />
            <span className="text-soft">
              <Time at={run.time} />
            </span>
            {run.refs && <span className="text-soft">{pullName(run.refs)}</span>}
            {run.cluster && <span className="text-soft">on {run.cluster}</span>}
            <PlaceLinks links={links} className="ml-auto max-sm:ml-0" />
          </div>
          <ul>
            {hits.map((hit) => (
              <HitLine key={`${hit.log} ${hit.line}`} run={run} hit={hit} cause={causes.get(hit.cause)} />
            ))}
          </ul>
        </li>
      ))}
    </ol>
  )
}

function HitLine({ run, hit, cause }: { run: Run; hit: Hit; cause: string | undefined }): ReactNode {
  const { placed } = hit
  const [earliest, latest] = [clock(placed.earliest), clock(placed.latest)]
  return (
    <li className="mt-1 flex gap-x-3 max-sm:block">
      <span className="shrink-0 whitespace-nowrap text-soft max-sm:mr-2 sm:w-24">
        {earliest === latest ? earliest : `${earliest}–${latest}`}
      </span>
      <Link href={runLinks(run, hit).prowl} className="min-w-0 font-mono text-small hover:bg-wash">
        <span className="text-accent">
          {hit.log.slice(hit.log.lastIndexOf('/') + 1)}:{hit.line}
        </span>
        {cause && <span className="ml-2 font-sans text-soft">{cause}</span>}
        <span className="line-clamp-2 break-all text-soft">{hit.text}</span>
      </Link>
    </li>
  )
}
