import type { ReactNode } from 'react'
import type { Signature } from '#lib/model/signature.ts'
import type { SignatureView } from '#lib/service/views.ts'
import { BugLinks } from '../../_ui/bug-links.tsx'
import { day } from '../../_ui/format.ts'
import { Away, Link } from '../../_ui/link.tsx'
import { signatureLink } from '../../_ui/signature-link.ts'

/** The answer in words, before anything drawn. */
export function Head({ view }: { view: SignatureView }): ReactNode {
  const { signature, parent, parts, sentences } = view
  const [first, ...rest] = sentences
  return (
    <header>
      {parent && (
        <p className="text-small text-faint">
          A phase of <Link href={signatureLink(parent.id)}>{parent.title}</Link>
        </p>
      )}
      <h1>{signature.title}</h1>
      <Status signature={signature} />
      <div className="mt-2 max-w-[75ch] space-y-1">
        <p className="text-lead">{first}</p>
        {rest.map((sentence) => (
          <p key={sentence} className="text-lead text-soft">
            {sentence}
          </p>
        ))}
      </div>
      {signature.advice && (
        <p className="mt-3 max-w-[90ch] border-l-2 border-edge pl-3 text-soft">
          <span className="font-medium text-ink">When it strikes: </span>
          {signature.advice}
        </p>
      )}
      <Facts signature={signature} parts={parts} />
    </header>
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
    <dl className="mt-4 flex flex-wrap gap-x-8 gap-y-2 text-small [&_dt]:text-faint">
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
