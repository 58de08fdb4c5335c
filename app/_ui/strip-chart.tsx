import type { ReactNode } from 'react'
import type { Strip } from '#lib/chart/strip.ts'
import { dateTicks } from '#lib/chart/time-axis.ts'
import { counted, moment, moreWords } from './format.ts'

/** A signature's incidents as ticks; each a link, wider to the pointer than to the eye. */
export function StripChart({ strip, title }: { strip: Strip; title: string }): ReactNode {
  const { width, height, ticks, changes, hatch } = strip
  return (
    // biome-ignore lint/a11y/useSemanticElements: a drawing whose marks are links is a group, not a fieldset
    <svg
      role="group"
      aria-label={title}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      className="block max-w-full overflow-visible"
    >
      <line x1={0} x2={width} y1={height - 0.5} y2={height - 0.5} className="stroke-line" />
      {hatch && <rect x={hatch.x} y={0} width={hatch.width} height={height} className="fill-line/60" />}
      {changes.map(({ at, x, title: change }) => (
        <g key={`${at} ${change}`}>
          <line x1={x} x2={x} y1={-2} y2={height} className="stroke-accent" strokeDasharray="2 2" />
          <rect x={x - 4} y={0} width={8} height={height} className="fill-transparent">
            <title>{`Change: ${change}, ${moment(at)} UTC`}</title>
          </rect>
        </g>
      ))}
      {ticks.map(({ id, at, x, y1, y2, runs, jobs, counted: counts, more }) => (
        <a key={id} href={`/incidents/${encodeURIComponent(id)}`} className="group">
          <title>{tickTitle({ at, runs, jobs, counts, more })}</title>
          <rect
            x={x - 4}
            y={0}
            width={8}
            height={height}
            className="fill-transparent group-hover:fill-wash group-focus-visible:fill-wash"
          />
          <line
            x1={x}
            x2={x}
            y1={y1}
            y2={y2}
            strokeWidth={counts ? 2 : 1}
            className={counts ? 'stroke-ink group-hover:stroke-accent' : 'stroke-faint group-hover:stroke-accent'}
          />
          {/* A title shows to the pointer alone. */}
          <text
            x={x}
            y={height + 9}
            textAnchor={x < width / 3 ? 'start' : x > (width * 2) / 3 ? 'end' : 'middle'}
            className="hidden fill-soft text-tiny group-focus-visible:block"
          >
            {tickLabel({ at, runs, jobs })}
          </text>
        </a>
      ))}
    </svg>
  )
}

/** The months above a column of strips as wide. */
export function StripAxis({
  window: { from, to },
  width,
}: {
  window: { from: number; to: number }
  width: number
}): ReactNode {
  const x = (at: number) => Math.round(((at - from) / (to - from)) * (width - 2) + 1)
  return (
    <svg width={width} height={16} aria-hidden="true" className="block overflow-visible text-tiny">
      {dateTicks(from, to, x)
        .filter(({ major }) => major)
        .map(({ at, x: place, label }) => (
          <g key={at}>
            <line x1={place} x2={place} y1={11} y2={16} className="stroke-edge" />
            <text x={place + 4} y={13} className="fill-faint">
              {place > width - 24 ? '' : label}
            </text>
          </g>
        ))}
    </svg>
  )
}

type Tick = Pick<Strip['ticks'][number], 'at' | 'runs' | 'jobs'>

function tickTitle({ counts, more, ...tick }: Tick & { counts: boolean; more: number }): string {
  return `${tickLabel(tick)}${counts ? '' : ' (one PR or run only: not counted)'}${moreWords(more)}`
}

/** UTC, as all of the page; short enough to stand beneath a strip. */
function tickLabel({ at, runs, jobs }: Tick): string {
  return `${moment(at)}: ${counted(runs, 'run')} of ${counted(jobs, 'job')}`
}
