import { scaleUtc } from 'd3-scale'
import type { Drawing, Shape, Words } from './drawing.ts'
import { clockTicks, dateTicks } from './time-axis.ts'

export interface Moments {
  readonly window: { readonly from: number; readonly to: number }
  /** Epoch ms; `weight` makes a tick taller, `counted: false` thin and grey. */
  readonly moments: readonly { readonly at: number; readonly weight: number; readonly counted: boolean }[]
  readonly changes: readonly { readonly at: number }[]
  readonly completeTo?: number | undefined
}

const DAY = 86_400_000
const AXIS = 34
const LABEL = 22

/** What happened, as ticks over a line with dates, in large: for pictures that are shown small. */
export function momentsDrawing(
  { window, moments, changes, completeTo }: Moments,
  width: number,
  height: number,
): Drawing {
  const base = height - AXIS
  const x = scaleUtc([window.from, window.to], [2, width - 2]).clamp(true)
  const place = (at: number) => Math.round(x(at) * 10) / 10
  const within = ({ at }: { readonly at: number }) => at >= window.from && at <= window.to
  const ticks =
    window.to - window.from > 3 * DAY
      ? dateTicks(window.from, window.to, place)
      : clockTicks(window.from, window.to, place, 8)
  const incomplete = completeTo === undefined ? width : place(completeTo)
  return {
    width,
    height,
    shapes: [
      ...(incomplete < width - 4
        ? [{ kind: 'rect', at: [incomplete, 0], width: width - incomplete, height: base, ink: 'line' } as const]
        : []),
      { kind: 'line', from: [0, base], to: [width, base], ink: 'edge', width: 2 },
      ...ticks.map(
        ({ x: at, major }): Shape => ({
          kind: 'line',
          from: [at, base],
          to: [at, base + (major ? 10 : 5)],
          ink: 'edge',
          width: 2,
        }),
      ),
      ...changes.filter(within).map(
        ({ at }): Shape => ({
          kind: 'line',
          from: [place(at), 0],
          to: [place(at), base],
          ink: 'accent',
          width: 2,
          dash: '6 6',
        }),
      ),
      ...moments.filter(within).map(({ at, weight, counted }): Shape => {
        const tall = Math.round(base * Math.min(1, 0.4 + 0.15 * Math.log2(Math.max(1, weight))))
        return {
          kind: 'line',
          from: [place(at), base - tall],
          to: [place(at), base],
          ink: counted ? 'ink' : 'edge',
          width: counted ? 4 : 2,
        }
      }),
    ],
    words: apart(
      ticks.flatMap(({ x: at, label }): Words[] =>
        label
          ? [{ text: label, at: [inside(at, label, width), height - 4], anchor: 'middle', ink: 'faint', size: LABEL }]
          : [],
      ),
    ),
  }
}

function half(label: string): number {
  return label.length * LABEL * 0.28
}

function inside(x: number, label: string, width: number): number {
  return Math.min(Math.max(x, half(label)), width - half(label))
}

/** Labels are larger here than the axis reckons with. */
function apart(words: readonly Words[]): Words[] {
  const kept: Words[] = []
  for (const word of words) {
    const before = kept.at(-1)
    if (!before || word.at[0] - half(word.text) > before.at[0] + half(before.text) + 8) kept.push(word)
  }
  return kept
}
