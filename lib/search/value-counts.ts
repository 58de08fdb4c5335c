import type { Candidate } from '../model/block.ts'
import { compareBytes } from '../store/order.ts'
import { keyOf } from './runs-by-key.ts'
import type { BlockTally } from './tally-block.ts'

/** Values that are counted by themselves: those that come first, in the order of a search. */
const MOST = 10_000
/** Values of one line over several windows that are known again. */
const MOST_OF_LINE = 1_000

export interface ValueCount {
  readonly value: string
  readonly lines: number
  readonly runs: number
}

export interface ValueCounts {
  /** The most frequent first. */
  readonly values: readonly ValueCount[]
  /** Lines and runs with a value. */
  readonly lines: number
  readonly runs: number
  /** Lines of values beyond the first 10,000, which were not told apart. */
  readonly untold: number
}

/**
 * Adds up values block by block, as they come in the total order: blocks of a run follow each other, so one number a
 * value tells whether it was met in the run, however many there are.
 */
export function createValueCounts(most = MOST) {
  const known = new Map<string, { lines: number; runs: number; last: number }>()
  let [lines, runs, untold] = [0, 0, 0]
  let [run, runHasValue] = ['', false]
  let number = 0
  let long = { line: '', values: new Set<string>() }

  const addValue = (value: string, more: number) => {
    const count = known.get(value)
    if (count) {
      count.lines += more
      if (count.last !== number) count.runs++
      count.last = number
    } else if (known.size < most) known.set(value, { lines: more, runs: 1, last: number })
    else untold += more
  }
  return {
    add(block: Candidate, tally: BlockTally) {
      const key = keyOf(block)
      if (key !== run) [run, runHasValue, number] = [key, false, number + 1]
      if (tally.lines === 0) return
      if (!runHasValue) runs++
      runHasValue = true
      const { line, values } = long
      const now = block.window === undefined ? '' : JSON.stringify([key, block.log, block.firstLine])
      const again = now !== '' && now === line
      if (!again) lines += tally.lines
      for (const [value, more] of tally.values) if (!again || !values.has(value)) addValue(value, more)
      if (now === '') return
      long = { line: now, values: again ? values : new Set() }
      for (const [value] of tally.values) if (long.values.size < MOST_OF_LINE) long.values.add(value)
    },
    counts(by: 'line' | 'run'): ValueCounts {
      const all = [...known].map(([value, count]) => ({ value, lines: count.lines, runs: count.runs }))
      const [first, second] = by === 'run' ? (['runs', 'lines'] as const) : (['lines', 'runs'] as const)
      all.sort((a, b) => b[first] - a[first] || b[second] - a[second] || compareBytes(a.value, b.value))
      return { values: all, lines, runs, untold }
    },
  }
}
