import pLimit from 'p-limit'
import type { RunKey } from '../model/run.ts'
import type { StoredRun } from '../store/store.ts'
import type { SearchHit } from './engine.ts'
import type { FoundLine } from './page.ts'
import { type Guard, StuckError } from './pool.ts'
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
  const runs = new Map<string, Promise<StoredRun | undefined>>()
  const runOf = ({ bucket, path }: RunKey) => {
    const key = JSON.stringify([bucket, path])
    const run = runs.get(key) ?? limit(() => tools.store.run({ bucket, path }))
    runs.set(key, run)
    return run
  }
  const hits = await Promise.all(
    lines.map(async (line) => {
      const stored = await runOf(line.block)
      return stored && (await limit(() => completeHit(tools, line, stored, context, guard)))
    }),
  )
  const kept = hits.filter((hit) => hit !== undefined)
  return { hits: kept, gone: kept.length < lines.length }
}

async function completeHit(
  tools: Tools,
  found: FoundLine,
  stored: StoredRun,
  context: number,
  guard: Guard,
): Promise<SearchHit> {
  const { block, line } = found
  const last = stored.logs.find((log) => log.name === block.log)?.lines ?? line
  const [from, to] = [Math.max(1, line - context), Math.min(last, line + context)]
  const cut = block.window !== undefined
  const inBefore = cut ? 0 : found.before.length
  const inAfter = cut ? 0 : found.after.length
  const before = line - inBefore > from ? await textOf(tools, found, { from, to: line - 1 }, guard) : found.before
  const after = line + inAfter < to ? await textOf(tools, found, { from: line + 1, to }, guard) : found.after
  return {
    bucket: block.bucket,
    path: block.path,
    job: stored.run.job,
    buildId: stored.run.buildId,
    result: stored.run.result,
    ...(stored.run.refs ? { refs: stored.run.refs } : {}),
    time: block.time,
    log: block.log,
    line,
    patterns: found.patterns,
    text: found.text,
    spans: found.spans,
    before,
    after,
    more: found.more,
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
