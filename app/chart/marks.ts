import type { ChartRun } from '#lib/service/peer-chart.ts'

/** Of patterns, in their order, and again from the first beyond the last: apart for every kind of sight, on light and dark. */
const COLOURS = [
  '#0079c1',
  '#d55e00',
  '#009e73',
  '#c0589a',
  '#b8860b',
  '#4aa5d8',
  '#7a68c2',
  '#a5522d',
  '#6d8f00',
  '#7b8794',
] as const

export function colourOf(pattern: number): string {
  return COLOURS[pattern % COLOURS.length] ?? COLOURS[0]
}

export type Mark = 'matched' | 'failed' | 'error' | 'pending' | 'other'

/** Shape tells what became of a run, colour which pattern it holds. */
export function markOf({ pattern, result }: Pick<ChartRun, 'pattern' | 'result'>): Mark {
  if (pattern !== undefined) return 'matched'
  if (result === 'failure') return 'failed'
  if (result === 'error') return 'error'
  return result === 'pending' ? 'pending' : 'other'
}

/** How far a mark reaches from its middle, px. */
export const REACH: Readonly<Record<Mark, number>> = { matched: 4, failed: 3, error: 3.5, pending: 2.5, other: 1.5 }
