import type { ReactNode } from 'react'
import { Away } from './link.tsx'

export function BugLinks({ bugs }: { bugs: readonly string[] }): ReactNode {
  if (bugs.length === 0) return <span className="text-faint">–</span>
  return bugs.map((bug) => (
    <span key={bug} className="block">
      <Away href={bug}>{bugName(bug)}</Away>
    </span>
  ))
}

/** The number that trackers end their addresses with; else the address. */
function bugName(bug: string): string {
  return /(?:[=/])([A-Z]+-\d+|\d+)\/?$/.exec(bug)?.[1] ?? bug.replace(/^https?:\/\//, '')
}
