import { ProwlError } from '../errors.ts'
import { planOf, planOfAny } from '../regex/plan.ts'
import type { CandidateFilter } from '../store/store.ts'
import { type Guard, StuckError } from './pool.ts'
import type { SearchQuery } from './query.ts'
import { newShare } from './turns.ts'
import type { Tools } from './verified.ts'

/** A search's share of its deadline that one block may take before it is given up. */
const STUCK_SHARE = 1 / 3
const STUCK_MAX_MS = 2_000

export interface Limits {
  /** Milliseconds until a partial answer is given. */
  readonly deadlineMs: number
  /** Decoded bytes of log that patterns are run on; at least one block is. No limit where absent. */
  readonly maxBytes?: number
  readonly signal?: AbortSignal
}

export function stuckMs({ deadlineMs }: Limits): number {
  return Math.min(STUCK_MAX_MS, deadlineMs * STUCK_SHARE)
}

/** Runs `work` until the deadline: false where it was cut off there. The reader's leaving is thrown. */
export async function withinDeadline(limits: Limits, work: (guard: Guard) => Promise<void>): Promise<boolean> {
  const { deadlineMs, signal } = limits
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), deadlineMs)
  const stop = AbortSignal.any([deadline.signal, ...(signal ? [signal] : [])])
  try {
    await work({ stop, stuckMs: stuckMs(limits), share: newShare() })
    return true
  } catch (error) {
    signal?.throwIfAborted()
    if (!deadline.signal.aborted || error !== deadline.signal.reason) throw error
    return false
  } finally {
    clearTimeout(timer)
  }
}

/** The jobs that the query's regexes leave; undefined for all. Checks all patterns on the way. */
export async function matchingJobs(
  tools: Tools,
  query: SearchQuery,
  guard: Guard,
): Promise<readonly string[] | undefined> {
  const narrowed = query.job !== undefined || query.excludeJob !== undefined
  const names = narrowed ? await tools.store.jobs() : []
  try {
    const left = await tools.pool.names(
      {
        names,
        patterns: query.patterns,
        excludes: query.excludes ?? [],
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

/** What narrows a search before any text is read: its filters, and what its patterns imply. */
export function filterOf(
  query: SearchQuery,
  range: { readonly from: number; readonly to: number },
  jobs?: readonly string[],
): CandidateFilter {
  const plan = planOfAny(query.patterns.map((pattern) => planOf(pattern, { smartCase: true }).plan))
  return {
    ...range,
    ...(plan.kind === 'all' ? {} : { plan }),
    ...(jobs ? { jobs } : {}),
    ...(query.results ? { results: query.results } : {}),
    ...(query.kinds ? { kinds: query.kinds } : {}),
  }
}
