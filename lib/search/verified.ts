import type { Candidate } from '../model/block.ts'
import type { CandidateFilter, OrderKey, Store } from '../store/store.ts'
import type { SearchOptions } from './engine.ts'
import { type Guard, type Pool, StuckError } from './pool.ts'
import type { SearchQuery } from './query.ts'
import type { BlockTask, Outcome } from './tasks.ts'

export interface Tools {
  readonly store: Store
  readonly pool: Pool
  readonly dataDir: string | undefined
  /** Batches that one search has under way at once: what is left of the pool is other searches'. */
  readonly width: number
}

export interface Search {
  readonly query: SearchQuery
  readonly options: SearchOptions
  readonly filter: CandidateFilter
  readonly guard: Guard
}

export interface Verified {
  readonly block: Candidate
  readonly outcome: Outcome
}

/** Blocks of the first batch, and of the largest: the first hits come soon, the rest with less overhead. */
const FIRST_BATCH = 4
const LARGEST_BATCH = 32
const CANDIDATES_PAGE = 256

/**
 * Every candidate block with its matching lines, in the total order; verified by the pool some batches ahead. Throws
 * the reason of `guard.stop` once that fires. Ending the loop early frees the workers.
 */
export async function* verified(tools: Tools, search: Search): AsyncGenerator<Verified> {
  const left = new AbortController()
  const stop = AbortSignal.any([search.guard.stop, left.signal])
  const verify = (blocks: readonly Candidate[]) =>
    verifyBatch(tools, { ...search, guard: { ...search.guard, stop } }, blocks)
  const ahead: { blocks: readonly Candidate[]; outcomes: Promise<Outcome[]> }[] = []
  try {
    for await (const blocks of batches(tools.store, search, stop)) {
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
async function* inOrder(
  batch: { blocks: readonly Candidate[]; outcomes: Promise<Outcome[]> } | undefined,
  verify: (blocks: readonly Candidate[]) => Promise<Outcome[]>,
): AsyncGenerator<Verified> {
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
async function verifyBatch(tools: Tools, search: Search, blocks: readonly Candidate[]): Promise<Outcome[]> {
  const { query, options, guard } = search
  const perBlock = Math.min(options.maxHitsPerLog, options.maxHits + 1)
  try {
    return await tools.pool.verify(
      {
        patterns: query.patterns,
        ...(await sendable(tools, blocks, options.after)),
        context: query.context,
        maxLinesPerBlock: perBlock,
        maxLines: options.maxHits + 1,
      },
      guard,
    )
  } catch (error) {
    if (!(error instanceof StuckError)) throw error
    const before = error.index > 0 ? await verifyBatch(tools, search, blocks.slice(0, error.index)) : []
    if (before.length < error.index) return before
    return [...before, { state: 'stuck', bytes: 0, lines: [], more: 0 }]
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
async function* batches(store: Store, search: Search, stop: AbortSignal): AsyncGenerator<Candidate[]> {
  let size = FIRST_BATCH
  let after = search.options.after
  for (;;) {
    stop.throwIfAborted()
    const page = await unlessStopped(
      store.candidates(search.filter, { limit: CANDIDATES_PAGE, ...(after ? { after } : {}) }),
      stop,
    )
    const { items } = page
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
