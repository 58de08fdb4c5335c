import type { ReactNode } from 'react'
import type { RunView } from '#lib/service/views.ts'
import { CopyButton } from '../../_ui/copy-button.client.tsx'
import { Link } from '../../_ui/link.tsx'
import { groupLink, signatureLink } from '../../_ui/signature-link.ts'

/** Why did this one die: known failures first, each with the line that shows it. */
export function RunHits({ view: { run, hits, logs } }: { view: RunView }): ReactNode {
  if (hits.length === 0) {
    return (
      <>
        <p className="mt-5 text-soft">No known failure in its {logs.length === 1 ? 'log' : `${logs.length} logs`}.</p>
        <Unexplained run={run} />
      </>
    )
  }
  const bySignature = Map.groupBy(hits, ({ hit }) => hit.signature)
  return (
    <section aria-label="Known failures" className="mt-5 space-y-4">
      {[...bySignature].map(([id, own]) => (
        <div key={id}>
          <h2>
            <Link href={signatureLink(id)}>{own[0]?.signature?.title ?? id}</Link>
          </h2>
          <ol>
            {own.map((one) => (
              <HitItem key={one.links.prowl + one.hit.cause} view={one} />
            ))}
          </ol>
        </div>
      ))}
    </section>
  )
}

/** The line that it failed with, and others that failed so. */
function Unexplained({ run }: Pick<RunView, 'run'>): ReactNode {
  const { failure } = run
  if (!failure) return null
  const { log, line, text, group } = failure
  return (
    <section aria-label="The line that it failed with" className="mt-2">
      <p className="flex flex-wrap items-baseline gap-x-3 text-small">
        <Link
          href={`?${new URLSearchParams({ log, line: String(line) })}#L${line}`}
          className="link font-mono break-all"
          row
        >
          {log}:{line}
        </Link>
        <Link href={groupLink(group)}>others that failed with such a line</Link>
      </p>
      <pre className="mt-0.5 overflow-hidden rounded-sm border-l-2 border-edge bg-sunk px-2 py-1 break-all whitespace-pre-wrap">
        {text}
      </pre>
    </section>
  )
}

function HitItem({ view: { hit, signature, links } }: { view: RunView['hits'][number] }): ReactNode {
  const cause = signature?.causes.find(({ id }) => id === hit.cause)?.title
  return (
    <li className="mt-1">
      <p className="flex flex-wrap items-baseline gap-x-3 text-small">
        <Link href={links.prowl} className="link font-mono break-all" row>
          {hit.log}:{hit.line}
        </Link>
        {cause && <span className="text-soft">{cause}</span>}
        {links.spyglass?.includes('#') && (
          <a href={links.spyglass} rel="noreferrer" className="link">
            this line on Spyglass<span aria-hidden="true"> ↗</span>
          </a>
        )}
        <CopyButton address={links.prowl} word="copy link" />
      </p>
      <pre className="mt-0.5 overflow-hidden rounded-sm border-l-2 border-edge bg-sunk px-2 py-1 break-all whitespace-pre-wrap">
        {hit.before.at(-1) !== undefined && <span className="block text-faint">{hit.before.at(-1)}</span>}
        <span className="block bg-struck">{hit.text}</span>
        {hit.after[0] !== undefined && <span className="block text-faint">{hit.after[0]}</span>}
      </pre>
    </li>
  )
}
