import type { ReactNode } from 'react'
import type { RunOutcome } from '#lib/model/incident.ts'

/** How a run that was hit ended, by shape: full, half full and two hollow ones. */
export function OutcomeShape({ outcome, x, y }: { outcome: RunOutcome; x: number; y: number }): ReactNode {
  if (outcome === 'died') return <rect x={x - 4} y={y - 4} width={8} height={8} className="fill-ink" />
  if (outcome === 'later')
    return (
      <>
        <rect x={x - 4} y={y - 4} width={8} height={8} className="fill-panel stroke-ink" />
        <rect x={x - 4} y={y - 4} width={4} height={8} className="fill-ink" />
      </>
    )
  if (outcome === 'passed') return <circle cx={x} cy={y} r={4} className="fill-panel stroke-soft" />
  return <path d={`M${x} ${y - 5}l5 5l-5 5l-5 -5z`} className="fill-panel stroke-soft" />
}

/** What became of a run, its shape before the words. */
export function Outcome({ outcome, words }: { outcome: RunOutcome; words: string }): ReactNode {
  return (
    <span className={`inline-flex items-baseline gap-1.5 ${outcome === 'died' ? 'text-ink' : 'text-soft'}`}>
      <svg width={12} height={12} aria-hidden="true" className="shrink-0 translate-y-[1px]">
        <OutcomeShape outcome={outcome} x={6} y={6} />
      </svg>
      {words}
    </span>
  )
}
