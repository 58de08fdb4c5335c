import type { ReactNode } from 'react'
import type { RunLinks } from '#lib/service/views.ts'
import { Away } from './link.tsx'

/** Where else people look at it; nothing where its bucket belongs to no known deployment. */
export function PlaceLinks({
  links,
  all = false,
  className = '',
}: {
  links: RunLinks
  all?: boolean
  className?: string
}): ReactNode {
  const places = [
    ['Spyglass', links.spyglass],
    ['artifacts', links.artifacts],
    ['job history', all ? links.jobHistory : undefined],
    ['PR', all ? links.pull : undefined],
  ] as const
  return (
    <span className={`flex flex-wrap gap-x-3 text-small ${className}`}>
      {places.map(
        ([name, href]) =>
          href && (
            <Away key={name} href={href}>
              {name}
            </Away>
          ),
      )}
    </span>
  )
}
