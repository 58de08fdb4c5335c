import type { ReactNode } from 'react'
import type { CoverageView } from '#lib/service/coverage.ts'
import { BLAMES, type Blame, type Covered, type CoveredType, TYPES } from '#lib/triage/coverage.ts'
import { count, counted, percent } from '../_ui/format.ts'
import { Link } from '../_ui/link.tsx'
import { intervalText } from '../_ui/share.ts'
import { signatureLink } from '../_ui/signature-link.ts'

const JOBS_SHOWN = 15

const BLAME_WORDS: Readonly<Record<Blame, string>> = {
  infra: 'infrastructure',
  product: 'product',
  test: 'test',
  unsaid: 'not said',
  several: 'several, of different kinds',
}
const TYPE_WORDS: Readonly<Record<CoveredType, string>> = {
  periodic: 'periodic',
  presubmit: 'presubmit',
  others: 'postsubmit and batch',
}

/** What the failures known blame, and how much is known by kind of run. */
export function SplitTables({ view }: { view: CoverageView }): ReactNode {
  const { blames, died, types } = view
  return (
    <div className="mt-6 grid gap-x-10 gap-y-6 md:grid-cols-2">
      <section>
        <h2>What is to blame</h2>
        <p className="mb-1 text-small text-faint">as the signatures of known failures say</p>
        <table className="figures">
          <tbody>
            {BLAMES.filter((blame) => blames[blame] > 0).map((blame) => (
              <tr key={blame}>
                <th scope="row" className="text-soft">
                  {BLAME_WORDS[blame]}
                </th>
                <td className="number">{count(blames[blame])}</td>
                <td className="number w-12 text-faint">{percent(blames[blame], died)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {died === 0 && <p className="text-soft">No failed run died of a known failure.</p>}
      </section>
      <section>
        <h2>By kind of run</h2>
        <p className="mb-1 text-small text-faint">known, of failed runs</p>
        <table className="figures">
          <tbody>
            {TYPES.filter((type) => types[type].failed > 0).map((type) => (
              <tr key={type}>
                <th scope="row" className="text-soft">
                  {TYPE_WORDS[type]}
                </th>
                <CoveredCells {...types[type]} />
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  )
}

/** Which known failures kill runs, and what none of the others explains. */
export function SignatureTable({ view: { signatures, failed, died } }: { view: CoverageView }): ReactNode {
  if (signatures.length === 0) return null
  return (
    <section className="mt-8">
      <h2>By failure</h2>
      <p className="mb-1 text-small text-faint">
        share of {counted(failed, 'failed run')} with its 95% interval; a run that died of two counts at both, and once
        among the {count(died)} known
      </p>
      <div className="overflow-x-auto">
        <table className="figures">
          <thead>
            <tr>
              <th scope="col">failure</th>
              <th scope="col" className="number">
                killed
              </th>
              <th scope="col" className="number">
                share
              </th>
              <th scope="col" className="number">
                95%
              </th>
              <th scope="col" className="number">
                only this
              </th>
              <th scope="col">to blame</th>
            </tr>
          </thead>
          <tbody>
            {signatures.map(({ signature, title, blames, share, onlyThis }) => (
              <tr key={signature}>
                <th scope="row" className="min-w-44">
                  <Link href={signatureLink(signature)} row>
                    {title}
                  </Link>
                </th>
                <td className="number">{count(share.part)}</td>
                <td className="number">{percent(share.part, share.whole)}</td>
                <td className="number text-faint">{intervalText(share)}</td>
                <td className="number">{percent(onlyThis, share.whole)}</td>
                <td className="whitespace-nowrap text-soft">
                  {blames ?? <span className="text-faint">not said</span>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

/** The jobs with the most unknown failures first. */
export function JobTable({ view: { jobs } }: { view: CoverageView }): ReactNode {
  const rest = jobs.slice(JOBS_SHOWN)
  return (
    <section className="mt-8">
      <h2>By job</h2>
      <p className="mb-1 text-small text-faint">known, of failed runs; the most unknown first</p>
      <JobRows jobs={jobs.slice(0, JOBS_SHOWN)} />
      {rest.length > 0 && (
        <details className="mt-1">
          <summary>{counted(rest.length, 'more job')}</summary>
          <JobRows jobs={rest} />
        </details>
      )}
    </section>
  )
}

function JobRows({ jobs }: { jobs: CoverageView['jobs'] }): ReactNode {
  return (
    <table className="figures">
      <tbody>
        {jobs.map(({ job, ...covered }) => (
          <tr key={job}>
            <th scope="row" className="break-all">
              <Link href={`/jobs/${encodeURIComponent(job)}`}>{job}</Link>
            </th>
            <CoveredCells {...covered} />
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function CoveredCells({ failed, died }: Covered): ReactNode {
  return (
    <>
      <td className="number">
        {count(Math.min(died, failed))} <span className="text-faint">of {count(failed)}</span>
      </td>
      <td className="number w-12 text-faint">{percent(Math.min(died, failed), failed)}</td>
    </>
  )
}
