import type { Run } from '../model/run.ts'
import type { Context } from './context.ts'
import { SEARCH_LIMITS } from './search-limits.ts'
import type { FindView } from './views.ts'

/** What a pattern finds in the logs of one run. */
interface FoundInRun {
  has(log: string): boolean
  first(log: string): Promise<number | undefined>
  view(log: string, from: number, to: number): Promise<FindView>
}

/** Looks a run's logs through, from the line that is shown. Throws as a search does. */
export async function findIn(
  ctx: Context,
  run: Run,
  {
    find: pattern,
    near,
    findMs = SEARCH_LIMITS.find.ms,
    signal,
  }: {
    readonly find: string
    readonly near: { readonly log: string; readonly line: number }
    readonly findMs?: number | undefined
    readonly signal?: AbortSignal | undefined
  },
): Promise<FoundInRun> {
  const limits = { deadlineMs: findMs, maxBytes: SEARCH_LIMITS.find.bytes, ...(signal ? { signal } : {}) }
  const { logs, searched, partial, around } = await ctx.searcher.find({ run, pattern }, { near, ...limits })
  return {
    has: (name) => logs.some(({ log }) => log === name),
    first: async (log) => (await around(log, 1, 0)).next,
    async view(log, from, to) {
      const { lines, ...beyond } = await around(log, from, to)
      const marks = lines.map(({ line, spans, start = 0 }) => ({
        line,
        spans: spans.map((span) => ({ from: span.from + start, to: span.to + start })),
      }))
      const total = logs.reduce((sum, each) => sum + each.lines, 0)
      return { pattern, lines: total, logs, marks, ...beyond, searched, partial }
    },
  }
}
