import { max } from 'd3-array'
import { scaleLinear } from 'd3-scale'
import type { Day } from '../model/run.ts'

export interface DayBar {
  readonly day: Day
  readonly x: number
  readonly width: number
  /** From the base upwards, one on the other: what is known, what is not. */
  readonly known: { readonly y: number; readonly height: number }
  readonly unknown: { readonly y: number; readonly height: number }
}

export interface DayBars {
  readonly bars: readonly DayBar[]
  /** Values worth a line across, and where. */
  readonly ticks: readonly { readonly value: number; readonly y: number }[]
}

const GAP = 2

/** Failed runs of each day as bars within `width` × `height`; `known` never exceeds `failed` in what is drawn. */
export function dayBars(
  days: readonly { readonly day: Day; readonly failed: number; readonly died: number }[],
  { width, height }: { readonly width: number; readonly height: number },
): DayBars {
  const most = max(days, ({ failed }) => failed) ?? 0
  const y = scaleLinear([0, Math.max(1, most)], [height, 0])
  const step = width / Math.max(1, days.length)
  return {
    bars: days.map(({ day, failed, died }, i) => {
      const known = Math.min(failed, died)
      return {
        day,
        x: i * step + GAP / 2,
        width: Math.max(1, step - GAP),
        known: { y: y(known), height: height - y(known) },
        unknown: { y: y(failed), height: y(known) - y(failed) },
      }
    }),
    ticks: y
      .ticks(3)
      .filter((value) => Number.isInteger(value) && value > 0)
      .map((value) => ({ value, y: y(value) })),
  }
}

/** Counts of days as a row of little bars: the tallest as tall as `height`, each that is not nothing one pixel at least. */
export function spark(
  counts: readonly number[],
  { width, height }: { readonly width: number; readonly height: number },
): readonly { readonly x: number; readonly y: number; readonly width: number; readonly height: number }[] {
  const most = max(counts) ?? 0
  const step = width / Math.max(1, counts.length)
  return counts.map((count, i) => {
    const tall = count === 0 ? 0 : Math.max(1, Math.round((count / most) * height))
    return { x: i * step, y: height - tall, width: Math.max(1, step - 1), height: tall }
  })
}
