import type { ReactNode } from 'react'
import type { HitView } from '#lib/service/views.ts'
import { Link } from './link.tsx'

interface Shown {
  readonly hit: Pick<HitView['hit'], 'log' | 'line' | 'text'>
  readonly links: Pick<HitView['links'], 'prowl'>
}

/** A hit as one link to its line. */
export function HitLine({ view: { hit, links } }: { view: Shown }): ReactNode {
  return (
    <Link href={links.prowl} className="mt-0.5 block font-mono text-small hover:bg-wash" row>
      <span className="text-accent">
        {shortLog(hit.log)}:{hit.line}
      </span>
      <span className="ml-2 line-clamp-2 break-all text-soft">{hit.text}</span>
    </Link>
  )
}

/** The file's name: its folders are on the run's page. */
function shortLog(log: string): string {
  return log.slice(log.lastIndexOf('/') + 1)
}
