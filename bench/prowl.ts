import { allPages } from '#lib/incident/runs.ts'
import { createSearcher } from '#lib/search/engine.ts'
import type { SearchQuery } from '#lib/search/query.ts'
import { filterOf } from '#lib/search/search-parts.ts'
import type { ElasticOptions } from '#lib/store/elastic/connect.ts'
import { openStore } from '#lib/store/open.ts'

/** All that the bench asks of prowl's engine: opened as the web app opens it. */
export interface Prowl {
  count(patterns: readonly string[], deadlineMs?: number): Promise<Counted>
  /** Hits of a first page, newest first. */
  first(pattern: string): Promise<number>
  /** Runs that match, each left at its first matching line. */
  chart(pattern: string): Promise<number>
  /** Blocks that the index leaves, all of them listed and none read. */
  narrow(pattern: string): Promise<number>
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
const ALL_TIME = { from: 0, to: Date.UTC(9999, 11, 31) }
const PAGE = 256

/** Over the embedded store, or the cluster in its place. */
export async function openProwl(dataDir: string, elastic?: ElasticOptions): Promise<Prowl> {
  const store = await openStore({ dataDir, elastic, mode: 'read', thread: true })
  const searcher = createSearcher(elastic ? { store } : { store, dataDir })
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
    async narrow(pattern) {
      const filter = filterOf(queryOf([pattern]), ALL_TIME)
      let blocks = 0
      for await (const _ of allPages((page) => store.candidates(filter, page), PAGE)) blocks++
      return blocks
    },
    async close() {
      await searcher.close()
      await store.close()
    },
  }
}

function queryOf(patterns: readonly string[]): SearchQuery {
  return { patterns, range: ALL_TIME, context: 0, groupBy: 'none' }
}
