import type { ReactNode } from 'react'
import type { LogWindow } from '#lib/service/views.ts'
import { count } from '../../_ui/format.ts'
import type { LineLink } from './places.ts'

const WIDTH = 1000
const HEIGHT = 14

/** The whole log as a bar: which part is shown, and where the hits are. */
export function LogMap({ window, link }: { window: LogWindow; link: LineLink }): ReactNode {
  const { log, from, to, hitLines } = window
  if (hitLines.length === 0 && from <= 1 && to >= log.lines) return null
  const x = (line: number) => ((line - 1) / Math.max(1, log.lines - 1)) * (WIDTH - 4) + 2
  return (
    // biome-ignore lint/a11y/useSemanticElements: a drawing whose marks are links is a group, not a fieldset
    <svg
      role="group"
      aria-label={`Where the hits are in ${count(log.lines)} lines`}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      width="100%"
      height={HEIGHT}
      className="block"
    >
      <rect x={0} y={4} width={WIDTH} height={6} className="fill-line" />
      <rect x={x(from)} y={2} width={Math.max(3, x(to) - x(from))} height={10} className="fill-edge" />
      {hitLines.map((line) => (
        <a key={line} href={link(log.name, line)} className="group">
          <title>{`hit on line ${count(line)}`}</title>
          <rect x={x(line) - 4} y={0} width={8} height={HEIGHT} className="fill-transparent" />
          <rect x={x(line) - 1.5} y={0} width={3} height={HEIGHT} className="fill-alert group-hover:fill-accent" />
        </a>
      ))}
    </svg>
  )
}
