import type { ReactNode } from 'react'
import type { HitView, SignatureView } from '#lib/service/views.ts'
import { cursorText } from '../../_ui/cursor.ts'
import { HitLine } from '../../_ui/hit-line.tsx'
import { Link } from '../../_ui/link.tsx'
import { PlaceLinks } from '../../_ui/place-links.tsx'
import { pullName } from '../../_ui/pull-name.ts'
import { Result } from '../../_ui/result.tsx'
import { signatureLink } from '../../_ui/signature-link.ts'
import { Time } from '../../_ui/time.tsx'

export function NewestHits({
  view,
  cause,
  now,
}: {
  view: SignatureView
  cause: string | undefined
  now: number
}): ReactNode {
  const { hits, causes, signature, nextHits } = view
  const title = causes.find(({ id }) => id === cause)?.title
  const next = new URLSearchParams({ ...(cause && { cause }), ...(nextHits && { after: cursorText(nextHits) }) })
  return (
    <section className="mt-8" id="hits">
      <h2>
        Newest hits
        {cause && (
          <span className="font-normal text-soft">
            {' '}
            of cause “{title ?? cause}” · <Link href={`${signatureLink(signature.id)}#hits`}>all causes</Link>
          </span>
        )}
      </h2>
      {hits.length === 0 ? (
        <p className="mt-1 text-soft">None has been read.</p>
      ) : (
        <ol className="mt-1">
          {hits.map((one) => (
            <HitItem key={one.links.prowl + one.hit.cause + one.hit.resource} view={one} now={now} />
          ))}
        </ol>
      )}
      {nextHits && (
        <p className="mt-3">
          <Link href={`${signatureLink(signature.id)}?${next}#hits`} className="button">
            Older hits
          </Link>
        </p>
      )}
    </section>
  )
}

function HitItem({ view, now }: { view: HitView; now: number }): ReactNode {
  const { hit, run, links } = view
  return (
    <li className="border-t border-line py-2 first:border-0">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <Time at={hit.time} now={now} />
        {run && <Result result={run.result} />}
        <Link href={`/jobs/${encodeURIComponent(hit.job)}`} className="break-all text-soft hover:text-accent">
          {hit.job}
        </Link>
        {run?.refs && links.pull && (
          <a href={links.pull} rel="noreferrer" className="link whitespace-nowrap">
            {pullName(run.refs)}
          </a>
        )}
        <PlaceLinks links={links} className="ml-auto max-sm:ml-0" />
      </div>
      <HitLine view={view} />
    </li>
  )
}
