import type { ReactNode } from 'react'
import type { Signature } from '#lib/model/signature.ts'
import type { SignatureView } from '#lib/service/views.ts'
import { BugLinks } from '../../_ui/bug-links.tsx'
import { FEED_TYPE, feedAddress } from '../../_ui/feed-link.ts'
import { day } from '../../_ui/format.ts'
import { FreezeButton } from '../../_ui/freeze-button.tsx'
import { Away, Link } from '../../_ui/link.tsx'
import { signatureLink } from '../../_ui/signature-link.ts'
import { StateMark } from '../../_ui/state-mark.tsx'

/** The answer in words, before anything drawn. */
export function Head({ view }: { view: SignatureView }): ReactNode {
  const { signature, parent, sentences } = view
  const [first, ...rest] = sentences
  return (
    <header>
      {parent && (
        <p className="text-small text-faint">
          A phase of <Link href={signatureLink(parent.id)}>{parent.title}</Link>
        </p>
      )}
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <h1>
          {signature.title}
          <span className="ml-4 text-lead">
            <StateMark verdict={view.verdict} />
          </span>
        </h1>
        <div className="flex items-baseline gap-4">
          {/* No page of the app: the browser hands it to a reader of feeds. */}
          <a href={feedAddress(signature.id)} type={FEED_TYPE} className="link text-small">
            subscribe
          </a>
          <FreezeButton what="signature" value={signature.id} />
        </div>
      </div>
      <Status signature={signature} />
      <p className="mt-1.5 max-w-[64rem] text-lead text-pretty">{first}</p>
      {rest.length > 0 && <p className="max-w-[64rem] text-lead text-pretty text-soft">{rest.join(' ')}</p>}
    </header>
  )
}

/** What people wrote about it: what to do, whose it is, what was done. */
export function About({ view: { signature, parts } }: { view: SignatureView }): ReactNode {
  return (
    <section aria-label="About" className="mt-6 space-y-4">
      {signature.advice && (
        <p className="max-w-[56rem] text-pretty text-soft">
          <span className="font-semibold text-ink">When it strikes: </span>
          {signature.advice}
        </p>
      )}
      <Facts signature={signature} parts={parts} />
    </section>
  )
}

function Status({ signature: { status } }: { signature: Signature }): ReactNode {
  if (status.state === 'active') return null
  const until = status.until === undefined ? '' : ` until ${day(status.until)}`
  return (
    <p className="text-warn">
      ◇ {status.state}
      {until}
      {status.reason && `: ${status.reason}`}
    </p>
  )
}

function Facts({ signature, parts }: { signature: Signature; parts: readonly Signature[] }): ReactNode {
  const { bugs, owner, chat, component, blames, changes } = signature
  return (
    <dl className="flex flex-wrap gap-x-10 gap-y-2 text-small [&_dt]:text-faint">
      {parts.length > 0 && (
        <Fact name="phases">
          {parts.map((part) => (
            <span key={part.id} className="block">
              <Link href={signatureLink(part.id)}>{part.title}</Link>
            </span>
          ))}
        </Fact>
      )}
      {bugs.length > 0 && (
        <Fact name="reported as">
          <BugLinks bugs={bugs} />
        </Fact>
      )}
      {changes.length > 0 && (
        <Fact name="changes">
          {changes.map(({ at, title, link }) => (
            <span key={`${at} ${title}`} className="block">
              {day(at)} {link ? <Away href={link}>{title}</Away> : title}
            </span>
          ))}
        </Fact>
      )}
      {owner && <Fact name="owner">{[owner, chat].filter(Boolean).join(', ')}</Fact>}
      {component && <Fact name="component">{component}</Fact>}
      {blames && <Fact name="to blame">{blames}</Fact>}
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
