import type { Candidate } from '../model/block.ts'
import type { RunKey } from '../model/run.ts'
import { compareKeys } from '../store/order.ts'
import type { CountAnswer, CountOptions, RunCount } from './engine.ts'
import { meetOf, meets } from './meet.ts'
import type { Guard } from './pool.ts'
import { resolveRange, type SearchQuery } from './query.ts'
import { keyOf, runsByKey } from './runs-by-key.ts'
import { filterOf, matchingJobs, withinDeadline } from './search-parts.ts'
import { createTally } from './tally.ts'
import type { CountOutcome } from './tasks.ts'
import { sendable, type Tools, verified, verifiedInRounds } from './verified.ts'

/** Counts instead of lines, run by run, newest first. At the deadline or the limit of bytes it gives what was counted by then; the reader's leaving is thrown. */
export async function runCount(tools: Tools, query: SearchQuery, options: CountOptions): Promise<CountAnswer> {
  const range = resolveRange(query, options.now)
  const tally = createTally(options.maxBytes)
  const { firstOnly = false } = options
  const counting = createCounting(query.patterns.length, firstOnly ? 1 : Number.POSITIVE_INFINITY)
  let jobs: readonly string[] | undefined
  let reached = range.to
  const whole = await withinDeadline(options, async (guard) => {
    jobs = await matchingJobs(tools, query, guard)
    const filter = filterOf(query, range, jobs)
    const stuck: CountOutcome = { state: 'stuck', bytes: 0, ...counting.none }
    const verify = countLines(tools, query)
    const given = { filter, onPruned: tally.addPruned, guard, verify, stuck }
    const onReached = (time: number) => {
      reached = time
    }
    for await (const { block, outcome } of firstOnly
      ? verifiedInRounds(tools, { ...given, wanted: counting.isOpen, onReached })
      : verified(tools, given)) {
      if (tally.isOver(block)) break
      tally.add(block, outcome)
      counting.add(block, outcome)
      if (!firstOnly) onReached(block.time)
    }
  })
  if (!whole) tally.lacking.add('deadline')
  const cut = !whole || tally.lacking.has('bytes')
  const meet = meetOf(query)
  // Of a run seen in part nobody knows which patterns it lacks.
  const from = !cut ? range.from : meet === 'any' ? reached : Math.min(range.to, reached + 1)
  const seen = counting.runs().filter(({ time }) => meet === 'any' || time >= from)
  const { runs, gone } = await described(tools, seen)
  const met = meet === 'any' ? { runs } : { runs: runs.filter(({ lines }) => meets(meet, lines)), seen: runs }
  if (gone) tally.lacking.add('expired')
  return {
    ...met,
    ...range,
    ...(jobs ? { jobs } : {}),
    ...(cut ? { countedFrom: from } : {}),
    searched: tally.searched(),
    partial: [...tally.lacking],
  }
}

interface Counting extends RunKey {
  readonly time: number
  readonly lines: readonly number[]
  readonly any: number
}

/** Adds up blocks by run, to `most` at most. A long line's windows are blocks of their own: it counts once. */
function createCounting(patterns: number, most: number) {
  const runs = new Map<string, Counting>()
  const none = { counts: Array.from({ length: patterns }, () => 0), any: 0 }
  let long = { line: '', counts: none.counts, any: 0 }
  const add = (block: Candidate, outcome: CountOutcome) => {
    if (outcome.any === 0) return
    const known = runs.get(keyOf(block)) ?? { ...keysOf(block), lines: none.counts, any: 0 }
    const before = block.window === undefined ? none : long
    runs.set(keyOf(block), {
      ...known,
      lines: known.lines.map((lines, at) => Math.min(most, lines + grown(outcome.counts[at], before.counts[at]))),
      any: Math.min(most, known.any + grown(outcome.any, before.any)),
    })
  }
  return {
    none,
    add(block: Candidate, outcome: CountOutcome) {
      const line = block.window === undefined ? '' : JSON.stringify([keyOf(block), block.log, block.firstLine])
      if (line !== long.line) long = { line, ...none }
      add(block, outcome)
      if (line !== '')
        long = {
          line,
          counts: long.counts.map((seen, at) => Math.max(seen, outcome.counts[at] ?? 0)),
          any: Math.max(long.any, outcome.any),
        }
    },
    /** Whether some pattern has no line yet in the block's run. */
    isOpen: (block: Candidate) => !(runs.get(keyOf(block))?.lines.every((lines) => lines > 0) ?? false),
    runs: () => [...runs.values()].sort(compareKeys),
  }
}

function grown(now = 0, before = 0): number {
  return Math.max(0, now - before)
}

function keysOf({ bucket, path, time }: Candidate) {
  return { bucket, path, time }
}

function countLines(tools: Tools, { patterns, excludes = [] }: SearchQuery) {
  return async (blocks: readonly Candidate[], guard: Guard): Promise<CountOutcome[]> =>
    await tools.pool.count({ patterns, excludes, ...(await sendable(tools, blocks)) }, guard)
}

/** With what the store has of the runs; one that is gone meanwhile is left out. */
async function described({ store }: Tools, counts: readonly Counting[]) {
  const runs = await runsByKey(store, counts)
  const kept = counts.flatMap(({ bucket, path, lines, any }): RunCount[] => {
    const run = runs.get(keyOf({ bucket, path }))
    if (!run) return []
    const { job, result, time, refs } = run
    return [{ bucket, path, job, result, time, ...(refs ? { refs } : {}), lines, any }]
  })
  return { runs: kept, gone: kept.length < counts.length }
}
