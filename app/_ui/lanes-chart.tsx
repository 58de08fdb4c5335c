import type { ReactNode } from 'react'
import type { Lane, LaneMark, Lanes } from '#lib/chart/lanes.ts'
import { formatRunPath } from '#lib/model/run-path.ts'
import { clock, moment } from './format.ts'
import { OutcomeShape } from './outcome.tsx'

/** Causes in the order of their first strike; each has a shape of its own. */
export type CauseNames = ReadonlyMap<string, string>

/** What an outage did to each run: a row a run, its heartbeats and failures in time. */
export function LanesChart({ chart, causes, title }: { chart: Lanes; causes: CauseNames; title: string }): ReactNode {
  const { width, height, plot, shade, ticks } = chart
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
      <rect
        x={shade.x}
        y={plot.top - 4}
        width={shade.width}
        height={plot.bottom - plot.top + 8}
        className="fill-struck"
      />
      {ticks.map(({ x, at, label }) => (
        <g key={at}>
          <line x1={x} x2={x} y1={plot.top - 6} y2={plot.bottom} className="stroke-line" />
          <text x={x} y={plot.top - 12} textAnchor="middle" className="fill-faint">
            {label}
          </text>
        </g>
      ))}
      {chart.rows.map((lane) => (
        <LaneRow key={`${lane.bucket} ${lane.path}`} lane={lane} plot={plot} causes={causes} />
      ))}
    </svg>
  )
}

function LaneRow({ lane, plot, causes }: { lane: Lane; plot: Lanes['plot']; causes: CauseNames }): ReactNode {
  const { y, span, marks, end, job, buildId } = lane
  const page = `/runs/${formatRunPath(lane)}`
  const ended = end.at === undefined ? '' : ` ${clock(end.at)}`
  return (
    <g>
      <a href={page} className="fill-ink hover:fill-accent">
        <title>{`${job} ${buildId}`}</title>
        <text x={0} y={y + 4}>
          {shorten(job, 26)}
        </text>
      </a>
      <line x1={span.x1} x2={span.x2} y1={y} y2={y} className="stroke-edge" />
      {marks.map(
        ({ line, log, what, range }) =>
          range && (
            <line
              key={`${log} ${line} ${what}`}
              x1={range.x1}
              x2={range.x2}
              y1={y}
              y2={y}
              strokeWidth={5}
              className="stroke-line"
            />
          ),
      )}
      {marks.map((mark) => (
        <Mark key={`${mark.log} ${mark.line} ${mark.what}`} mark={mark} y={y} page={page} causes={causes} />
      ))}
      {end.x !== undefined && <OutcomeShape outcome={end.outcome} x={end.x} y={y} />}
      <OutcomeShape outcome={end.outcome} x={plot.right + 16} y={y} />
      <text x={plot.right + 26} y={y + 4} className="fill-soft">
        <title>{`${end.words}${ended}`}</title>
        {`${shortEnd(end)}${ended}`}
      </text>
    </g>
  )
}

function Mark({ mark, y, page, causes }: { mark: LaneMark; y: number; page: string; causes: CauseNames }): ReactNode {
  const { what, at, x, log, line, hidden } = mark
  const name = what === 'witness' ? 'witness line' : (causes.get(what) ?? 'hit')
  const more = hidden > 0 ? ` and ${hidden} more here` : ''
  return (
    <a href={`${page}?${new URLSearchParams({ log, line: String(line) })}#L${line}`} className="group">
      <title>{`${name}${more}, ${moment(at)} UTC, ${log}:${line}`}</title>
      <rect x={x - 5} y={y - 9} width={10} height={18} className="fill-transparent" />
      <Shape index={what === 'witness' ? -1 : Math.max(0, [...causes.keys()].indexOf(what))} x={x} y={y} />
    </a>
  )
}

/** A dot for the witness; then for causes in order a filled diamond, a cross, a ring, and squares for the rest. */
export function Shape({ index, x, y }: { index: number; x: number; y: number }): ReactNode {
  if (index < 0) return <circle cx={x} cy={y} r={2} className="fill-faint group-hover:fill-accent" />
  if (index === 0) return <path d={`M${x} ${y - 6}l6 6l-6 6l-6 -6z`} className="fill-alert group-hover:fill-accent" />
  if (index === 1)
    return (
      <path
        d={`M${x - 4} ${y - 4}l8 8m0 -8l-8 8`}
        strokeWidth={1.75}
        className="stroke-alert group-hover:stroke-accent"
      />
    )
  if (index === 2)
    return (
      <circle cx={x} cy={y} r={4} strokeWidth={1.75} className="fill-panel stroke-alert group-hover:stroke-accent" />
    )
  return <rect x={x - 4} y={y - 4} width={8} height={8} className="fill-alert group-hover:fill-accent" />
}

/** What there is room for; the table below has it whole. */
function shortEnd({ outcome, words }: Lane['end']): string {
  return outcome === 'later' ? 'failed later' : words
}

/** The end tells jobs apart: names share their beginnings. Cut where a word begins, if one does. */
function shorten(text: string, most: number): string {
  if (text.length <= most) return text
  const end = text.slice(-(most - 1))
  return `…${/^[^-]+-(?=.{8})/.test(end) ? end.slice(end.indexOf('-') + 1) : end}`
}
