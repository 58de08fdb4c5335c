import type { Candidate } from '../model/block.ts'
import { meetOf, shownPatterns } from './meet.ts'
import type { Guard } from './pool.ts'
import { resolveRange, type SearchQuery } from './query.ts'
import { runCount } from './run-count.ts'
import { keyOf } from './runs-by-key.ts'
import { filterOf, type Limits, matchingJobs, withinDeadline } from './search-parts.ts'
import { createTally, type Lacking, type Searched } from './tally.ts'
import { tallyGroups } from './tally-groups.ts'
import type { TallyOutcome } from './tasks.ts'
import { createValueCounts, type ValueCounts } from './value-counts.ts'
import { sendable, type Tools, verified } from './verified.ts'

export interface TallyOptions extends Limits {
  /** Epoch ms, against which a relative range is resolved. */
  readonly now: number
}

export interface TallyAnswer extends ValueCounts {
  readonly from: number
  readonly to: number
  /** The deadline or maxBytes came: only runs from this moment on (epoch ms) were tallied, the last of them perhaps in part. */
  readonly countedFrom?: number
  readonly searched: Searched
  readonly partial: readonly Lacking[]
}

const STUCK: TallyOutcome = { state: 'stuck', bytes: 0, lines: 0, values: [] }

/** What a capture group caught over the whole range, in numbers that no log can make large. Throws as a search, and QUERY_INVALID. */
export async function runTally(tools: Tools, query: SearchQuery, options: TallyOptions): Promise<TallyAnswer> {
  const range = resolveRange(query, options.now)
  const patterns = shownPatterns(query)
  const counts = createValueCounts()
  const tally = createTally(options.maxBytes)
  const met = meetOf(query) === 'any' ? undefined : await runCount(tools, { ...query, range }, options)
  const left = met && new Set(met.runs.map(keyOf))
  const from = met?.countedFrom ?? range.from
  let reached = range.to
  const whole = await withinDeadline(options, async (guard) => {
    const jobs = await matchingJobs(tools, query, guard)
    const groups = tallyGroups(patterns, query.tally?.group)
    const filter = filterOf({ ...query, patterns }, { from, to: range.to }, jobs)
    const verify = tallyLines(tools, { ...query, patterns }, groups)
    const wanted = (block: Candidate) => left?.has(keyOf(block)) !== false
    const onPruned = tally.addPruned
    for await (const { block, outcome } of verified(tools, { filter, onPruned, guard, verify, stuck: STUCK, wanted })) {
      if (tally.isOver(block)) break
      tally.add(block, outcome)
      counts.add(block, outcome)
      reached = block.time
    }
  })
  if (!whole) tally.lacking.add('deadline')
  for (const reason of met?.partial ?? []) tally.lacking.add(reason)
  const cut = !whole || tally.lacking.has('bytes') ? Math.max(reached, from) : met?.countedFrom
  return {
    ...counts.counts(query.tally?.by ?? 'line'),
    ...range,
    ...(cut === undefined ? {} : { countedFrom: cut }),
    searched: tally.searched(),
    partial: [...tally.lacking],
  }
}

function tallyLines(tools: Tools, { patterns, excludes = [] }: SearchQuery, groups: readonly number[]) {
  return async (blocks: readonly Candidate[], guard: Guard): Promise<TallyOutcome[]> =>
    await tools.pool.tally({ patterns, excludes, groups, ...(await sendable(tools, blocks)) }, guard)
}
