import type { ReactNode } from 'react'
import { habitWords } from '#lib/service/together.ts'
import type { Companion } from '#lib/service/views.ts'
import { counted } from '../../_ui/format.ts'
import { Link } from '../../_ui/link.tsx'
import { incidentLink, signatureLink } from '../../_ui/signature-link.ts'
import { Time } from '../../_ui/time.tsx'

/** What else is taken as the same outage, and why. */
export function Companions({ companions }: { companions: readonly Companion[] }): ReactNode {
  if (companions.length === 0) return null
  return (
    <section aria-label="Struck together with" className="mt-4">
      <h2>Struck together with</h2>
      <ul>
        {companions.map(({ signature, incident, sharedRuns, sharedClusters, ...habit }) => (
          <li key={incident.id} className="mt-1 flex flex-wrap items-baseline gap-x-3">
            <Link href={signatureLink(signature.id)} className="link" row>
              {signature.title}
            </Link>
            <span>
              its incident of{' '}
              <Link href={incidentLink(incident.id)} row>
                <Time at={incident.at} />
              </Link>
              , {counted(incident.runs, 'run')}
            </span>
            <span className="text-soft">{inCommon(sharedRuns, sharedClusters)}</span>
            <span className="text-faint">these two did so {habitWords(habit)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function inCommon(runs: number, clusters: readonly string[]): string {
  const parts = [
    ...(runs > 0 ? [counted(runs, 'run')] : []),
    ...(clusters.length > 0 ? [`build ${clusters.length === 1 ? 'cluster' : 'clusters'} ${clusters.join(', ')}`] : []),
  ]
  return `in common: ${parts.join(' and ')}`
}
