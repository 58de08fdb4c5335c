import type { VerdictState } from '../model/verdict.ts'
import type { Drawing, Shape, Words } from './drawing.ts'
import { STATE_INK, stateShape } from './state-shape.ts'
import type { Timeline } from './timeline.ts'
import { shortened, wrapped } from './wrapped.ts'

export interface SignatureChart {
  readonly title: string
  readonly state: VerdictState
  readonly stateWord: string
  /** The answer; its first lines are shown. */
  readonly sentences: readonly string[]
  /** What the marks mean, and of which time they are. */
  readonly legend: string
  readonly timeline: Timeline
}

const PAD = 16
const SMALL = 11
const LEAD = 13
const TITLE = 16
/** Of its size, what a letter takes in the mean: as wide as common fonts have it. */
const LETTER = 0.53
const SENTENCE_LINES = 3

/** A signature's chart with the words that it proves, to stand alone where there is no page round it. */
export function signatureDrawing(chart: SignatureChart): Drawing {
  const { timeline } = chart
  const width = timeline.width + 2 * PAD
  const columns = Math.floor(timeline.width / (LEAD * LETTER))
  const sentences = wrapped(chart.sentences.join(' '), columns, SENTENCE_LINES)
  const top = PAD + 26 + 18 * sentences.length + 10
  const placed = moved(timelineDrawing(timeline), top)
  const height = Math.ceil(top + timeline.height + 30)
  return {
    width,
    height,
    shapes: [...stateShape(chart.state, [width - PAD - 6, PAD + 9], 5), ...placed.shapes],
    words: [
      {
        text: shortened(chart.title, Math.floor((timeline.width - 140) / (TITLE * LETTER))),
        at: [PAD, PAD + 14],
        ink: 'ink',
        size: TITLE,
      },
      {
        text: chart.stateWord,
        at: [width - PAD - 18, PAD + 14],
        anchor: 'end',
        ink: STATE_INK[chart.state],
        size: LEAD,
      },
      ...sentences.map((text, i): Words => ({ text, at: [PAD, PAD + 38 + 18 * i], ink: 'soft', size: LEAD })),
      ...placed.words,
      { text: chart.legend, at: [PAD, height - 12], ink: 'faint', size: SMALL },
    ],
  }
}

type Marks = Pick<Drawing, 'shapes' | 'words'>

function moved({ shapes, words }: Marks, down: number): Marks {
  const by = ([x, y]: readonly [number, number]) => [PAD + x, Math.round((y + down) * 10) / 10] as const
  return {
    shapes: shapes.map((shape): Shape => {
      if (shape.kind === 'line') return { ...shape, from: by(shape.from), to: by(shape.to) }
      return shape.kind === 'stroke' ? { ...shape, points: shape.points.map(by) } : { ...shape, at: by(shape.at) }
    }),
    words: words.map((one) => ({ ...one, at: by(one.at) })),
  }
}

function timelineDrawing(chart: Timeline): Marks {
  const { plot, rows } = chart
  const word = (text: string, x: number, y: number, rest: Pick<Words, 'ink'> & Partial<Words>): Words => ({
    text,
    at: [x, y],
    size: SMALL,
    ...rest,
  })
  const across = (y: number): Shape => ({ kind: 'line', from: [plot.left, y], to: [plot.right, y], ink: 'edge' })
  return {
    shapes: [
      ...(chart.hatch ? hatch(chart.hatch, plot) : []),
      ...chart.bars.map(({ x, y, width, height }): Shape => ({ kind: 'rect', at: [x, y], width, height, ink: 'line' })),
      across(rows.incidents),
      across(rows.watched + 0.5),
      ...chart.ticks.map(
        ({ x, major }): Shape => ({
          kind: 'line',
          from: [x, plot.bottom],
          to: [x, plot.bottom + (major ? 7 : 4)],
          ink: 'edge',
        }),
      ),
      ...chart.changes.map(
        ({ x, row }): Shape => ({
          kind: 'line',
          from: [x, plot.top - 18 * row - 15],
          to: [x, plot.bottom],
          ink: 'accent',
          dash: '3 3',
        }),
      ),
      ...chart.marks.flatMap((mark) => incidentShapes(mark, rows.incidents)),
    ],
    words: [
      word('runs hit', 0, rows.runs, { ink: 'faint' }),
      word('incidents', 0, rows.incidents + 4, { ink: 'faint' }),
      word('days apart', 0, rows.gaps, { ink: 'faint' }),
      word('watched', 0, rows.watched, { ink: 'faint' }),
      ...chart.gaps.flatMap(({ x, label }) =>
        label ? [word(label, x, rows.gaps, { ink: 'soft', anchor: 'middle' })] : [],
      ),
      ...chart.ticks.flatMap(({ x, label }) =>
        label ? [word(label, x, rows.axis, { ink: 'faint', anchor: 'middle' })] : [],
      ),
      ...chart.marks.flatMap(({ x, label }) =>
        label ? [word(label, x, rows.runs, { ink: 'ink', anchor: 'middle' })] : [],
      ),
      ...chart.changes.map(({ x, row, title, anchor }) =>
        word(title, anchor === 'start' ? x + 5 : x - 5, plot.top - 18 * row - 6, { ink: 'accent', anchor }),
      ),
    ],
  }
}

function incidentShapes({ x, radius, counted, range }: Timeline['marks'][number], y: number): Shape[] {
  return [
    ...(range ? [{ kind: 'line', from: [range.x1, y], to: [range.x2, y], ink: 'edge', width: 3 } as const] : []),
    { kind: 'circle', at: [x, y], r: radius, ink: counted ? 'ink' : 'paper' },
    { kind: 'circle', at: [x, y], r: radius, ink: counted ? 'ink' : 'faint', hollow: true },
  ]
}

/** Not complete yet: slanted lines, cut at the edges of what they fill. */
function hatch({ x, width }: NonNullable<Timeline['hatch']>, { top, bottom }: Timeline['plot']): Shape[] {
  const height = bottom - top
  const count = Math.max(0, Math.floor((width + height) / 8))
  return Array.from({ length: count }, (_, i): Shape => {
    const at = 8 * (i + 1)
    const [x1, x2] = [Math.max(0, at - height), Math.min(width, at)]
    return { kind: 'line', from: [x + x1, bottom - (at - x1)], to: [x + x2, bottom - (at - x2)], ink: 'line', width: 2 }
  })
}
