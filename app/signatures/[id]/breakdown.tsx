import type { ReactNode } from 'react'
import type { SignatureView } from '#lib/service/views.ts'
import { count, counted, percent } from '../../_ui/format.ts'
import { Link } from '../../_ui/link.tsx'
import { signatureLink } from '../../_ui/signature-link.ts'

const JOBS_SHOWN = 10

/** Which jobs, by which cause, and how the runs hit ended. */
export function Breakdown({ view, cause }: { view: SignatureView; cause: string | undefined }): ReactNode {
  const { byJob, causes, outcomes, signature } = view
  if (byJob.length === 0) return null
  const runs = outcomes.failed + outcomes.passed + outcomes.other
  return (
    <section className="mt-8 grid gap-x-10 gap-y-6 lg:grid-cols-[3fr_2fr_1fr]">
      <Panel title="By job" note={`${counted(runs, 'run')} hit, of all runs of the job since the chart begins`}>
        <JobRows jobs={byJob.slice(0, JOBS_SHOWN)} />
        {byJob.length > JOBS_SHOWN && (
          <details className="mt-1">
            <summary>{counted(byJob.length - JOBS_SHOWN, 'more job')}</summary>
            <JobRows jobs={byJob.slice(JOBS_SHOWN)} />
          </details>
        )}
      </Panel>
      {causes.length > 0 && (
        <Panel title="By cause" note="runs that show it; one run may show several">
          <table className="figures">
            <tbody>
              {causes.map(({ id, title, runs: n }) => (
                <tr key={id}>
                  <th scope="row">
                    <Link
                      href={`${signatureLink(signature.id)}?cause=${encodeURIComponent(id)}#hits`}
                      current={id === cause ? 'true' : undefined}
                    >
                      {title}
                    </Link>
                  </th>
                  <td className="number">{count(n)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Panel>
      )}
      <Panel title="Outcome" note="of the runs hit">
        <table className="figures">
          <tbody>
            <Outcome word="■ failed" n={outcomes.failed} of={runs} />
            <Outcome word="○ passed" n={outcomes.passed} of={runs} />
            {outcomes.other > 0 && <Outcome word="◇ other" n={outcomes.other} of={runs} />}
          </tbody>
        </table>
      </Panel>
    </section>
  )
}

function Panel({ title, note, children }: { title: string; note: string; children: ReactNode }): ReactNode {
  return (
    <div className="min-w-0">
      <h2>{title}</h2>
      <p className="mb-1 text-small text-faint">{note}</p>
      {children}
    </div>
  )
}

function JobRows({ jobs }: { jobs: SignatureView['byJob'] }): ReactNode {
  return (
    <table className="figures">
      <tbody>
        {jobs.map(({ job, runs, of }) => (
          <tr key={job}>
            <th scope="row" className="break-all">
              <Link href={`/jobs/${encodeURIComponent(job)}`}>{job}</Link>
            </th>
            <td className="number">
              {count(runs)} <span className="text-faint">of {count(of)}</span>
            </td>
            <td className="number w-12 text-faint">{percent(runs, of)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Outcome({ word, n, of }: { word: string; n: number; of: number }): ReactNode {
  return (
    <tr>
      <th scope="row" className="whitespace-nowrap text-soft">
        {word}
      </th>
      <td className="number">
        {count(n)} <span className="text-faint">{percent(n, of)}</span>
      </td>
    </tr>
  )
}
