import type { ReactNode } from 'react'
import type { EvidenceRunView, EvidenceView } from '#lib/service/evidence-view.ts'
import { count, counted } from '../../_ui/format.ts'
import { Link } from '../../_ui/link.tsx'
import { MarkedText } from '../../_ui/marked-text.tsx'
import { PlaceLinks } from '../../_ui/place-links.tsx'
import { pullName } from '../../_ui/pull-name.ts'
import { Result } from '../../_ui/result.tsx'
import { Time } from '../../_ui/time.tsx'

/** Runs that a printed page has room for. */
const PRINTED = 4

/** The lines as they were, under their runs. */
export function FrozenRuns({ view: { evidence, runs } }: { view: EvidenceView }): ReactNode {
  const { lines, counts } = evidence.content
  if (lines.length === 0) return <p className="mt-6 text-soft">No line was found.</p>
  return (
    <section className="mt-6">
      <h2 className="border-b border-edge pb-1">
        The lines as they were: {counts.lines > lines.length ? `${count(lines.length)} of ` : ''}
        {counted(counts.lines, 'line')}
      </h2>
      <ol>
        {runs.map((run, i) => (
          <Run key={`${run.run.bucket}/${run.run.path}`} view={run} printed={i < PRINTED} />
        ))}
      </ol>
      {runs.length > PRINTED && (
        <p className="mt-2 hidden text-small text-faint print:block">
          Lines of {count(runs.length - PRINTED)} more runs are at the link.
        </p>
      )}
    </section>
  )
}

function Run({ view: { run, lines, text }, printed }: { view: EvidenceRunView; printed: boolean }): ReactNode {
  return (
    <li className={`border-b border-line py-2 last:border-0 ${printed ? '' : 'print:hidden'}`}>
      <div className="flex flex-wrap items-baseline gap-x-3">
        <Result result={run.result} />
        <Time at={run.time} />
        <Link href={`/jobs/${encodeURIComponent(run.job)}`} className="break-all hover:text-accent">
          {run.job}
        </Link>
        <span className="text-faint">{run.buildId}</span>
        {run.refs && run.refs.pulls.length > 0 && <span className="text-soft">{pullName(run.refs)}</span>}
        {run.cluster && <span className="text-faint">{run.cluster}</span>}
        {text === 'expired' && <span className="text-small text-warn">◇ log expired, line kept here</span>}
        {text === 'unknown' && <span className="text-small text-warn">◇ run known here only</span>}
      </div>
      {lines.map((one, i) => (
        <div key={`${one.line.log} ${one.line.line}`} className={i > 0 ? 'print:hidden' : ''}>
          <FrozenLine view={one} />
        </div>
      ))}
    </li>
  )
}

function FrozenLine({ view: { line, links } }: { view: EvidenceRunView['lines'][number] }): ReactNode {
  return (
    <div className="mt-1.5">
      <div className="flex flex-wrap items-baseline gap-x-3 text-small">
        <Link href={links.prowl} className="link font-mono break-all" row>
          {line.log}:{line.line}
        </Link>
        <PlaceLinks links={links} className="print:hidden" />
        {line.cause && <span className="text-soft">{line.cause}</span>}
      </div>
      <pre className="mt-0.5 max-h-72 overflow-y-auto rounded-sm bg-sunk px-2 py-1 break-all whitespace-pre-wrap print:max-h-[9lh] print:overflow-hidden">
        <Beside lines={line.before} />
        <span className="block min-h-[1lh]">
          <MarkedText text={line.text} spans={line.spans ?? []} />
        </span>
        <Beside lines={line.after} />
      </pre>
    </div>
  )
}

function Beside({ lines }: { lines: readonly string[] }): ReactNode {
  return lines.map((text, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines around a hit never move, and may be equal
    <span key={i} className="block min-h-[1lh] text-faint print:line-clamp-1">
      {text}
    </span>
  ))
}
