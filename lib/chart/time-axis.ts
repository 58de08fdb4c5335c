import { utcFormat } from 'd3-time-format'
import { placeLabels } from './labels.ts'

const DAY = 86_400_000

export interface AxisTick {
  readonly x: number
  readonly at: number
  /** Empty where it would touch its neighbour. */
  readonly label: string
  readonly major: boolean
}

const month = utcFormat('%b')
const monthYear = utcFormat('%b %Y')
const dayMonth = utcFormat('%-d %b')
const clock = utcFormat('%H:%M')

/** Ticks of weeks (Mondays) and months over days to years, in UTC; `x` maps epoch ms to a place. */
export function dateTicks(from: number, to: number, x: (at: number) => number): AxisTick[] {
  const months = monthStarts(from, to).map((at) => ({ at, label: monthLabel(at), major: true }))
  const weeks = to - from > 400 * DAY ? [] : mondays(from, to)
  const labelled = to - from < 45 * DAY
  const minor = weeks
    .filter((at) => !months.some((tick) => tick.at === at))
    .map((at) => ({ at, label: labelled ? dayMonth(new Date(at)) : '', major: false }))
  return spaced([...months, ...minor].map((tick) => ({ ...tick, x: x(tick.at) })))
}

const CLOCK_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440].map((minutes) => minutes * 60_000)

/** Ticks of round minutes or hours, at most about `most`, in UTC. */
export function clockTicks(from: number, to: number, x: (at: number) => number, most: number): AxisTick[] {
  const step =
    CLOCK_STEPS.find((candidate) => (to - from) / candidate <= most) ?? DAY * Math.ceil((to - from) / DAY / most)
  return steps(Math.ceil(from / step) * step, to, step).map((at) => ({
    at,
    x: x(at),
    label: at % DAY === 0 ? dayMonth(new Date(at)) : clock(new Date(at)),
    major: true,
  }))
}

function monthStarts(from: number, to: number): number[] {
  const first = new Date(from)
  const count = Math.ceil((to - from) / (28 * DAY)) + 1
  return Array.from({ length: count }, (_, i) => Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + i, 1)).filter(
    (at) => at >= from && at < to,
  )
}

/** 5 January 1970 was a Monday. */
function mondays(from: number, to: number): number[] {
  const first = Math.ceil((from - 4 * DAY) / (7 * DAY)) * 7 * DAY + 4 * DAY
  return steps(first, to, 7 * DAY)
}

function steps(first: number, to: number, step: number): number[] {
  return Array.from({ length: Math.max(0, Math.ceil((to - first) / step)) }, (_, i) => first + i * step)
}

function monthLabel(at: number): string {
  const date = new Date(at)
  return date.getUTCMonth() === 0 ? monthYear(date) : month(date)
}

/** Blanks labels that would touch one already kept; months are kept before weeks. */
function spaced(ticks: readonly AxisTick[]): AxisTick[] {
  const shown = placeLabels(
    ticks.map(({ x, label, major }) => ({ x, text: label, weight: label ? Number(major) : -1 })),
  )
  return ticks.map((tick, i) => (shown[i] ? tick : { ...tick, label: '' })).sort((a, b) => a.x - b.x)
}
