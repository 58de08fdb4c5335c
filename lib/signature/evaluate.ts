import { allPages } from '../incident/runs.ts'
import type { Candidate } from '../model/block.ts'
import { snowflakeTime } from '../model/build-id.ts'
import type { Plan } from '../model/plan.ts'
import type { Log, Run, RunKey } from '../model/run.ts'
import type { Signature } from '../model/signature.ts'
import { planOf, planOfAny } from '../regex/plan.ts'
import type { OrderKey, RunFindings, Store, StoredRun } from '../store/store.ts'
import type { Affected } from './affected.ts'
import { createMatcher, isComplete, type SignatureMatcher } from './run-matcher.ts'

export interface Evaluated {
  readonly run: Run
  /** What the signatures make of the run's text; its hits of before where the text is gone. */
  readonly findings: RunFindings
  readonly expired: boolean
  /** Decoded bytes of text that were read. */
  readonly bytes: number
}

export interface EvaluateOptions {
  /** Runs after this one in the total order, those before it being done. */
  readonly after?: OrderKey | undefined
  readonly signal?: AbortSignal | undefined
}

type EvaluatedStore = Pick<Store, 'run' | 'runs' | 'blocks' | 'candidates' | 'read'>

const RUNS_A_PAGE = 200
const BLOCKS_A_READ = 16

/**
 * Looks at all stored runs anew, newest first, through the signatures given; nothing is written. Only logs that may hold
 * a line of theirs are read. Of a run whose text is kept no longer the hits are those it had, and it counts as watched
 * no more.
 */
export async function* evaluate(
  store: EvaluatedStore,
  { ids, catalogue }: Affected,
  { after, signal }: EvaluateOptions = {},
): AsyncGenerator<Evaluated> {
  const matcher = createMatcher(catalogue)
  const wanted = new Set(ids)
  const plan = planOfSignatures(catalogue.signatures)
  let next = after
  do {
    signal?.throwIfAborted()
    const page = await store.runs({}, { limit: RUNS_A_PAGE, ...(next ? { after: next } : {}) })
    const logs = await logsToRead(store, page.items, plan)
    for (const run of page.items) {
      signal?.throwIfAborted()
      const stored = await store.run(run)
      if (stored) yield await evaluateRun(store, stored, matcher, wanted, logs)
    }
    next = page.next
  } while (next)
}

/** By run and log: those with a block that may match. */
async function logsToRead(store: EvaluatedStore, runs: readonly Run[], plan: Plan): Promise<ReadonlySet<string>> {
  const [newest, oldest] = [runs[0], runs.at(-1)]
  const found = new Set<string>()
  if (!newest || !oldest) return found
  const range = { from: oldest.time, to: newest.time + 1, plan }
  for await (const block of allPages((page) => store.candidates(range, page), 1000)) found.add(keyOf(block, block.log))
  return found
}

/** Lines that decide anything: those of a failure, of its witness, and of what starts its clock. */
function planOfSignatures(signatures: readonly Signature[]): Plan {
  const patterns = signatures.flatMap(({ regexes, witness, clock }) => [
    ...regexes,
    ...(witness === undefined ? [] : [witness]),
    ...(clock ? [clock.start] : []),
  ])
  return planOfAny(patterns.map((pattern) => planOf(pattern).plan))
}

async function evaluateRun(
  store: EvaluatedStore,
  { run, logs, hits, tracks, fingerprint, expired }: StoredRun,
  matcher: SignatureMatcher,
  wanted: ReadonlySet<string>,
  toRead: ReadonlySet<string>,
): Promise<Evaluated> {
  const key = { bucket: run.bucket, path: run.path, fingerprint }
  const ours = <T extends { readonly signature: string }>(of: readonly T[]) =>
    of.filter(({ signature }) => wanted.has(signature))
  if (expired) {
    const kept = { hits: ours(hits), tracks: ours(tracks), exposures: [] }
    return { run, expired, bytes: 0, findings: { ...key, ...kept } }
  }
  const idTime = snowflakeTime(run.buildId)
  const matching = matcher.startRun({ ...run, ...(idTime === undefined ? {} : { idTime }) })
  let bytes = 0
  for (const log of logs) {
    const reading = matching.startLog(log)
    if (toRead.has(keyOf(run, log.name))) bytes += await readLog(store, run, log, reading)
    reading.end()
  }
  const complete = isComplete(run, logs)
  const found = matching.finish({ complete })
  const findings = { ...key, hits: ours(found.hits), tracks: ours(found.tracks), exposures: ours(found.exposures) }
  return { run, expired, bytes, findings }
}

type LogReading = ReturnType<ReturnType<SignatureMatcher['startRun']>['startLog']>

async function readLog(store: EvaluatedStore, run: RunKey, { name }: Log, reading: LogReading): Promise<number> {
  const blocks = await store.blocks(run, name, 1, Number.MAX_SAFE_INTEGER)
  let bytes = 0
  for (let at = 0; at < blocks.length; at += BLOCKS_A_READ) {
    const part = blocks.slice(at, at + BLOCKS_A_READ)
    const texts = await store.read(part.map(({ ref }) => ref))
    for (const [index, text] of texts.entries()) {
      const block = part[index]
      if (!text || !block) continue
      bytes += text.length
      reading.block({ ...shapeOf(block), bytes: text })
    }
  }
  return bytes
}

function shapeOf({ firstLine, lineCount, ascii, window }: Candidate) {
  return { firstLine, lineCount, ascii, ...(window === undefined ? {} : { window }) }
}

function keyOf({ bucket, path }: RunKey, log: string): string {
  return JSON.stringify([bucket, path, log])
}
