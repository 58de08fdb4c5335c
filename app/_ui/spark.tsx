import type { ReactNode } from 'react'
import { spark } from '#lib/chart/day-bars.ts'

const SIZE = { width: 84, height: 18 }

/** Runs a day as little bars; `title` says in words what they show. */
export function Spark({ counts, title }: { counts: readonly number[]; title: string }): ReactNode {
  return (
    <svg
      role="img"
      aria-label={title}
      width={SIZE.width}
      height={SIZE.height + 1}
      viewBox={`0 0 ${SIZE.width} ${SIZE.height + 1}`}
      className="block"
    >
      <title>{title}</title>
      <line x1={0} x2={SIZE.width} y1={SIZE.height + 0.5} y2={SIZE.height + 0.5} className="stroke-line" />
      {spark(counts, SIZE).map(({ x, ...bar }) => (
        <rect key={x} x={x} {...bar} className="fill-soft" />
      ))}
    </svg>
  )
}
