import type { ReactNode } from 'react'
import type { Run, RunRefs } from '#lib/model/run.ts'
import type { RunView } from '#lib/service/views.ts'
import { duration } from '../../_ui/format.ts'
import { Link } from '../../_ui/link.tsx'
import { PlaceLinks } from '../../_ui/place-links.tsx'
import { pullName } from '../../_ui/pull-name.ts'
import { Result } from '../../_ui/result.tsx'
import { Time } from '../../_ui/time.tsx'

export function RunHead({ view: { run, links }, now }: { view: RunView; now: number }): ReactNode {
  return (
    <header>
      <h1 className="break-all">
        {run.job} <span className="inline-block font-normal text-faint">{run.buildId}</span>
      </h1>
      <p className="mt-1 flex flex-wrap items-baseline gap-x-4">
        <span className="font-medium">
          <Result result={run.result} />
        </span>
        <Times run={run} now={now} />
        <span className="text-soft">{run.type}</span>
        {run.refs && <Refs refs={run.refs} pull={links.pull} />}
        {run.cluster && <span className="text-soft">on {run.cluster}</span>}
      </p>
      <p className="mt-1 flex flex-wrap items-baseline gap-x-4 text-small">
        <Link href={`/jobs/${encodeURIComponent(run.job)}`}>other runs of this job</Link>
        <PlaceLinks links={links} all />
      </p>
      {run.description && <p className="mt-2 max-w-[90ch] text-soft">Prow says: {run.description}</p>}
      {run.warnings.length > 0 && (
        <ul className="mt-2 text-small text-warn">
          {run.warnings.map((warning) => (
            <li key={warning}>▲ {warning}</li>
          ))}
        </ul>
      )}
    </header>
  )
}

function Times({ run: { startedAt, finishedAt, time }, now }: { run: Run; now: number }): ReactNode {
  const [verb, at] =
    finishedAt !== undefined
      ? ['ended', finishedAt]
      : startedAt !== undefined
        ? ['started', startedAt]
        : ['about', time]
  return (
    <span>
      {verb} <Time at={Number(at)} now={now} />
      {startedAt !== undefined && finishedAt !== undefined && finishedAt >= startedAt && (
        <span className="whitespace-nowrap text-soft"> after {duration(finishedAt - startedAt)}</span>
      )}
    </span>
  )
}

function Refs({ refs, pull }: { refs: RunRefs; pull: string | undefined }): ReactNode {
  const branch = refs.baseRef ? ` on ${refs.baseRef}` : ''
  return (
    <span className="text-soft">
      {pull ? (
        <a href={pull} rel="noreferrer" className="link">
          {pullName(refs)}
        </a>
      ) : (
        pullName(refs)
      )}
      {branch}
    </span>
  )
}
