import { createSearcher } from '#lib/search/engine.ts'
import type { SearchQuery } from '#lib/search/query.ts'
import { openStore } from '#lib/store/open.ts'

/** All that the bench asks of prowl's engine: opened as the web app opens it. */
export interface Prowl {
  count(patterns: readonly string[], deadlineMs?: number): Promise<Counted>
  /** Hits of a first page, newest first. */
  first(pattern: string): Promise<number>
  /** Runs that match, each left at its first matching line. */
  chart(pattern: string): Promise<number>
  close(): Promise<void>
}

export interface Counted {
  /** Matching lines by pattern. */
  readonly lines: readonly number[]
  /** Blocks that were read and matched. */
  readonly candidates: number
  /** What the answer says it lacks: empty for a whole one. */
  readonly partial: readonly string[]
}

export const FIRST_HITS = 50

const LIMITS = { deadlineMs: 3_600_000, now: 0 }
const END_OF_TIME = Date.UTC(9999, 11, 31)

export async function openProwl(dataDir: string): Promise<Prowl> {
  const store = await openStore({ dataDir, mode: 'read', thread: true })
  const searcher = createSearcher({ store, dataDir })
  return {
    async count(patterns, deadlineMs = LIMITS.deadlineMs) {
      const { runs, searched, partial } = await searcher.count(queryOf(patterns), { ...LIMITS, deadlineMs })
      const lines = patterns.map((_, at) => runs.reduce((sum, run) => sum + (run.lines[at] ?? 0), 0))
      return { lines, candidates: searched.blocks, partial }
    },
    async first(pattern) {
      const limits = { maxHits: FIRST_HITS, maxHitsPerLog: Number.MAX_SAFE_INTEGER }
      const { hits } = await searcher.search(queryOf([pattern]), { ...LIMITS, ...limits })
      return hits.length
    },
    async chart(pattern) {
      const { runs } = await searcher.count(queryOf([pattern]), { ...LIMITS, firstOnly: true })
      return runs.length
    },
    async close() {
      await searcher.close()
      await store.close()
    },
  }
}

function queryOf(patterns: readonly string[]): SearchQuery {
  return { patterns, range: { from: 0, to: END_OF_TIME }, context: 0, groupBy: 'none' }
}
