import type { ReactNode } from 'react'
import type { EvidenceView } from '#lib/service/evidence-view.ts'
import { BugLinks } from '../../_ui/bug-links.tsx'
import { CopyButton } from '../../_ui/copy-button.client.tsx'
import { counted } from '../../_ui/format.ts'
import { Away, Link } from '../../_ui/link.tsx'
import { signatureLink } from '../../_ui/signature-link.ts'

const FORMATS = [
  ['markdown', 'Markdown'],
  ['jira', 'Jira'],
  ['plain', 'plain text'],
] as const

/** What is known of it already comes before the way to report it anew. */
export function ForBug({ view }: { view: EvidenceView }): ReactNode {
  return (
    <section aria-label="For a bug" className="mt-6 space-y-3 print:hidden">
      <Known known={view.known} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <span className="text-faint">Copy for bug:</span>
        {FORMATS.map(([format, name]) => (
          <CopyButton key={format} text={view.texts[format]} word={`copy ${name}`} className="button" />
        ))}
        <CopyButton address={`/e/${view.evidence.id}`} word="copy link" />
        <Link href="#texts">the texts</Link>
      </div>
      {view.trackers.length > 0 && (
        <p className="flex flex-wrap gap-x-4">
          <span className="text-faint">Report a new bug:</span>
          {view.trackers.map(({ name, link }) => (
            <Away key={name} href={link}>
              {name}
            </Away>
          ))}
        </p>
      )}
    </section>
  )
}

/** The same texts to read, and to take where there is no button. */
export function Texts({ view }: { view: EvidenceView }): ReactNode {
  return (
    <section id="texts" className="mt-6 space-y-3 print:hidden">
      <h2 className="border-b border-edge pb-1">For a bug</h2>
      {FORMATS.map(([format, name]) => (
        <label key={format} className="block max-w-4xl">
          <span className="text-small text-faint">As {name}</span>
          <textarea
            readOnly
            aria-label={`For a bug, as ${name}`}
            value={view.texts[format]}
            rows={8}
            className="mt-1 block w-full rounded-md border border-edge bg-sunk p-2 font-mono text-small"
          />
        </label>
      ))}
    </section>
  )
}

function Known({ known }: { known: EvidenceView['known'] }): ReactNode {
  if (known.length === 0) return <p className="text-soft">No signature knows these lines, and so no bug.</p>
  return (
    <div>
      <h2>Known for these lines</h2>
      <ul>
        {known.map(({ id, title, bugs, lines }) => (
          <li key={id} className="flex flex-wrap gap-x-3">
            <Link href={signatureLink(id)}>{title}</Link>
            <span className="text-faint">{counted(lines, 'line')}</span>
            {bugs.length > 0 ? <BugLinks bugs={bugs} /> : <span className="text-faint">no bug</span>}
          </li>
        ))}
      </ul>
    </div>
  )
}
