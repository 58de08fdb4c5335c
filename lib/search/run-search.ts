import type { Candidate } from '../model/block.ts'
import { completeHits } from './complete-hits.ts'
import type { SearchAnswer, SearchOptions } from './engine.ts'
import { createPage } from './page.ts'
import type { Guard } from './pool.ts'
import { resolveRange, type SearchQuery } from './query.ts'
import { filterOf, matchingJobs, stuckMs, withinDeadline } from './search-parts.ts'
import { createTally } from './tally.ts'
import type { LinesOutcome } from './tasks.ts'
import { sendable, type Tools, verified } from './verified.ts'

/** One page of an answer, newest first. It ends at the deadline or the limit of bytes; the reader's leaving is thrown. */
export async function runSearch(tools: Tools, query: SearchQuery, options: SearchOptions): Promise<SearchAnswer> {
  const range = resolveRange(query, options.now)
  const start = options.after ?? { time: range.to, bucket: '', path: '' }
  const { maxHits: limit, maxHitsPerLog: perLog, maxHitsPerRun: perRun = Number.POSITIVE_INFINITY } = options
  const page = createPage({ limit, perLog, perRun, start })
  const tally = createTally(options.maxBytes)
  let jobs: readonly string[] | undefined
  const whole = await withinDeadline(options, async (guard) => {
    jobs = await matchingJobs(tools, query, guard)
    const filter = filterOf(query, range, jobs)
    const verify = verifyLines(tools, query, options)
    for await (const { block, outcome } of verified(tools, {
      filter,
      onPruned: tally.addPruned,
      after: options.after,
      guard,
      verify,
      stuck: STUCK,
      wanted: page.wants,
    })) {
      if (tally.isOver(block)) break
      tally.add(block, outcome)
      if (page.add(block, outcome)) break
    }
  })
  if (!whole) tally.lacking.add('deadline')
  const cut = tally.lacking.has('bytes')
  const { lines, position, full } = page.finish(cut)
  if (full) tally.lacking.add('limit')
  // The hits there are get their context past the deadline, too.
  const guard: Guard = { stop: options.signal ?? new AbortController().signal, stuckMs: stuckMs(options) }
  const { hits, gone } = await completeHits(tools, lines, query.context, guard)
  if (gone) tally.lacking.add('expired')
  return {
    hits,
    ...(full || cut || !whole ? { next: position } : {}),
    ...range,
    ...(jobs ? { jobs } : {}),
    searched: tally.searched(),
    partial: [...tally.lacking],
  }
}

const STUCK: LinesOutcome = { state: 'stuck', bytes: 0, lines: [], more: 0 }

function verifyLines(tools: Tools, { patterns, context }: SearchQuery, options: SearchOptions) {
  const { maxHits, maxHitsPerLog, maxHitsPerRun = maxHitsPerLog } = options
  const perBlock = Math.min(maxHitsPerLog, maxHitsPerRun, maxHits + 1)
  return async (blocks: readonly Candidate[], guard: Guard): Promise<LinesOutcome[]> => {
    const sent = await sendable(tools, blocks, options.after)
    return await tools.pool.verify(
      { patterns, ...sent, context, maxLinesPerBlock: perBlock, maxLines: options.maxHits + 1 },
      guard,
    )
  }
}
