import type { ReactNode } from 'react'
import type { Timeline, TimelineChange, TimelineMark } from '#lib/chart/timeline.ts'
import { count, counted, day, moment, moreWords } from './format.ts'

const ROW_NAMES = [
  ['runs', 'runs hit'],
  ['incidents', 'incidents'],
  ['gaps', 'days apart'],
  ['watched', 'watched'],
] as const

/** The signature's chart: how often it struck, proof of the sentences above it. */
export function TimelineChart({ chart, title }: { chart: Timeline; title: string }): ReactNode {
  const { width, height, plot, rows } = chart
  return (
    // biome-ignore lint/a11y/useSemanticElements: a drawing whose marks are links is a group, not a fieldset
    <svg
      role="group"
      aria-label={title}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      className="block overflow-visible text-tiny"
    >
      <Hatch chart={chart} />
      {ROW_NAMES.map(([row, name]) => (
        <text key={row} x={0} y={rows[row]} dy={row === 'incidents' ? 4 : 0} className="fill-faint">
          {name}
        </text>
      ))}
      <line x1={plot.left} x2={plot.right} y1={rows.incidents} y2={rows.incidents} className="stroke-edge" />
      <line x1={plot.left} x2={plot.right} y1={rows.watched + 0.5} y2={rows.watched + 0.5} className="stroke-edge" />
      <Ticks chart={chart} />
      <Watched chart={chart} />
      {chart.gaps
        .filter(({ label }) => label)
        .map(({ x, x1, x2, days, label }) => (
          <text key={`${x1} ${x2}`} x={x} y={rows.gaps} textAnchor="middle" className="fill-soft">
            <title>{`${days.toFixed(1)} days apart`}</title>
            {label}
          </text>
        ))}
      {chart.changes.map((change) => (
        <ChangeRule key={`${change.at} ${change.title}`} change={change} chart={chart} />
      ))}
      {chart.marks.map((mark) => (
        <Mark key={mark.id} mark={mark} rows={rows} />
      ))}
    </svg>
  )
}

function Mark({ mark, rows }: { mark: TimelineMark; rows: Timeline['rows'] }): ReactNode {
  const { id, at, x, radius, runs, counted: counts, more, label, range } = mark
  return (
    <a href={`/incidents/${encodeURIComponent(id)}`} className="group">
      <title>{`${moment(at)} UTC: ${counted(runs, 'run')} hit${counts ? '' : ' (one PR or run only: not counted)'}${moreWords(more)}`}</title>
      <rect
        x={x - 8}
        y={rows.runs - 12}
        width={16}
        height={rows.incidents - rows.runs + 24}
        className="fill-transparent"
      />
      {range && (
        <line
          x1={range.x1}
          x2={range.x2}
          y1={rows.incidents}
          y2={rows.incidents}
          strokeWidth={3}
          className="stroke-edge"
        />
      )}
      <circle
        cx={x}
        cy={rows.incidents}
        r={radius}
        strokeWidth={1.5}
        className={
          counts
            ? 'fill-ink stroke-ink group-hover:fill-accent group-hover:stroke-accent'
            : 'fill-panel stroke-faint group-hover:stroke-accent'
        }
      />
      {label && (
        <text x={x} y={rows.runs} textAnchor="middle" className="fill-ink font-medium group-hover:fill-accent">
          {label}
        </text>
      )}
    </a>
  )
}

function ChangeRule({ change, chart }: { change: TimelineChange; chart: Timeline }): ReactNode {
  const { at, title, link, x, anchor, row } = change
  const y = chart.plot.top - 18 * row - 6
  const words = (
    <text x={anchor === 'start' ? x + 5 : x - 5} y={y} textAnchor={anchor} className="fill-accent">
      <title>{`${title}, ${moment(at)} UTC`}</title>
      {title}
    </text>
  )
  return (
    <g>
      <line x1={x} x2={x} y1={y - 9} y2={chart.plot.bottom} className="stroke-accent" strokeDasharray="3 3" />
      {link ? <a href={link}>{words}</a> : words}
    </g>
  )
}

function Watched({ chart }: { chart: Timeline }): ReactNode {
  return chart.bars.map(({ day: at, hours, x, y, width, height }) => (
    <rect key={at} x={x} y={y} width={width} height={height} className="fill-line hover:fill-edge">
      <title>{`${day(at)}: ${count(Math.round(hours))} of 24 hours watched`}</title>
    </rect>
  ))
}

function Ticks({ chart: { ticks, plot, rows } }: { chart: Timeline }): ReactNode {
  return ticks.map(({ x, at, label, major }) => (
    <g key={at}>
      <line x1={x} x2={x} y1={plot.bottom} y2={plot.bottom + (major ? 7 : 4)} className="stroke-edge" />
      {label && (
        <text x={x} y={rows.axis} textAnchor="middle" className="fill-faint">
          {label}
        </text>
      )}
    </g>
  ))
}

/** Hatched: not complete yet. */
function Hatch({ chart: { hatch, plot } }: { chart: Timeline }): ReactNode {
  if (!hatch || hatch.width < 4) return null
  return (
    <>
      <defs>
        <pattern id="not-complete" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <line x1="0" x2="0" y1="0" y2="5" strokeWidth="2" className="stroke-line" />
        </pattern>
      </defs>
      <rect x={hatch.x} y={plot.top} width={hatch.width} height={plot.bottom - plot.top} fill="url(#not-complete)">
        <title>Not complete yet: runs that started here are still read</title>
      </rect>
    </>
  )
}
