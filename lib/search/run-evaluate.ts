import type { LimitFunction } from 'p-limit'
import { ProwlError } from '../errors.ts'
import { allPages } from '../incident/runs.ts'
import type { Candidate } from '../model/block.ts'
import type { Hit } from '../model/hit.ts'
import type { Plan } from '../model/plan.ts'
import type { Run } from '../model/run.ts'
import { planOf, planOfAny } from '../regex/plan.ts'
import type { Affected } from '../signature/affected.ts'
import type { Catalogue, CatalogueFile } from '../signature/catalogue.ts'
import { type RunToRead, runsToRead } from '../signature/evaluate.ts'
import { preferred } from '../signature/run-matcher.ts'
import type { OrderKey, StoredRun } from '../store/store.ts'
import { type Guard, StuckError } from './pool.ts'
import { type Limits, withinDeadline } from './search-parts.ts'
import type { BlockTask, RunBlock, RunOutcome } from './tasks.ts'
import { sendable, type Tools, unlessStopped } from './verified.ts'

export interface EvaluateTools extends Tools {
  /** Tasks of all previews together: fewer than there are threads, so that searches always find one. */
  readonly lanes: LimitFunction
}

export interface EvaluateLimits extends Limits {
  /** Only runs after this one in the total order. */
  readonly after?: OrderKey
}

/** Runs under way at once; most hold no log that may match, and cost nothing. */
const AHEAD = 16
/** The part of the deadline that compiling patterns and matching their samples may take. */
const CATALOGUE_SHARE = 1 / 2

/** Blocks of one task: bytes that travel to a thread, and time that a search may have to wait, stay small. */
const BATCH = 64
const CANDIDATES_PAGE = 256

interface Sought {
  /** As JSON. */
  readonly signatures: string
  readonly plan: Plan
}

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
    await withinDeadline(limits, async (guard) => {
      const read = lanes(() => pool.catalogue({ files }, { ...guard, stuckMs }))
      catalogue = (await unlessStopped(read, guard.stop))[0]
    })
  } catch (error) {
    if (!(error instanceof StuckError)) throw error
    throw new ProwlError('SEARCH_DEADLINE', 'a pattern comes to no end on a sample; simplify it', { cause: error })
  }
  if (catalogue) return catalogue
  throw new ProwlError('SEARCH_DEADLINE', 'others are trying edits, and no thread was free in time; try again soon')
}

/**
 * Which hits the signatures have in every stored run, told the newest first; only blocks that may hold one are read, so
 * that when they struck is known less well than ingest knows it. False
 * where the deadline came first: runs that are older than the last one told were not looked at.
 */
export async function runEvaluate(
  tools: EvaluateTools,
  { ids, catalogue }: Affected,
  onRun: (stored: StoredRun, outcome: RunOutcome) => void,
  limits: EvaluateLimits,
): Promise<boolean> {
  const left = new AbortController()
  // Witnesses and clocks say when, not whether: a log without a line of a failure need not be read for them.
  const patterns = catalogue.signatures.filter(({ id }) => ids.includes(id)).flatMap(({ regexes }) => regexes)
  const plan = planOfAny(patterns.map((pattern) => planOf(pattern).plan))
  const sought = { signatures: JSON.stringify(catalogue.signatures), plan }
  const ahead: { readonly stored: StoredRun; readonly outcome: Promise<RunOutcome> }[] = []
  try {
    return await withinDeadline(limits, async (given) => {
      const { stop } = given
      const guard = { ...given, stop: AbortSignal.any([stop, left.signal]) }
      const tellFirst = async () => {
        const first = ahead.shift()
        if (first) onRun(first.stored, await unlessStopped(first.outcome, stop))
      }
      for await (const run of runsToRead(tools.store, plan, { signal: stop, after: limits.after })) {
        const outcome = look(tools, sought, run, guard)
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

/**
 * By line (its match text), the ids of the signatures that match it. None for all of them where a pattern comes to no end
 * or the deadline came.
 */
export async function runKnown(
  { pool, lanes }: EvaluateTools,
  { signatures }: Catalogue,
  lines: readonly string[],
  limits: Limits,
): Promise<readonly (readonly string[])[]> {
  let known: readonly (readonly string[])[] = []
  try {
    await withinDeadline(limits, async (guard) => {
      const task = { signatures: JSON.stringify(signatures), lines }
      known = await unlessStopped(
        lanes(() => pool.known(task, guard)),
        guard.stop,
      )
    })
  } catch (error) {
    if (!(error instanceof StuckError)) throw error
  }
  return lines.map((_, i) => known[i] ?? [])
}

async function look(
  tools: EvaluateTools,
  sought: Sought,
  { stored: { run, logs, expired }, toRead }: RunToRead,
  guard: Guard,
): Promise<RunOutcome> {
  if (expired) return EXPIRED
  if (toRead.size === 0) return NOTHING
  const hits: Hit[] = []
  try {
    for await (const blocks of batches(tools, run, sought.plan)) {
      const outcome = await tools.lanes(async () => {
        guard.stop.throwIfAborted()
        const { blocks: tasks, ...where } = await sendable(tools, blocks)
        const task = { signatures: sought.signatures, run: { run, logs }, blocks: byLog(blocks, tasks), ...where }
        return (await tools.pool.evaluate(task, guard))[0] ?? STUCK
      })
      if (outcome.state !== 'done') return outcome
      hits.push(...outcome.hits)
    }
    return { state: 'done', hits: united(hits) }
  } catch (error) {
    if (error instanceof StuckError) return STUCK
    throw error
  }
}

/** The run's blocks that may hold a hit. What lies between them says when a hit was, never whether. */
async function* batches({ store }: Tools, { bucket, path, job, time }: Run, plan: Plan): AsyncGenerator<Candidate[]> {
  const filter = { bucket, jobs: [job], from: time, to: time + 1, ...(plan.kind === 'all' ? {} : { plan }) }
  let batch: Candidate[] = []
  for await (const block of allPages((page) => store.candidates(filter, page), CANDIDATES_PAGE)) {
    if (block.path !== path) continue
    batch.push(block)
    if (batch.length === BATCH) {
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}

function byLog(blocks: readonly Candidate[], tasks: readonly BlockTask[]): Map<string, RunBlock[]> {
  const logs = new Map<string, RunBlock[]>()
  for (const [index, { log, lineCount, window }] of blocks.entries()) {
    const task = tasks[index]
    if (!task) continue
    const own = logs.get(log) ?? []
    logs.set(log, own)
    own.push({ ...task, lineCount, ...(window === undefined ? {} : { window }) })
  }
  return logs
}

/** As of a run that was looked at in one go: a hit per signature, resource and cause, of the log that is preferred. */
function united(hits: readonly Hit[]): Hit[] {
  const sorted = hits.toSorted((a, b) => preferred(a.log, b.log) || a.line - b.line)
  const groups = Map.groupBy(sorted, ({ signature, cause, resource }) => JSON.stringify([signature, cause, resource]))
  return [...groups.values()].flatMap(([first]) => first ?? [])
}
