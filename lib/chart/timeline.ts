import { pairs } from 'd3-array'
import { scaleLinear, scaleUtc } from 'd3-scale'
import type { Incident } from '../model/incident.ts'
import type { Change } from '../model/signature.ts'
import { type Label, LETTER, placeLabels } from './labels.ts'
import { byWeight, thinned } from './thinned.ts'
import { type AxisTick, dateTicks } from './time-axis.ts'

export interface TimelineInput {
  readonly window: { readonly from: number; readonly to: number }
  readonly incidents: readonly Incident[]
  readonly changes: readonly Change[]
  /** Per UTC day: hours (0–24) in which a run could have shown the failure. */
  readonly days: readonly { readonly day: number; readonly watchedHours: number }[]
  /** Runs are complete up to here. */
  readonly completeTo?: number
  /** Incidents below this number of votes are drawn hollow and take no part in the gaps. */
  readonly minVotes?: number
  /** Too dense to tell incidents apart: no gaps are written. */
  readonly continuous?: boolean
}

/** The signature's chart in coordinates of `viewBox`: from above, runs hit, incidents, days between them, hours watched, dates. */
export interface Timeline {
  readonly width: number
  readonly height: number
  readonly plot: { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number }
  /** Baselines of the rows. */
  readonly rows: {
    readonly runs: number
    readonly incidents: number
    readonly gaps: number
    readonly watched: number
    readonly axis: number
  }
  readonly marks: readonly TimelineMark[]
  readonly gaps: readonly TimelineGap[]
  readonly changes: readonly TimelineChange[]
  readonly bars: readonly {
    readonly day: number
    readonly hours: number
    readonly x: number
    readonly y: number
    readonly width: number
    readonly height: number
  }[]
  readonly ticks: readonly AxisTick[]
  /** Not complete yet. */
  readonly hatch?: { readonly x: number; readonly width: number }
}

export interface TimelineMark {
  readonly id: string
  readonly at: number
  readonly x: number
  readonly radius: number
  readonly runs: number
  readonly counted: boolean
  /** Others in the same place, which this one stands for. */
  readonly more: number
  /** The runs hit, written above; absent where it would touch a neighbour's. */
  readonly label?: string
  /** Where the first hit may have been, when that is wider than the mark. */
  readonly range?: { readonly x1: number; readonly x2: number }
}

interface TimelineGap {
  readonly days: number
  readonly x1: number
  readonly x2: number
  readonly x: number
  /** Absent where it does not fit between the marks. */
  readonly label?: string
}

export interface TimelineChange {
  readonly at: number
  readonly title: string
  readonly link?: string
  readonly x: number
  /** The side of the rule on which the title is written, and its row from above. */
  readonly anchor: 'start' | 'end'
  readonly row: number
}

const DAY = 86_400_000
const MARGIN = { left: 88, right: 16, top: 6 }
const ROW = 18
const WATCHED_HEIGHT = 36
/** Dots closer than this are one to the eye. */
const DOT = 2

/** Lays the chart out `width` px wide. */
export function timeline(input: TimelineInput, width = 1080): Timeline {
  const { from, to } = input.window
  const plot = { left: MARGIN.left, right: width - MARGIN.right }
  const x = scaleUtc([from, to], [plot.left, plot.right]).clamp(true)
  const changes = placeChanges(input, x, plot)
  const top = MARGIN.top + ROW * Math.max(0, ...changes.map(({ row }) => row + 1))
  const rows = {
    runs: top + ROW,
    incidents: top + 2.4 * ROW,
    gaps: top + 3.8 * ROW,
    watched: top + 4.4 * ROW + WATCHED_HEIGHT,
    axis: top + 5.5 * ROW + WATCHED_HEIGHT,
  }
  return {
    width,
    height: rows.axis + 0.4 * ROW,
    plot: { ...plot, top, bottom: rows.watched },
    rows,
    marks: placeMarks(input, x),
    gaps: input.continuous ? [] : placeGaps(input, x),
    changes,
    bars: watchedBars(input, x, rows.watched),
    ticks: dateTicks(from, to, x),
    ...hatchOf(input, x),
  }
}

type Scale = (at: number) => number

function placeMarks({ incidents, window, minVotes = 2 }: TimelineInput, x: Scale): TimelineMark[] {
  const within = incidents.filter(({ at }) => at >= window.from && at <= window.to).sort((a, b) => a.at - b.at)
  const placed = within.map((incident) => {
    return { incident, x: x(incident.at), runs: incident.runs.length, counted: incident.votes >= minVotes }
  })
  const drawn = thinned(placed, DOT, byWeight)
  const labels = placeLabels(drawn.map((one): Label => ({ x: one.x, text: String(one.runs), weight: one.runs })))
  return drawn.map(({ incident, runs, counted, more }, i) => {
    const radius = markRadius(runs)
    const range = { x1: round(x(incident.from.earliest)), x2: round(x(incident.from.latest)) }
    return {
      id: incident.id,
      at: incident.at,
      x: round(x(incident.at)),
      radius,
      runs,
      counted,
      more,
      ...(labels[i] && { label: String(runs) }),
      ...(range.x2 - range.x1 > 2 * radius && { range }),
    }
  })
}

/** Area grows with the runs hit, within what stays a dot. */
function markRadius(runs: number): number {
  return round(Math.min(9, 2.5 + Math.sqrt(runs)))
}

function placeGaps({ incidents, window, minVotes = 2 }: TimelineInput, x: Scale): TimelineGap[] {
  const counted = incidents
    .filter(({ at, votes }) => votes >= minVotes && at >= window.from && at <= window.to)
    .sort((a, b) => a.at - b.at)
  return pairs(counted, (a, b) => {
    const days = (b.at - a.at) / DAY
    const [x1, x2] = [round(x(a.at)), round(x(b.at))]
    const label = days.toFixed(1)
    return { days, x1, x2, x: round((x1 + x2) / 2), ...(label.length * LETTER < x2 - x1 && { label }) }
  })
}

function placeChanges(
  { changes, window }: TimelineInput,
  x: Scale,
  plot: { readonly left: number; readonly right: number },
): TimelineChange[] {
  const taken: { row: number; x1: number; x2: number }[] = []
  return changes
    .filter(({ at }) => at >= window.from && at <= window.to)
    .sort((a, b) => a.at - b.at)
    .map((change) => {
      const at = round(x(change.at))
      const length = change.title.length * LETTER + 8
      const anchor =
        at + length <= plot.right || at - plot.left < plot.right - at ? ('start' as const) : ('end' as const)
      const [x1, x2] = anchor === 'start' ? [at, at + length] : [at - length, at]
      const row = freeRow(taken, x1, x2)
      taken.push({ row, x1, x2 })
      return { ...change, x: at, anchor, row }
    })
}

function freeRow(taken: readonly { row: number; x1: number; x2: number }[], x1: number, x2: number): number {
  let row = 0
  while (taken.some((one) => one.row === row && x1 < one.x2 && one.x1 < x2)) row++
  return row
}

function watchedBars({ days }: TimelineInput, x: Scale, base: number): Timeline['bars'] {
  const height = scaleLinear([0, 24], [0, WATCHED_HEIGHT]).clamp(true)
  return days.map(({ day, watchedHours }) => {
    const [left, right] = [x(day), x(day + DAY)]
    const tall = round(height(watchedHours))
    const gap = right - left > 3 ? 1 : 0
    return {
      day,
      hours: watchedHours,
      x: round(left),
      y: round(base - tall),
      width: round(Math.max(0, right - left - gap)),
      height: tall,
    }
  })
}

function hatchOf({ completeTo, window }: TimelineInput, x: Scale): Pick<Timeline, 'hatch'> {
  if (completeTo === undefined || completeTo >= window.to) return {}
  const left = round(x(completeTo))
  return { hatch: { x: left, width: round(x(window.to) - left) } }
}

/** A tenth of a pixel is as fine as anyone sees, and keeps pages small. */
function round(value: number): number {
  return Math.round(value * 10) / 10
}
