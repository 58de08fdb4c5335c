import type { Candidate } from '../model/block.ts'
import type { CandidateFilter, OrderKey, Store } from '../store/store.ts'
import { type Guard, type Pool, StuckError } from './pool.ts'
import type { BlockTask, Outcome } from './tasks.ts'

export interface Tools {
  readonly store: Store
  readonly pool: Pool
  readonly dataDir: string | undefined
  /** Batches that one search has under way at once: what is left of the pool is other searches'. */
  readonly width: number
}

export interface Verified<O extends Outcome> {
  readonly block: Candidate
  readonly outcome: O
}

/** How candidate blocks are run through the pool. */
export interface Verification<O extends Outcome> {
  readonly filter: CandidateFilter
  readonly after?: OrderKey | undefined
  readonly guard: Guard
  /** Of a prefix of the blocks, at least one. Throws StuckError. */
  readonly verify: (blocks: readonly Candidate[], guard: Guard) => Promise<O[]>
  /** What became of a block that no worker got through. */
  readonly stuck: O
  /** Told of blocks that were passed over unread, as their grams show that no line of them can match. */
  readonly onPruned?: (blocks: number) => void
  /** Asked when a block's turn comes; false passes over it. */
  readonly wanted?: (block: Candidate) => boolean
}

/** Blocks of the first batch, and of the largest: the first hits come soon, the rest with less overhead. */
const FIRST_BATCH = 4
const LARGEST_BATCH = 32
const CANDIDATES_PAGE = 256

/**
 * Every candidate block with what was found in it, in the total order; verified by the pool some batches ahead. Throws
 * the reason of `guard.stop` once that fires. Ending the loop early frees the workers.
 */
export async function* verified<O extends Outcome>(tools: Tools, given: Verification<O>): AsyncGenerator<Verified<O>> {
  const left = new AbortController()
  const stop = AbortSignal.any([given.guard.stop, left.signal])
  const verification = { ...given, guard: { ...given.guard, stop } }
  const verify = (blocks: readonly Candidate[]) => verifyBatch(verification, blocks)
  const ahead: { blocks: readonly Candidate[]; outcomes: Promise<O[]> }[] = []
  try {
    for await (const batch of batches(tools.store, verification)) {
      const blocks = given.wanted ? batch.filter(given.wanted) : batch
      if (blocks.length === 0) continue
      const outcomes = verify(blocks)
      outcomes.catch(() => undefined)
      ahead.push({ blocks, outcomes })
      if (ahead.length >= tools.width) yield* inOrder(ahead.shift(), verify)
    }
    while (ahead.length > 0) yield* inOrder(ahead.shift(), verify)
  } finally {
    left.abort()
  }
}

/** A worker may answer for the first blocks of a batch only; the rest is asked again. */
async function* inOrder<O extends Outcome>(
  batch: { blocks: readonly Candidate[]; outcomes: Promise<O[]> } | undefined,
  verify: (blocks: readonly Candidate[]) => Promise<O[]>,
): AsyncGenerator<Verified<O>> {
  let blocks = batch?.blocks ?? []
  let outcomes = (await batch?.outcomes) ?? []
  while (blocks.length > 0) {
    for (const [index, outcome] of outcomes.entries()) {
      const block = blocks[index]
      if (block) yield { block, outcome }
    }
    blocks = blocks.slice(outcomes.length)
    if (blocks.length > 0) outcomes = await verify(blocks)
  }
}

/** Outcomes of the first blocks, at least one. A block that a worker can't get through is left out as `stuck`. */
async function verifyBatch<O extends Outcome>(
  verification: Verification<O>,
  blocks: readonly Candidate[],
): Promise<O[]> {
  try {
    return await verification.verify(blocks, verification.guard)
  } catch (error) {
    if (!(error instanceof StuckError)) throw error
    const before = error.index > 0 ? await verifyBatch(verification, blocks.slice(0, error.index)) : []
    if (before.length < error.index) return before
    return [...before, verification.stuck]
  }
}

/** Blocks as a worker takes them: by reference where it reads the store itself, else with their bytes. */
export async function sendable({ store, dataDir }: Tools, blocks: readonly Candidate[], after?: OrderKey) {
  const bytes = dataDir === undefined ? await store.read(blocks.map((block) => block.ref)) : []
  const tasks = blocks.map(
    (block, index): BlockTask => ({
      ref: block.ref,
      bytes: bytes[index],
      ascii: block.ascii,
      firstLine: block.firstLine,
      afterLine: after && isOf(block, after) ? (after.line ?? 0) : 0,
    }),
  )
  return { blocks: tasks, ...(dataDir === undefined ? {} : { dataDir }) }
}

function isOf(block: Candidate, key: OrderKey): boolean {
  return block.bucket === key.bucket && block.path === key.path && block.log === key.log
}

/** The candidates in batches that grow. */
async function* batches<O extends Outcome>(
  store: Store,
  { filter, after: start, guard, onPruned }: Verification<O>,
): AsyncGenerator<Candidate[]> {
  let size = FIRST_BATCH
  let after = start
  for (;;) {
    guard.stop.throwIfAborted()
    const page = await unlessStopped(
      store.candidates(filter, { limit: CANDIDATES_PAGE, ...(after ? { after } : {}) }),
      guard.stop,
    )
    const { items } = page
    onPruned?.(page.considered - items.length)
    for (let at = 0; at < items.length; size = Math.min(LARGEST_BATCH, size * 2)) {
      yield items.slice(at, at + size)
      at += size
    }
    after = page.next
    if (!after) return
  }
}

/** Rejects with the reason of `stop` as soon as it fires; the call itself goes on unheard. */
function unlessStopped<T>(call: Promise<T>, stop: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const onStop = () => reject(stop.reason)
  stop.addEventListener('abort', onStop, { once: true })
  return Promise.race([call, promise]).finally(() => stop.removeEventListener('abort', onStop))
}
