import type { ReactNode } from 'react'
import type { GroupPreview } from '#lib/service/group-preview.ts'
import type { GroupView } from '#lib/service/groups.ts'
import { CopyButton } from '../../_ui/copy-button.client.tsx'
import { count, counted, moment } from '../../_ui/format.ts'
import { Link } from '../../_ui/link.tsx'
import { editLink } from '../../_ui/signature-link.ts'

/** The signature that would know these failures, and what it would explain. Nothing is written. */
export function ProposalSection({ view: { proposal, unknown, window } }: { view: GroupView }): ReactNode {
  return (
    <section className="mt-8" id="proposal">
      <h2 className="border-b border-edge pb-1">A signature for it</h2>
      {proposal ? (
        <>
          <p className="mt-2 text-lead text-pretty">{previewWords(proposal.preview, unknown, window.days)}</p>
          {partly(proposal.preview)}
          <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
            <Link href={`${editLink()}?${new URLSearchParams({ yaml: proposal.yaml })}`} className="button">
              Try and edit it for a pull request
            </Link>
            <CopyButton text={proposal.yaml} word="copy YAML" className="button" />
          </div>
          <pre className="mt-3 overflow-x-auto rounded-sm bg-sunk px-2.5 py-2">{proposal.yaml}</pre>
        </>
      ) : (
        <p className="mt-2 text-soft">
          Its lines hold too few words of their own to tell them from others.{' '}
          <Link href={editLink()}>Write a signature</Link> from what is around them.
        </p>
      )}
    </section>
  )
}

function previewWords({ explains, passing, others }: GroupPreview, unknown: number, days: number): string {
  const also = [
    passing > 0 ? `also hits ${counted(passing, 'passing run')}` : 'hits no passing run',
    ...(others > 0 ? [`${counted(others, 'run')} that died of something known or did not end`] : []),
  ]
  return `Would explain ${count(explains)} of ${counted(unknown, 'unknown run')} of the last ${counted(days, 'day')}, ${also.join(', and ')}.`
}

function partly({ countedFrom }: GroupPreview): ReactNode {
  if (countedFrom === undefined) return null
  return (
    <p className="text-warn">
      ▲ Time was over: only runs from {moment(countedFrom)} UTC on were looked at. The page that tries it looks longer.
    </p>
  )
}
