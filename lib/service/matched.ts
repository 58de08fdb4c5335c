import type { CountAnswer, RunCount, SearchAnswer } from '../search/engine.ts'
import { MEETS, meets } from '../search/meet.ts'
import type { SearchQuery } from '../search/query.ts'
import { dayOf } from '../store/order.ts'
import { isFailed } from '../triage/failure-finder.ts'
import type { Context } from './context.ts'
import type { Counts } from './impact.ts'
import { SEARCH_LIMITS } from './search-limits.ts'
import type { Matched } from './views.ts'

/** The runs of the whole range that match, not only those of the page: from its lines where they are all there are. */
export async function matchedRuns(
  ctx: Context,
  query: SearchQuery,
  answer: SearchAnswer,
  page: { readonly isFirst: boolean; readonly signal?: AbortSignal | undefined },
): Promise<Pick<CountAnswer, 'runs' | 'seen' | 'countedFrom'>> {
  if (page.isFirst && answer.counted) return answer.counted
  const isAll = page.isFirst && answer.next === undefined && answer.partial.length === 0
  if (isAll && query.patterns.length === 1) return { runs: runsOf(answer) }
  const { from, to } = answer
  return await ctx.searcher.count(
    { ...query, range: { from, to } },
    {
      firstOnly: true,
      deadlineMs: SEARCH_LIMITS.pageCounts.ms,
      maxBytes: SEARCH_LIMITS.pageCounts.bytes,
      now: ctx.now(),
      ...(page.signal ? { signal: page.signal } : {}),
    },
  )
}

/** Of an answer to one pattern. */
function runsOf({ hits }: SearchAnswer): RunCount[] {
  const runs = Map.groupBy(hits, ({ bucket, path }) => JSON.stringify([bucket, path]))
  return [...runs.values()].flatMap(([hit, ...more]) => {
    if (!hit) return []
    const { bucket, path, job, result, time, refs } = hit
    return [
      { bucket, path, job, result, time, ...(refs ? { refs } : {}), lines: [1 + more.length], any: 1 + more.length },
    ]
  })
}

export function matchedOf(
  { patterns }: SearchQuery,
  counted: Pick<CountAnswer, 'runs' | 'seen' | 'countedFrom'>,
): Matched {
  const { runs, seen = runs, countedFrom } = counted
  const days = Map.groupBy(runs, ({ time }) => dayOf(time))
  const where = (holds: (lines: readonly number[]) => boolean) =>
    inWords(countOf(seen.filter(({ lines }) => holds(lines))))
  return {
    ...inWords(countOf(runs)),
    jobs: new Set(runs.map(({ job }) => job)).size,
    pulls: countPulls(runs),
    patterns: patterns.map((pattern, at) => ({ pattern, ...where((lines) => (lines[at] ?? 0) > 0) })),
    ...(patterns.length > 1 ? { meeting: mapOf(MEETS, (meet) => where((lines) => meets(meet, lines))) } : {}),
    days: [...days].map(([day, ofDay]) => ({ day, ...inWords(countOf(ofDay)) })),
    ...(countedFrom === undefined ? {} : { countedFrom }),
  }
}

function mapOf<K extends string, V>(keys: readonly K[], make: (key: K) => V): Record<K, V> {
  return Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<K, V>
}

export function countOf(runs: readonly Pick<RunCount, 'result'>[]): Counts {
  return { runs: runs.length, failed: runs.filter(({ result }) => isFailed(result)).length }
}

function inWords({ runs, failed }: Counts) {
  return { runs, failedRuns: failed }
}

export function countPulls(runs: readonly Pick<RunCount, 'refs'>[]): number {
  const pulls = runs.flatMap(({ refs }) => refs?.pulls.map((pull) => `${refs.org}/${refs.repo}#${pull.number}`) ?? [])
  return new Set(pulls).size
}
