import type { VerdictState } from '../model/verdict.ts'
import type { Point, Shape } from './drawing.ts'
import type { Ink } from './palette.ts'

/** The colour of a state, as pages have it: red is for what needs somebody. */
export const STATE_INK: Readonly<Record<VerdictState, Ink>> = {
  back: 'alert',
  rarer: 'warn',
  active: 'ink',
  unclear: 'warn',
  'one-pr': 'faint',
  quiet: 'soft',
  holding: 'good',
  never: 'faint',
}

/** A state's shape, within `r` px of `at`: told apart without colour. */
export function stateShape(state: VerdictState, [x, y]: Point, r: number): Shape[] {
  const ink = STATE_INK[state]
  const stroke = (points: readonly Point[]): Shape => ({ kind: 'stroke', points, ink, width: r / 3 })
  switch (state) {
    case 'quiet':
      return [{ kind: 'circle', at: [x, y], r: r - 1, ink, hollow: true }]
    case 'one-pr':
      return [{ kind: 'circle', at: [x, y], r: r - 1, ink, hollow: true, dash: `${r / 3} ${r / 3}` }]
    case 'holding':
      return [
        stroke([
          [x - r, y],
          [x - r / 3, y + 0.7 * r],
          [x + r, y - 0.7 * r],
        ]),
      ]
    case 'never':
      return [
        stroke([
          [x - r, y],
          [x + r, y],
        ]),
      ]
    case 'unclear':
      return [
        stroke([
          [x, y - r],
          [x + r, y],
          [x, y + r],
          [x - r, y],
          [x, y - r],
        ]),
      ]
    default:
      return [{ kind: 'circle', at: [x, y], r, ink }]
  }
}
