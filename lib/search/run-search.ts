import { ProwlError } from '../errors.ts'
import type { Candidate } from '../model/block.ts'
import type { CandidateFilter } from '../store/store.ts'
import { completeHits } from './complete-hits.ts'
import type { SearchAnswer, SearchOptions } from './engine.ts'
import { createPage } from './page.ts'
import type { Guard } from './pool.ts'
import { StuckError } from './pool.ts'
import { resolveRange, type SearchQuery } from './query.ts'
import { type Tools, verified } from './verified.ts'

/** A page's share of its deadline that one block may take before it is given up. */
const STUCK_SHARE = 1 / 3
const STUCK_MAX_MS = 2_000

type Partial = SearchAnswer['partial'][number]

/** One page of an answer, newest first. It ends at the deadline; the reader's leaving is thrown. */
export async function runSearch(tools: Tools, query: SearchQuery, options: SearchOptions): Promise<SearchAnswer> {
  const started = performance.now()
  const range = resolveRange(query, options.now)
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), options.deadlineMs)
  const stop = AbortSignal.any([deadline.signal, ...(options.signal ? [options.signal] : [])])
  const guard: Guard = { stop, stuckMs: Math.min(STUCK_MAX_MS, options.deadlineMs * STUCK_SHARE) }
  const start = options.after ?? { time: range.to, bucket: '', path: '' }
  const page = createPage({ limit: options.maxHits, perLog: options.maxHitsPerLog, start })
  const tally = createTally()
  let whole = false
  let jobs: readonly string[] | undefined
  try {
    jobs = await matchingJobs(tools, query, guard)
    const filter = filterOf(query, range, jobs)
    const search = { query, options, filter, guard }
    for await (const { block, outcome } of verified(tools, search)) {
      tally.add(block, outcome.state, outcome.bytes)
      if (page.add(block, outcome)) break
    }
    whole = true
  } catch (error) {
    options.signal?.throwIfAborted()
    if (!deadline.signal.aborted || error !== deadline.signal.reason) throw error
    tally.partial.add('deadline')
  } finally {
    clearTimeout(timer)
  }
  const { lines, position, full } = page.finish()
  if (full) tally.partial.add('limit')
  const completing: Guard = { ...guard, stop: options.signal ?? new AbortController().signal }
  const { hits, gone } = await completeHits(tools, lines, query.context, completing)
  if (gone) tally.partial.add('expired')
  return {
    hits,
    ...(full || !whole ? { next: position } : {}),
    ...range,
    ...(jobs ? { jobs } : {}),
    searched: { ...tally.searched(), ms: Math.round(performance.now() - started) },
    partial: [...tally.partial],
  }
}

/** The jobs that the query's regexes leave; undefined for all. Checks all patterns on the way. */
async function matchingJobs(tools: Tools, query: SearchQuery, guard: Guard): Promise<readonly string[] | undefined> {
  const narrowed = query.job !== undefined || query.excludeJob !== undefined
  const names = narrowed ? await tools.store.jobs() : []
  try {
    const left = await tools.pool.names(
      {
        names,
        patterns: query.patterns,
        ...(query.job === undefined ? {} : { include: query.job }),
        ...(query.excludeJob === undefined ? {} : { exclude: query.excludeJob }),
      },
      guard,
    )
    return narrowed ? left : undefined
  } catch (error) {
    if (!(error instanceof StuckError)) throw error
    throw new ProwlError('SEARCH_DEADLINE', 'the job pattern comes to no end; simplify it', { cause: error })
  }
}

function filterOf(query: SearchQuery, range: { from: number; to: number }, jobs?: readonly string[]): CandidateFilter {
  return {
    ...range,
    ...(jobs ? { jobs } : {}),
    ...(query.results ? { results: query.results } : {}),
    ...(query.kinds ? { kinds: query.kinds } : {}),
  }
}

const PARTIAL_OF: Readonly<Record<string, Partial>> = { stuck: 'deadline', expired: 'expired', damaged: 'damaged' }

function createTally() {
  const partial = new Set<Partial>()
  let log = ''
  let [logs, blocks, bytes, leftOut] = [0, 0, 0, 0]
  return {
    partial,
    add(block: Candidate, state: string, size: number) {
      const name = JSON.stringify([block.bucket, block.path, block.log])
      if (name !== log) logs++
      log = name
      const reason = PARTIAL_OF[state]
      if (reason) {
        partial.add(reason)
        leftOut++
      } else blocks++
      bytes += size
    },
    searched: () => ({ logs, blocks, bytes, leftOut }),
  }
}
