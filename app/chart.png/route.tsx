import { ImageResponse } from 'next/og'
import { plainly, reachHeaders } from '#app/_api/peer.ts'
import { LIGHT as INK } from '#lib/chart/palette.ts'
import { scatter } from '#lib/chart/scatter.ts'
import { shortened } from '#lib/chart/wrapped.ts'
import { context } from '#lib/service/open.ts'
import { type ChartRun, type ChartView, chartQuery, chartView } from '#lib/service/peer-chart.ts'
import { count, percent } from '../_ui/format.ts'
import { drawable } from '../_ui/glyphs.ts'
import { colourOf, markOf, REACH } from '../chart/marks.ts'

/** ci-search's. */
const SIZE = { width: 640, height: 270 }
const LEGEND = 64
const MAX_AGE_SECONDS = 30
const PENDING = '#b98a00'
/** Patterns that the legend has room for. */
const MOST_NAMED = 4

/** The chart as an image for bug reports and previews. */
export function GET(request: Request): Promise<Response> {
  return plainly(request, async () => {
    const ctx = await context()
    const view = await chartView(ctx, await chartQuery(ctx, new URL(request.url).searchParams), request.signal)
    const image = new ImageResponse(<Picture view={view} />, { ...SIZE })
    return new Response(await image.arrayBuffer(), {
      headers: { ...reachHeaders(view, MAX_AGE_SECONDS), 'content-type': 'image/png' },
    })
  })
}

function Picture({ view }: { view: ChartView }) {
  const { runs, window } = view
  const size = { ...SIZE, height: SIZE.height - LEGEND }
  const chart = scatter({ window, runs: runs.map(({ startedAt, took }) => ({ at: startedAt, took })) }, size)
  const { plot, ticks, levels, points } = chart
  return (
    <div
      style={{ display: 'flex', width: '100%', height: '100%', background: INK.paper, fontSize: 11, color: INK.faint }}
    >
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: it becomes a part of an image */}
      <svg width={size.width} height={size.height} viewBox={`0 0 ${size.width} ${size.height}`}>
        <line x1={plot.left} x2={plot.right} y1={plot.bottom} y2={plot.bottom} stroke={INK.edge} />
        {levels.map(({ y }) => (
          <line key={y} x1={plot.left} x2={plot.right} y1={y} y2={y} stroke={INK.line} />
        ))}
        {runs.map((run, i) => dot(run, points[i]?.x ?? 0, points[i]?.y ?? 0))}
      </svg>
      {levels.map(({ y, label }) => (
        <Words key={label} left={0} top={y - 8} width={plot.left - 6} align="flex-end">
          {label}
        </Words>
      ))}
      {ticks.map(({ at, x, label }) => (
        <Words key={at} left={x - 40} top={plot.bottom + 3} width={80} align="center">
          {label}
        </Words>
      ))}
      <Legend view={view} />
    </div>
  )
}

/** An element, no component: the renderer takes none within a drawing. */
function dot(run: ChartRun, x: number, y: number) {
  const mark = markOf(run)
  const r = REACH[mark]
  const key = run.link
  if (run.pattern !== undefined) return <circle key={key} cx={x} cy={y} r={r} fill={colourOf(run.pattern)} />
  if (mark === 'error')
    return <rect key={key} x={x - r} y={y - r} width={2 * r} height={2 * r} fill="none" stroke={INK.ink} />
  if (mark === 'failed') return <circle key={key} cx={x} cy={y} r={r} fill="none" stroke={INK.soft} />
  return <circle key={key} cx={x} cy={y} r={r} fill={mark === 'pending' ? PENDING : INK.edge} />
}

function Legend({ view: { patterns, of } }: { view: ChartView }) {
  const named = patterns
    .map((each, i) => ({ ...each, i }))
    .sort((a, b) => b.failed - a.failed || a.i - b.i)
    .slice(0, MOST_NAMED)
  return (
    <div
      style={{ display: 'flex', flexDirection: 'column', position: 'absolute', left: 44, top: SIZE.height - LEGEND }}
    >
      {named.map(({ pattern, failed, i }) => (
        <div key={pattern} style={{ display: 'flex', alignItems: 'center', height: 15, color: INK.ink }}>
          <div style={{ width: 8, height: 8, borderRadius: 4, marginRight: 6, background: colourOf(i) }} />
          {`${count(failed)} (${percent(failed, of.failed)} of all failures) ${shortened(drawable(pattern), 70)}`}
        </div>
      ))}
    </div>
  )
}

function Words({
  children,
  align,
  ...place
}: {
  children: string
  left: number
  top: number
  width: number
  align: 'center' | 'flex-end'
}) {
  return <div style={{ display: 'flex', position: 'absolute', justifyContent: align, ...place }}>{children}</div>
}
