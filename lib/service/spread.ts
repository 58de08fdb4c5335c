import { cumsum } from 'd3-array'
import { parseDuration } from '../search/duration.ts'

/** How values that are all numbers, or all durations (ms), lie: of lines, by nearest rank. */
export interface Spread {
  readonly unit: 'number' | 'ms'
  readonly least: number
  readonly median: number
  readonly p90: number
  readonly most: number
}

const READERS = [
  ['number', (text: string) => (/^[+-]?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : undefined)],
  ['ms', (text: string) => (/^(?:0[a-zµ]+)+$/.test(text) ? 0 : parseDuration(text))],
] as const

/** Undefined where some value is neither. */
export function spreadOf(values: readonly { readonly value: string; readonly lines: number }[]): Spread | undefined {
  if (values.length === 0) return undefined
  for (const [unit, read] of READERS) {
    const numbers = values.flatMap(({ value, lines }) => {
      const number = read(value)
      return number === undefined ? [] : [{ number, lines }]
    })
    if (numbers.length < values.length) continue
    numbers.sort((a, b) => a.number - b.number)
    const all = numbers.reduce((sum, { lines }) => sum + lines, 0)
    const ends = [...cumsum(numbers, ({ lines }) => lines)]
    const at = (share: number) => numbers[ends.findIndex((end) => end >= share * all)]?.number ?? 0
    return { unit, least: at(0), median: at(0.5), p90: at(0.9), most: at(1) }
  }
  return undefined
}
