import type { ReactNode } from 'react'
import type { Signature } from '#lib/model/signature.ts'
import { Link } from '../../_ui/link.tsx'
import { editLink } from '../../_ui/signature-link.ts'

/** What is looked for, as its file says; edited there and reviewed, never here. */
export function Definition({ signature }: { signature: Signature }): ReactNode {
  const { id, kind, regexes, excludes, excludeJobs, logs, witness, source, samples, part } = signature
  return (
    <details className="mt-8">
      <summary className="font-semibold text-ink">Definition and samples</summary>
      <div className="mt-3 space-y-4">
        <p className="text-soft">
          <code>{id}</code>, {kind === 'outage' ? 'an outage: incidents are counted' : 'per run: runs hit are counted'},
          defined in{' '}
          <code>
            {source.file}:{source.line}
          </code>
          {part && (
            <>
              : the hits of <code>{part.of}</code> whose cause is {part.causes.join(' or ')}
            </>
          )}
          . Edit that file to change it; hits are matched again by the worker.
        </p>
        <p className="text-soft">
          <Link href={editLink(id)}>Try an edit</Link> to see which runs it would gain and lose, or{' '}
          <Link href={editLink()}>a new signature</Link>.
        </p>
        <Lines title="A line is a hit if it matches (RE2)" lines={regexes} />
        <Lines title="unless it matches" lines={excludes} />
        <Lines title="or its job matches" lines={excludeJobs} />
        {logs.length > 0 && <p className="text-soft">Looked for in logs of kind {logs.join(', ')}.</p>}
        {witness && <Lines title="A run could have shown it if it holds the witness line" lines={[witness]} />}
        <Lines title="Samples that match" lines={samples.match} />
        <Lines title="Samples that must not match" lines={samples.noMatch} />
      </div>
    </details>
  )
}

function Lines({ title, lines }: { title: string; lines: readonly string[] }): ReactNode {
  if (lines.length === 0) return null
  return (
    <div>
      <p className="text-small text-faint">{title}</p>
      <ul className="mt-1 space-y-1">
        {lines.map((line) => (
          <li key={line}>
            <code className="block rounded-sm bg-sunk px-2 py-1 break-all whitespace-pre-wrap">{line}</code>
          </li>
        ))}
      </ul>
    </div>
  )
}
