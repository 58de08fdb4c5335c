import type { Candidate } from '../model/block.ts'
import type { CandidateFilter, OrderKey, Store } from '../store/store.ts'
import { type Guard, type Pool, StuckError } from './pool.ts'
import { keyOf } from './runs-by-key.ts'
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
  const { verification, leave } = leavable(given)
  try {
    yield* ahead(tools, verification, batches(pages(tools.store, verification)))
  } finally {
    leave()
  }
}

/** The same of blocks that are known already, in their order. */
export async function* verifiedOf<O extends Outcome>(
  tools: Tools,
  given: Omit<Verification<O>, 'filter'>,
  blocks: readonly Candidate[],
): AsyncGenerator<Verified<O>> {
  const { verification, leave } = leavable({ ...given, filter: {} })
  try {
    yield* ahead(tools, verification, batches([blocks]))
  } finally {
    leave()
  }
}

/**
 * The same where a run is looked at no further once it is not `wanted`: of each page of candidates the first block of
 * every run, then of the runs still wanted the next two, then four and so on. In order by page only: `onReached` is told
 * the time down to which every run was looked at.
 */
export async function* verifiedInRounds<O extends Outcome>(
  tools: Tools,
  given: Verification<O> & {
    readonly wanted: (block: Candidate) => boolean
    readonly onReached: (time: number) => void
  },
): AsyncGenerator<Verified<O>> {
  const { verification, leave } = leavable(given)
  try {
    for await (const page of pages(tools.store, verification)) {
      let runs = [...Map.groupBy(page, keyOf).values()]
      for (let size = 1; runs.length > 0; size *= 2) {
        const blocks = runs.flatMap((run) => run.slice(0, size))
        yield* ahead(tools, verification, chunksOf(blocks, tools.width))
        runs = runs.map((run) => run.slice(size)).filter(([next]) => next && given.wanted(next))
      }
      given.onReached(page.at(-1)?.time ?? 0)
    }
  } finally {
    leave()
  }
}

/** What `guard.stop` stops, and so does the end of the loop. */
function leavable<O extends Outcome>(given: Verification<O>) {
  const left = new AbortController()
  const stop = AbortSignal.any([given.guard.stop, left.signal])
  return { verification: { ...given, guard: { ...given.guard, stop } }, leave: () => left.abort() }
}

/** Some batches are under way while the one before them is looked at. */
async function* ahead<O extends Outcome>(
  { width }: Tools,
  verification: Verification<O>,
  batches: AsyncIterable<readonly Candidate[]> | Iterable<readonly Candidate[]>,
): AsyncGenerator<Verified<O>> {
  const { wanted } = verification
  const verify = (blocks: readonly Candidate[]) => verifyBatch(verification, blocks)
  const underWay: { blocks: readonly Candidate[]; outcomes: Promise<O[]> }[] = []
  for await (const batch of batches) {
    const blocks = wanted ? batch.filter(wanted) : batch
    if (blocks.length === 0) continue
    const outcomes = verify(blocks)
    outcomes.catch(() => undefined)
    underWay.push({ blocks, outcomes })
    if (underWay.length >= width) yield* inOrder(underWay.shift(), verify)
  }
  while (underWay.length > 0) yield* inOrder(underWay.shift(), verify)
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

/** The candidates as the store lists them, page by page. */
async function* pages<O extends Outcome>(
  store: Store,
  { filter, after: start, guard, onPruned }: Verification<O>,
): AsyncGenerator<readonly Candidate[]> {
  let after = start
  do {
    guard.stop.throwIfAborted()
    const page = { limit: CANDIDATES_PAGE, ...(after ? { after } : {}) }
    const { items, considered, next } = await unlessStopped(store.candidates(filter, page), guard.stop)
    onPruned?.(considered - items.length)
    yield items
    after = next
  } while (after)
}

/** Batches that grow. */
async function* batches(
  pages: AsyncIterable<readonly Candidate[]> | Iterable<readonly Candidate[]>,
): AsyncGenerator<readonly Candidate[]> {
  let size = FIRST_BATCH
  for await (const items of pages) {
    for (let at = 0; at < items.length; size = Math.min(LARGEST_BATCH, size * 2)) {
      yield items.slice(at, at + size)
      at += size
    }
  }
}

/** Parts of like size, so many or more. */
function chunksOf(blocks: readonly Candidate[], parts: number): readonly (readonly Candidate[])[] {
  const size = Math.min(LARGEST_BATCH, Math.ceil(blocks.length / parts))
  return Array.from({ length: Math.ceil(blocks.length / size) }, (_, i) => blocks.slice(i * size, (i + 1) * size))
}

/** Rejects with the reason of `stop` as soon as it fires; the call itself goes on unheard. */
export function unlessStopped<T>(call: Promise<T>, stop: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const onStop = () => reject(stop.reason)
  stop.addEventListener('abort', onStop, { once: true })
  return Promise.race([call, promise]).finally(() => stop.removeEventListener('abort', onStop))
}
