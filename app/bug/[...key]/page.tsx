import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { bugName } from '#lib/evidence/bug-key.ts'
import { outcomesLine } from '#lib/incident/outcomes.ts'
import { type BugSignature, type BugView, bugView } from '#lib/service/bug.ts'
import { counted, day } from '../../_ui/format.ts'
import { Away, Link } from '../../_ui/link.tsx'
import { load } from '../../_ui/load.ts'
import { Notice, TroubleNotice } from '../../_ui/notice.tsx'
import { Page } from '../../_ui/page.tsx'
import { incidentLink, signatureLink } from '../../_ui/signature-link.ts'
import { Time } from '../../_ui/time.tsx'

export async function generateMetadata({ params }: PageProps<'/bug/[...key]'>): Promise<Metadata> {
  const key = textOf((await params).key)
  return { title: `Bug ${bugName(key) ?? key}` }
}

export default async function BugPage({ params }: PageProps<'/bug/[...key]'>) {
  const key = textOf((await params).key)
  const loaded = await load((ctx) => bugView(ctx, key))
  return <Page>{loaded.trouble ? <TroubleNotice trouble={loaded.trouble} /> : <Bug view={loaded.view} />}</Page>
}

/** Parts of an address come escaped. One that is not well escaped is taken as it is. */
function textOf(parts: readonly string[]): string {
  try {
    return decodeURIComponent(parts.join('/')).replace(/^(https?:)\/(?!\/)/, '$1//')
  } catch {
    return parts.join('/')
  }
}

function Bug({ view }: { view: BugView }): ReactNode {
  const { name, given, address, signatures, moreSignatures, evidence } = view
  if (name === undefined)
    return (
      <Notice title="This names no bug">
        <p>
          <code className="break-all">{given}</code> is none of <code>bz1750890</code>, <code>OCPBUGS-123</code>,{' '}
          <code>org/repo#12</code> or a bug’s address.
        </p>
      </Notice>
    )
  if (signatures.length === 0 && evidence.length === 0)
    return (
      <Notice title={`Nothing here names ${name}`}>
        <p>
          No signature lists this bug, and no evidence was frozen for it.{' '}
          {address && <Away href={address}>Read it in its tracker</Away>}
        </p>
        <p>
          <Link href={`/search?${new URLSearchParams({ search: name.replace(/^bz/, '') })}`}>
            Search the logs for it
          </Link>
          , or name it under <code>bugs</code> of a signature: <Link href="/signatures/new">try a new one</Link>.
        </p>
      </Notice>
    )
  return (
    <>
      <h1>Bug {address ? <Away href={address}>{name}</Away> : name}</h1>
      <p className="mt-1 text-lead text-soft">
        {counted(signatures.length + moreSignatures, 'signature')} and{' '}
        {evidence.length === 0
          ? 'no evidence'
          : `${evidence.length} frozen ${evidence.length === 1 ? 'answer' : 'answers'}`}{' '}
        name it
      </p>
      {signatures.map((one) => (
        <OfSignature key={one.signature.id} of={one} />
      ))}
      {moreSignatures > 0 && <p className="mt-4 text-soft">and {counted(moreSignatures, 'more signature')}</p>}
      <Frozen evidence={evidence} />
    </>
  )
}

function OfSignature({ of: { signature, sentences, incidents } }: { of: BugSignature }): ReactNode {
  const { id, title, status, changes, advice } = signature
  const [first, ...rest] = sentences
  return (
    <section className="mt-6">
      <h2 className="border-b border-edge pb-1">
        <Link href={signatureLink(id)}>{title}</Link>
        {status.state !== 'active' && <span className="ml-3 font-normal text-warn">◇ {status.state}</span>}
      </h2>
      <p className="mt-1.5 max-w-[64rem] text-lead text-pretty">{first}</p>
      {rest.length > 0 && <p className="max-w-[64rem] text-pretty text-soft">{rest.join(' ')}</p>}
      {advice && <p className="mt-1 max-w-[56rem] text-pretty text-soft">{advice}</p>}
      <div className="mt-3 flex flex-wrap gap-x-12 gap-y-3">
        <div>
          <h3 className="text-small text-faint">Changes</h3>
          {changes.length === 0 && <p className="text-soft">none noted</p>}
          {changes.map(({ at, title: what, link }) => (
            <p key={`${at} ${what}`}>
              {day(at)} {link ? <Away href={link}>{what}</Away> : what}
            </p>
          ))}
        </div>
        <div>
          <h3 className="text-small text-faint">Newest incidents</h3>
          {incidents.length === 0 && <p className="text-soft">none is known</p>}
          {incidents.map((incident) => (
            <p key={incident.id}>
              <Link href={incidentLink(incident.id)} row>
                <Time at={incident.at} />
              </Link>{' '}
              <span className="text-soft">
                {outcomesLine(incident.runs)}, of {counted(incident.jobs.length, 'job')}
              </span>
            </p>
          ))}
        </div>
      </div>
    </section>
  )
}

function Frozen({ evidence }: { evidence: BugView['evidence'] }): ReactNode {
  return (
    <section className="mt-6">
      <h2 className="border-b border-edge pb-1">Evidence</h2>
      {evidence.length === 0 && (
        <p className="mt-1.5 text-soft">Nothing was frozen for it yet: a signature’s page has the button.</p>
      )}
      <ul>
        {evidence.map(({ id, frozenAt, headline }) => (
          <li key={id} className="flex flex-wrap gap-x-3 py-1">
            <Time at={frozenAt} />
            <Link href={`/e/${id}`} className="link break-words" row>
              {headline}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
