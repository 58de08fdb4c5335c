import type { ReactNode } from 'react'
import { bugName } from '#lib/evidence/bug-key.ts'
import { Away, Link } from './link.tsx'

export function BugLinks({ bugs }: { bugs: readonly string[] }): ReactNode {
  if (bugs.length === 0) return <span className="text-faint">–</span>
  return bugs.map((bug) => (
    <span key={bug} className="block">
      <BugLink bug={bug} />
    </span>
  ))
}

/** To what is known of it here, and to its tracker. */
function BugLink({ bug }: { bug: string }): ReactNode {
  const name = bugName(bug)
  if (name === undefined) return <Away href={bug}>{bug.replace(/^https?:\/\//, '')}</Away>
  return (
    <>
      <Link href={`/bug/${encodeURIComponent(name)}`}>{name.replace(/^bz/, '')}</Link>
      {'\u00a0'}
      <a href={bug} rel="noreferrer" className="link" aria-label={`${name} in its tracker`}>
        ↗
      </a>
    </>
  )
}
