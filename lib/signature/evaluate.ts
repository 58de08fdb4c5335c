import { allPages, runText } from '../incident/runs.ts'
import type { Block, Candidate } from '../model/block.ts'
import { snowflakeTime } from '../model/build-id.ts'
import type { Plan } from '../model/plan.ts'
import type { Log, Run } from '../model/run.ts'
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
 * Looks at all stored runs anew, newest first, through the signatures given; nothing is written. Only blocks that may hold
 * a line of theirs are read, and all of their logs where one does: the lines around say when it was. Of a run whose text
 * is kept no longer the hits are those it had, and it counts as watched no more.
 */
export async function* evaluate(
  store: EvaluatedStore,
  { ids, catalogue }: Affected,
  options: EvaluateOptions = {},
): AsyncGenerator<Evaluated> {
  const matcher = createMatcher(catalogue)
  const wanted = new Set(ids)
  for await (const { stored, toRead } of runsToRead(store, planOfSignatures(catalogue.signatures), options)) {
    const { run, fingerprint, expired } = stored
    const key = { bucket: run.bucket, path: run.path, fingerprint }
    if (expired) {
      const kept = { hits: ours(stored.hits, wanted), tracks: ours(stored.tracks, wanted), exposures: [] }
      yield { run, expired, bytes: 0, findings: { ...key, ...kept } }
      continue
    }
    let bytes = 0
    const read = async function* (blocks: readonly Candidate[]) {
      for await (const block of readBlocks(store, blocks)) {
        bytes += block.bytes.length
        yield block
      }
    }
    // Without a line of a failure no witness is placed: that there is one says all.
    const isStruck = await someMatch(matcher, read([...toRead.values()].flat()))
    const { hits, tracks, exposures } = await matchRun(stored, matcher, async ({ name }, take) => {
      const named = toRead.get(name)
      if (!named) return
      const blocks = isStruck ? await store.blocks(run, name, 1, Number.MAX_SAFE_INTEGER) : named
      for await (const block of read(blocks)) take(block)
    })
    const findings = { hits: ours(hits, wanted), tracks: ours(tracks, wanted), exposures: ours(exposures, wanted) }
    yield { run, expired, bytes, findings: { ...key, ...findings } }
  }
}

function ours<T extends { readonly signature: string }>(all: readonly T[], wanted: ReadonlySet<string>): T[] {
  return all.filter(({ signature }) => wanted.has(signature))
}

export interface RunToRead {
  readonly stored: StoredRun
  /** By name of the log, in line order, the blocks that may hold a line of the plan; none of a run whose text is gone. */
  readonly toRead: ReadonlyMap<string, readonly Candidate[]>
}

/** All stored runs, newest first, and which of their blocks may hold a line of the plan. */
export async function* runsToRead(
  store: Pick<Store, 'run' | 'runs' | 'candidates'>,
  plan: Plan,
  { after, signal }: EvaluateOptions = {},
): AsyncGenerator<RunToRead> {
  let next = after
  do {
    signal?.throwIfAborted()
    const page = await store.runs({}, { limit: RUNS_A_PAGE, ...(next ? { after: next } : {}) })
    const blocks = await blocksToRead(store, page.items, plan)
    for (const run of page.items) {
      signal?.throwIfAborted()
      const stored = await store.run(run)
      if (stored) yield { stored, toRead: blocks.get(runText(run)) ?? new Map() }
    }
    next = page.next
  } while (next)
}

async function blocksToRead(store: Pick<Store, 'candidates'>, runs: readonly Run[], plan: Plan) {
  const [newest, oldest] = [runs[0], runs.at(-1)]
  const found = new Map<string, Map<string, Candidate[]>>()
  if (!newest || !oldest) return found
  const range = { from: oldest.time, to: newest.time + 1, plan }
  for await (const block of allPages((page) => store.candidates(range, page), 1000)) {
    const logs = found.get(runText(block)) ?? new Map<string, Candidate[]>()
    found.set(runText(block), logs)
    const blocks = logs.get(block.log) ?? []
    logs.set(block.log, blocks)
    blocks.push(block)
  }
  return found
}

async function someMatch(matcher: SignatureMatcher, blocks: AsyncIterable<Block>): Promise<boolean> {
  for await (const block of blocks) if (matcher.strikes(block)) return true
  return false
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

/** What the signatures make of a run's text. `read` hands on the blocks of a log in order, or none where it can't match. */
export async function matchRun(
  { run, logs }: Pick<StoredRun, 'run' | 'logs'>,
  matcher: SignatureMatcher,
  read: (log: Log, take: (block: Block) => void) => Promise<void>,
) {
  const idTime = snowflakeTime(run.buildId)
  const matching = matcher.startRun({ ...run, ...(idTime === undefined ? {} : { idTime }) })
  for (const log of logs) {
    const reading = matching.startLog(log)
    await read(log, (block) => reading.block(block))
    reading.end()
  }
  return matching.finish({ complete: isComplete(run, logs) })
}

async function* readBlocks(store: EvaluatedStore, blocks: readonly Candidate[]): AsyncGenerator<Block> {
  for (let at = 0; at < blocks.length; at += BLOCKS_A_READ) {
    const part = blocks.slice(at, at + BLOCKS_A_READ)
    const texts = await store.read(part.map(({ ref }) => ref))
    for (const [index, bytes] of texts.entries()) {
      const block = part[index]
      if (bytes && block) yield { ...shapeOf(block), bytes }
    }
  }
}

function shapeOf({ firstLine, lineCount, ascii, window }: Candidate) {
  return { firstLine, lineCount, ascii, ...(window === undefined ? {} : { window }) }
}
