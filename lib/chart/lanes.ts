import { extent, max, min } from 'd3-array'
import { scaleUtc } from 'd3-scale'
import type { Hit, Track } from '../model/hit.ts'
import type { Incident, RunOutcome } from '../model/incident.ts'
import type { Run } from '../model/run.ts'
import { type AxisTick, clockTicks } from './time-axis.ts'

export interface LanesInput {
  readonly incident: Incident
  readonly lanes: readonly {
    readonly run: Run
    readonly tracks: readonly Track[]
    readonly hits: readonly Hit[]
    readonly outcome: RunOutcome
    /** The outcome in words. */
    readonly end: string
  }[]
}

/** Swimlanes in coordinates of `width` × `height`: a row a run. */
export interface Lanes {
  readonly width: number
  readonly height: number
  readonly from: number
  readonly to: number
  readonly plot: { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number }
  /** The bounds of the incident itself. */
  readonly shade: { readonly x: number; readonly width: number }
  readonly ticks: readonly AxisTick[]
  readonly rows: readonly Lane[]
}

export interface Lane {
  readonly bucket: string
  readonly path: string
  readonly job: string
  readonly buildId: string
  readonly y: number
  /** The run's time in flight, cut at the plot's edges. */
  readonly span: { readonly x1: number; readonly x2: number; readonly cutLeft: boolean; readonly cutRight: boolean }
  readonly marks: readonly LaneMark[]
  /** How and when it ended; `x` absent where that is beyond the plot or unknown. */
  readonly end: {
    readonly outcome: RunOutcome
    readonly words: string
    readonly at?: number
    readonly x?: number
  }
}

export interface LaneMark {
  /** `witness`, or a cause's id; empty for a hit without one. */
  readonly what: string
  readonly at: number
  readonly x: number
  readonly log: string
  readonly line: number
  /** Where it may have been, when known no better than 6 px. */
  readonly range?: { readonly x1: number; readonly x2: number }
  /** Marks of its kind drawn as this one, which they would cover. */
  readonly hidden: number
}

const MINUTE = 60_000
const MARGIN = { left: 200, right: 150, top: 24, bottom: 8 }
const ROW = 24
/** Px below which marks of one kind are drawn as one. */
const APART = 5

export function lanes({ incident, lanes }: LanesInput, width = 1080): Lanes {
  const [from, to] = domain(incident, lanes)
  const plot = {
    left: MARGIN.left,
    right: width - MARGIN.right,
    top: MARGIN.top,
    bottom: MARGIN.top + ROW * lanes.length,
  }
  const x = scaleUtc([from, to], [plot.left, plot.right]).clamp(true)
  const place = (at: number) => Math.round(x(at) * 10) / 10
  const shade = { x: place(incident.from.earliest), end: place(incident.to.latest) }
  return {
    width,
    height: plot.bottom + MARGIN.bottom,
    from,
    to,
    plot,
    shade: { x: shade.x, width: Math.max(1, shade.end - shade.x) },
    ticks: clockTicks(from, to, place, 8),
    rows: lanes.map((lane, i) => row(lane, MARGIN.top + ROW * (i + 0.5), { from, to }, place)),
  }
}

type LaneInput = LanesInput['lanes'][number]
type Scale = (at: number) => number

/** The incident, what its runs logged of it, and a margin; a run's end only where it is near. */
function domain(incident: Incident, lanes: LanesInput['lanes']): [number, number] {
  const failing = lanes.flatMap((lane) => marksOf(lane).filter(({ what }) => what !== 'witness'))
  const from = Math.min(incident.from.earliest, min(failing, ({ placed }) => placed.earliest) ?? incident.from.earliest)
  const to = Math.max(incident.to.latest, max(failing, ({ placed }) => placed.latest) ?? incident.to.latest)
  const margin = Math.max(5 * MINUTE, (to - from) / 4)
  const ends = lanes.flatMap(({ run }) => run.finishedAt ?? []).filter((at) => at > to && at <= to + 2 * margin)
  return [from - margin, Math.max(to + margin, (max(ends) ?? to) + margin / 4)]
}

interface Mark {
  readonly what: string
  readonly log: string
  readonly line: number
  readonly placed: Hit['placed']
}

/** The lines of its tracks, and the hits that no track holds. */
function marksOf({ tracks, hits }: LaneInput): Mark[] {
  const tracked = tracks.flatMap(({ log, marks }) => marks.map((mark) => ({ ...mark, log })))
  const lines = new Set(tracked.map(({ log, line }) => `${line} ${log}`))
  const untracked = hits.filter(({ log, line }) => !lines.has(`${line} ${log}`))
  return [...tracked, ...untracked.map(({ cause, log, line, placed }) => ({ what: cause, log, line, placed }))]
}

function row(lane: LaneInput, y: number, plot: { from: number; to: number }, x: Scale): Lane {
  const { run } = lane
  const marks = marksOf(lane).filter(({ placed }) => placed.latest >= plot.from && placed.earliest <= plot.to)
  const [first, last] = extent(marksOf(lane).map(({ placed }) => middle(placed)))
  const start = run.startedAt ?? first ?? plot.from
  const end = run.finishedAt ?? last ?? plot.to
  return {
    bucket: run.bucket,
    path: run.path,
    job: run.job,
    buildId: run.buildId,
    y,
    span: { x1: x(start), x2: x(end), cutLeft: start < plot.from, cutRight: end > plot.to },
    marks: thin(marks.map((mark) => laneMark(mark, x)).sort((a, b) => a.x - b.x || a.line - b.line)),
    end: {
      outcome: lane.outcome,
      words: lane.end,
      ...(run.finishedAt !== undefined && { at: run.finishedAt }),
      ...(run.finishedAt !== undefined && run.finishedAt <= plot.to && { x: x(run.finishedAt) }),
    },
  }
}

function laneMark({ what, log, line, placed }: Mark, x: Scale): LaneMark {
  const range = { x1: x(placed.earliest), x2: x(placed.latest) }
  const at = middle(placed)
  return { what, log, line, at, x: x(at), hidden: 0, ...(range.x2 - range.x1 > 6 && { range }) }
}

/** Draws marks of one kind that would lie on each other once: the first of them. */
function thin(marks: readonly LaneMark[]): LaneMark[] {
  const kept: LaneMark[] = []
  const last = new Map<string, number>()
  for (const mark of marks) {
    const i = last.get(mark.what)
    const before = i === undefined ? undefined : kept[i]
    if (i !== undefined && before && mark.x - before.x < APART) kept[i] = { ...before, hidden: before.hidden + 1 }
    else last.set(mark.what, kept.push(mark) - 1)
  }
  return kept
}

function middle({ earliest, latest }: Hit['placed']): number {
  return (earliest + latest) / 2
}
