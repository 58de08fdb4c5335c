import type { ReactNode } from 'react'
import { type Scatter, scatter } from '#lib/chart/scatter.ts'
import type { ChartRun, ChartView } from '#lib/service/peer-chart.ts'
import { duration, moment } from '../_ui/format.ts'
import { resultWord } from '../_ui/result.tsx'
import { colourOf, markOf, REACH } from './marks.ts'

const SIZE = { width: 1180, height: 340 }

/** Runs by start and duration, each a link to the run. */
export function ScatterChart({ view }: { view: ChartView }): ReactNode {
  const { runs, window, query } = view
  const chart = scatter({ window, runs: runs.map(({ startedAt, took }) => ({ at: startedAt, took })) }, SIZE)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a drawing whose marks are links is a group, not a fieldset
    <svg
      role="group"
      aria-label="Runs by when they started and how long they took"
      width={SIZE.width}
      height={SIZE.height}
      viewBox={`0 0 ${SIZE.width} ${SIZE.height}`}
      className="block text-tiny"
    >
      <Frame chart={chart} />
      {runs.map((run, i) => (
        <a key={run.link} href={run.link}>
          <title>{titleOf(run, query.patterns)}</title>
          <RunMark run={run} x={chart.points[i]?.x ?? 0} y={chart.points[i]?.y ?? 0} />
        </a>
      ))}
    </svg>
  )
}

function Frame({ chart: { plot, ticks, levels } }: { chart: Scatter }): ReactNode {
  return (
    <>
      <line x1={plot.left} x2={plot.right} y1={plot.bottom + 0.5} y2={plot.bottom + 0.5} className="stroke-edge" />
      {levels.map(({ y, label }) => (
        <g key={label}>
          <line x1={plot.left} x2={plot.right} y1={y} y2={y} className="stroke-line" />
          <text x={plot.left - 6} y={y + 4} textAnchor="end" className="fill-faint">
            {label}
          </text>
        </g>
      ))}
      {ticks.map(({ at, x, label }) => (
        <g key={at}>
          <line x1={x} x2={x} y1={plot.bottom} y2={plot.bottom + 4} className="stroke-edge" />
          <text x={x} y={plot.bottom + 17} textAnchor="middle" className="fill-faint">
            {label}
          </text>
        </g>
      ))}
    </>
  )
}

function RunMark({ run, x, y }: { run: ChartRun; x: number; y: number }): ReactNode {
  const mark = markOf(run)
  const r = REACH[mark]
  if (mark === 'error')
    return <rect x={x - r} y={y - r} width={2 * r} height={2 * r} className="fill-transparent stroke-ink" />
  if (mark === 'failed') return <circle cx={x} cy={y} r={r} className="fill-transparent stroke-soft" />
  if (run.pattern !== undefined) return <circle cx={x} cy={y} r={r} fill={colourOf(run.pattern)} />
  return <circle cx={x} cy={y} r={r} className={mark === 'pending' ? 'fill-warn' : 'fill-edge'} />
}

function titleOf({ job, buildId, result, startedAt, took, pattern }: ChartRun, patterns: readonly string[]): string {
  const why = pattern === undefined ? '' : `: ${patterns[pattern]}`
  return `${job} #${buildId} ${resultWord(result)}${why}\n${moment(startedAt)} UTC, ${duration(took)}`
}
