import type { Candidate } from '../model/block.ts'
import { completeHits } from './complete-hits.ts'
import type { SearchAnswer, SearchOptions } from './engine.ts'
import { meetOf, shownPatterns } from './meet.ts'
import { createPage } from './page.ts'
import type { Guard } from './pool.ts'
import { resolveRange, type SearchQuery } from './query.ts'
import { runCount } from './run-count.ts'
import { keyOf } from './runs-by-key.ts'
import { filterOf, matchingJobs, stuckMs, withinDeadline } from './search-parts.ts'
import { createTally } from './tally.ts'
import type { LinesOutcome } from './tasks.ts'
import { sendable, type Tools, verified } from './verified.ts'

/** One page of an answer, newest first. It ends at the deadline or the limit of bytes; the reader's leaving is thrown. */
export async function runSearch(tools: Tools, query: SearchQuery, options: SearchOptions): Promise<SearchAnswer> {
  const range = resolveRange(query, options.now)
  if (meetOf(query) === 'any') return await pageOf(tools, { ...query, range }, options)
  return await whereTheyMeet(tools, { ...query, range }, options)
}

type Ranged = SearchQuery & { readonly range: { readonly from: number; readonly to: number } }

/**
 * Lines of the runs in which the patterns meet, which must be known before the first line is shown: they are counted
 * first, down to where time and bytes last, and the page ends there.
 */
async function whereTheyMeet(tools: Tools, query: Ranged, options: SearchOptions): Promise<SearchAnswer> {
  const { range } = query
  const started = performance.now()
  const to = options.after ? Math.min(range.to, options.after.time + 1) : range.to
  const counted = await runCount(tools, { ...query, range: { from: range.from, to } }, options)
  const { runs, countedFrom, partial, searched, jobs } = counted
  const left = new Set(runs.map(keyOf))
  const shown = { from: countedFrom ?? range.from, to: range.to }
  const lines: SearchAnswer =
    runs.length === 0
      ? { hits: [], ...shown, searched, partial: [] }
      : await pageOf(
          tools,
          { ...query, patterns: shownPatterns(query), range: shown },
          {
            ...options,
            deadlineMs: Math.max(options.deadlineMs / 4, options.deadlineMs - performance.now() + started),
          },
          { wants: (block) => left.has(keyOf(block)), jobs: [...new Set(runs.map(({ job }) => job))] },
        )
  // Where not one run was got through, another try would end at the same place.
  const below = countedFrom === undefined || countedFrom >= to ? undefined : countedFrom - 1
  const next = lines.next ?? (below === undefined ? undefined : { time: below, bucket: '', path: '' })
  return {
    hits: lines.hits,
    ...(next ? { next } : {}),
    ...range,
    ...(jobs ? { jobs } : {}),
    searched: { ...searched, ms: Math.round(performance.now() - started) },
    partial: [...new Set([...lines.partial, ...partial])],
    counted: { ...counted, ...range },
  }
}

interface Only {
  readonly wants: (block: Candidate) => boolean
  readonly jobs: readonly string[]
}

async function pageOf(tools: Tools, query: Ranged, options: SearchOptions, only?: Only): Promise<SearchAnswer> {
  const { range } = query
  const start = options.after ?? { time: range.to, bucket: '', path: '' }
  const { maxHits: limit, maxHitsPerLog: perLog, maxHitsPerRun: perRun = Number.POSITIVE_INFINITY } = options
  const page = createPage({ limit, perLog, perRun, start })
  const tally = createTally(options.maxBytes)
  let jobs: readonly string[] | undefined
  const whole = await withinDeadline(options, async (guard) => {
    jobs = only?.jobs ?? (await matchingJobs(tools, query, guard))
    for await (const { block, outcome } of verified(tools, {
      filter: filterOf(query, range, jobs),
      onPruned: tally.addPruned,
      after: options.after,
      guard,
      verify: verifyLines(tools, query, options),
      stuck: STUCK,
      wanted: (block) => (only === undefined || only.wants(block)) && page.wants(block),
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

function verifyLines(tools: Tools, { patterns, excludes = [], context }: SearchQuery, options: SearchOptions) {
  const { maxHits, maxHitsPerLog, maxHitsPerRun = maxHitsPerLog } = options
  const perBlock = Math.min(maxHitsPerLog, maxHitsPerRun, maxHits + 1)
  return async (blocks: readonly Candidate[], guard: Guard): Promise<LinesOutcome[]> => {
    const sent = await sendable(tools, blocks, options.after)
    return await tools.pool.verify(
      { patterns, excludes, ...sent, context, maxLinesPerBlock: perBlock, maxLines: options.maxHits + 1 },
      guard,
    )
  }
}
