import pLimit from 'p-limit'
import type { Run } from '../model/run.ts'
import type { SearchHit } from './engine.ts'
import type { FoundLine } from './page.ts'
import { type Guard, StuckError } from './pool.ts'
import { keyOf, runsByKey } from './runs-by-key.ts'
import { sendable, type Tools } from './verified.ts'

const PARALLEL = 8

/** Makes hits of a page's lines: their runs, and the context that lies in neighbouring blocks. `gone`: a run expired meanwhile. */
export async function completeHits(
  tools: Tools,
  lines: readonly FoundLine[],
  context: number,
  guard: Guard,
): Promise<{ readonly hits: SearchHit[]; readonly gone: boolean }> {
  const limit = pLimit(PARALLEL)
  const blocks = new Map(lines.map(({ block }) => [keyOf(block), block]))
  const runs = await runsByKey(tools.store, [...blocks.values()])
  const hits = await Promise.all(
    lines.map(async (line) => {
      const run = runs.get(keyOf(line.block))
      return run && (await limit(() => completeHit(tools, line, run, context, guard)))
    }),
  )
  const kept = hits.filter((hit) => hit !== undefined)
  return { hits: kept, gone: kept.length < lines.length }
}

async function completeHit(
  tools: Tools,
  found: FoundLine,
  run: Run,
  context: number,
  guard: Guard,
): Promise<SearchHit> {
  const { block, line } = found
  const [from, to] = [Math.max(1, line - context), line + context]
  const cut = block.window !== undefined
  const inBefore = cut ? 0 : found.before.length
  const inAfter = cut ? 0 : found.after.length
  const before = line - inBefore > from ? await textOf(tools, found, { from, to: line - 1 }, guard) : found.before
  const after = line + inAfter < to ? await textOf(tools, found, { from: line + 1, to }, guard) : found.after
  return {
    bucket: block.bucket,
    path: block.path,
    job: run.job,
    buildId: run.buildId,
    result: run.result,
    ...(run.refs ? { refs: run.refs } : {}),
    time: block.time,
    log: block.log,
    line,
    patterns: found.patterns,
    text: found.text,
    spans: found.spans,
    before,
    after,
    more: found.more,
    runFull: found.runFull,
    cut,
  }
}

/** The lines of a range as they are matched, capped; fewer where blocks are gone. */
async function textOf(
  tools: Tools,
  { block }: FoundLine,
  { from, to }: { readonly from: number; readonly to: number },
  guard: Guard,
): Promise<readonly string[]> {
  const blocks = await tools.store.blocks(block, block.log, from, to)
  // Of a long line the first window is enough.
  const needed = blocks.filter((each) => !each.window)
  try {
    return await tools.pool.lines({ ...(await sendable(tools, needed)), from, to }, guard)
  } catch (error) {
    if (error instanceof StuckError) return []
    throw error
  }
}
