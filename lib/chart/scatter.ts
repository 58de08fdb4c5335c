import { max } from 'd3-array'
import { scaleLinear, scaleUtc } from 'd3-scale'
import { type AxisTick, clockTicks, dateTicks } from './time-axis.ts'

const DAY = 86_400_000
const MINUTE = 60_000
const RIGHT = 8
const TOP = 8
const BOTTOM = 22
const LEFT = 44

export interface Scatter {
  readonly width: number
  readonly height: number
  readonly plot: { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number }
  readonly ticks: readonly AxisTick[]
  /** Of how long runs took: `40 min`, `2 h`. */
  readonly levels: readonly { readonly y: number; readonly label: string }[]
  /** In the order given. */
  readonly points: readonly { readonly x: number; readonly y: number }[]
}

/** Runs by when they started and how long they took; what started before the window stands at its edge. */
export function scatter(
  {
    window,
    runs,
  }: {
    readonly window: { readonly from: number; readonly to: number }
    /** Epoch ms, and ms. */
    readonly runs: readonly { readonly at: number; readonly took: number }[]
  },
  { width, height }: { readonly width: number; readonly height: number },
): Scatter {
  const plot = { left: LEFT, right: width - RIGHT, top: TOP, bottom: height - BOTTOM }
  const x = scaleUtc([window.from, window.to], [plot.left, plot.right]).clamp(true)
  const longest = max(runs, ({ took }) => took) ?? 0
  const step = levelStep(Math.max(longest, 10 * MINUTE))
  const top = Math.max(1, Math.ceil(longest / step)) * step
  const y = scaleLinear([0, top], [plot.bottom, plot.top])
  const place = (at: number) => round(x(at))
  const isShort = window.to - window.from <= 4 * DAY
  return {
    width,
    height,
    plot,
    ticks: isShort
      ? clockTicks(window.from, window.to, place, Math.max(2, Math.floor(width / 110)))
      : dateTicks(window.from, window.to, place),
    levels: Array.from({ length: Math.round(top / step) }, (_, i) => (i + 1) * step).map((level) => ({
      y: round(y(level)),
      label: level % (60 * MINUTE) === 0 ? `${level / (60 * MINUTE)} h` : `${level / MINUTE} min`,
    })),
    points: runs.map(({ at, took }) => ({ x: place(at), y: round(y(took)) })),
  }
}

const STEPS = [5, 10, 20, 30, 60, 120, 180, 360, 720, 1440].map((minutes) => minutes * MINUTE)

/** So that there are four levels at most, or as many days as it takes. */
function levelStep(longest: number): number {
  return STEPS.find((step) => longest / step <= 4) ?? Math.ceil(longest / 4 / DAY) * DAY
}

function round(n: number): number {
  return Math.round(n * 10) / 10
}
