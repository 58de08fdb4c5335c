import type { LimitFunction } from 'p-limit'
import { ProwlError } from '../errors.ts'
import { planOf, planOfAny } from '../regex/plan.ts'
import type { Affected } from '../signature/affected.ts'
import type { Catalogue, CatalogueFile } from '../signature/catalogue.ts'
import { type RunToRead, runsToRead } from '../signature/evaluate.ts'
import type { StoredRun } from '../store/store.ts'
import { type Guard, StuckError } from './pool.ts'
import { type Limits, withinDeadline } from './search-parts.ts'
import type { RunBlock, RunOutcome } from './tasks.ts'
import { sendable, type Tools, unlessStopped } from './verified.ts'

export interface EvaluateTools extends Tools {
  /** Tasks of all previews together: fewer than there are threads, so that searches always find one. */
  readonly lanes: LimitFunction
}

/** Runs under way at once; most hold no log that may match, and cost nothing. */
const AHEAD = 64
/** The part of the deadline that compiling patterns and matching their samples may take. */
const CATALOGUE_SHARE = 1 / 2

const EXPIRED: RunOutcome = { state: 'expired', hits: [] }
const STUCK: RunOutcome = { state: 'stuck', hits: [] }
const NOTHING: RunOutcome = { state: 'done', hits: [] }

/** As `parseCatalogue`, on a thread. Throws SEARCH_DEADLINE where patterns come to no end on their samples. */
export async function runCatalogue(
  { pool, lanes }: EvaluateTools,
  files: readonly CatalogueFile[],
  limits: Limits,
): Promise<Catalogue> {
  const stuckMs = limits.deadlineMs * CATALOGUE_SHARE
  let catalogue: Catalogue | undefined
  try {
    await withinDeadline(limits, async ({ stop }) => {
      const read = lanes(() => pool.catalogue({ files }, { stop, stuckMs }))
      catalogue = (await unlessStopped(read, stop))[0]
    })
  } catch (error) {
    if (!(error instanceof StuckError)) throw error
    throw new ProwlError('SEARCH_DEADLINE', 'a pattern comes to no end on a sample; simplify it', { cause: error })
  }
  if (catalogue) return catalogue
  throw new ProwlError('SEARCH_DEADLINE', 'others are trying edits, and no thread was free in time; try again soon')
}

/**
 * What the signatures make of every stored run, told the newest first; only logs that may hold a hit are read. False
 * where the deadline came first: runs that are older than the last one told were not looked at.
 */
export async function runEvaluate(
  tools: EvaluateTools,
  { ids, catalogue }: Affected,
  onRun: (stored: StoredRun, outcome: RunOutcome) => void,
  limits: Limits,
): Promise<boolean> {
  const left = new AbortController()
  const signatures = JSON.stringify(catalogue.signatures)
  // Witnesses and clocks say when, not whether: a log without a line of a failure need not be read for them.
  const sought = catalogue.signatures.filter(({ id }) => ids.includes(id)).flatMap(({ regexes }) => regexes)
  const plan = planOfAny(sought.map((pattern) => planOf(pattern).plan))
  const ahead: { readonly stored: StoredRun; readonly outcome: Promise<RunOutcome> }[] = []
  try {
    return await withinDeadline(limits, async ({ stop, stuckMs }) => {
      const guard = { stop: AbortSignal.any([stop, left.signal]), stuckMs }
      const tellFirst = async () => {
        const first = ahead.shift()
        if (first) onRun(first.stored, await unlessStopped(first.outcome, stop))
      }
      for await (const run of runsToRead(tools.store, plan, { signal: stop })) {
        const outcome = look(tools, signatures, run, guard)
        outcome.catch(() => undefined)
        ahead.push({ stored: run.stored, outcome })
        if (ahead.length === AHEAD) await tellFirst()
      }
      while (ahead.length > 0) await tellFirst()
    })
  } finally {
    left.abort()
  }
}

async function look(
  tools: EvaluateTools,
  signatures: string,
  { stored: { run, logs, expired }, toRead }: RunToRead,
  guard: Guard,
): Promise<RunOutcome> {
  if (expired) return EXPIRED
  if (toRead.size === 0) return NOTHING
  try {
    return await tools.lanes(async () => {
      guard.stop.throwIfAborted()
      const blocks = new Map<string, readonly RunBlock[]>()
      for (const name of toRead) blocks.set(name, await blocksOf(tools, run, name))
      const where = tools.dataDir === undefined ? {} : { dataDir: tools.dataDir }
      const [outcome] = await tools.pool.evaluate({ signatures, run: { run, logs }, blocks, ...where }, guard)
      return outcome ?? STUCK
    })
  } catch (error) {
    if (error instanceof StuckError) return STUCK
    throw error
  }
}

async function blocksOf(tools: Tools, run: StoredRun['run'], log: string): Promise<RunBlock[]> {
  const blocks = await tools.store.blocks(run, log, 1, Number.MAX_SAFE_INTEGER)
  const { blocks: tasks } = await sendable(tools, blocks)
  return tasks.flatMap((task, index) => {
    const block = blocks[index]
    if (!block) return []
    const { lineCount, window } = block
    return [{ ...task, lineCount, ...(window === undefined ? {} : { window }) }]
  })
}
