import type { Candidate } from '../model/block.ts'
import type { Run } from '../model/run.ts'
import { compareBytes } from '../store/order.ts'
import type { CandidateFilter, OrderKey, Store } from '../store/store.ts'
import type { Guard } from './pool.ts'
import { filterOf, type Limits, matchingJobs, stuckMs, withinDeadline } from './search-parts.ts'
import { createTally, type Lacking, type Searched } from './tally.ts'
import type { CountOutcome, VerifyTask } from './tasks.ts'
import { sendable, type Tools, unlessStopped, verifiedOf } from './verified.ts'
import type { MatchedLine } from './verify.ts'

export interface FindQuery {
  readonly run: Pick<Run, 'bucket' | 'path' | 'job' | 'buildId' | 'time'>
  /** RE2; smart case. */
  readonly pattern: string
}

export interface FindOptions extends Limits {
  /** Its blocks are looked at first, the nearest to `line` before others: those are known where the rest is not. */
  readonly near: { readonly log: string; readonly line: number }
}

/** Which lines of a run match. Counts are lower bounds where `partial` says why. */
export interface Found {
  /** Those with a matching line, by name. */
  readonly logs: readonly { readonly log: string; readonly lines: number }[]
  readonly searched: Searched
  readonly partial: readonly Lacking[]
  /** What lies in lines `from`…`to` of a log, and the nearest matching lines beyond on either side. */
  around(log: string, from: number, to: number): Promise<FoundLines>
}

export interface FoundLines {
  readonly lines: readonly MatchedLine[]
  readonly previous?: number
  readonly next?: number
}

/** So many are listed at a time: a log of 500 MB has some 8,000. */
const BLOCKS_AT_ONCE = 20_000
/** Until a thread has started and taken the pattern: after a start of the server that takes longer than a page may. */
const START_MS = 10_000

/** Counts the matching lines of every block of the run; single lines are looked for when they are asked for. */
export async function runFind(tools: Tools, query: FindQuery, options: FindOptions): Promise<Found> {
  const tally = createTally(options.maxBytes)
  const matching: Candidate[] = []
  const counts = new Map<string, number>()
  let long = ''
  const add = (block: Candidate, { any }: CountOutcome) => {
    if (any === 0) return
    matching.push(block)
    // A long line's windows are blocks of their own: it counts once.
    const line = block.window === undefined ? '' : JSON.stringify([block.log, block.firstLine])
    if (line === '' || line !== long) counts.set(block.log, (counts.get(block.log) ?? 0) + any)
    long = line
  }
  const check = (guard: Guard) => matchingJobs(tools, asSearch(query), guard).then(() => undefined)
  const ready = await withinDeadline({ ...options, deadlineMs: Math.max(START_MS, options.deadlineMs) }, check)
  const look = async (guard: Guard) => {
    const { blocks, pruned } = await blocksOf(tools.store, query, guard)
    tally.addPruned(pruned)
    const verify = async (some: readonly Candidate[], given: Guard) =>
      await tools.pool.count({ patterns: [query.pattern], excludes: [], ...(await sendable(tools, some)) }, given)
    const stuck: CountOutcome = { state: 'stuck', bytes: 0, counts: [0], any: 0 }
    for await (const { block, outcome } of verifiedOf(tools, { guard, verify, stuck }, nearestFirst(blocks, options))) {
      if (tally.isOver(block)) break
      tally.add(block, outcome)
      add(block, outcome)
    }
  }
  const whole = ready && (await withinDeadline(options, look))
  if (!whole) tally.lacking.add('deadline')
  const guard: Guard = { stop: options.signal ?? new AbortController().signal, stuckMs: stuckMs(options) }
  return {
    logs: [...counts].map(([log, lines]) => ({ log, lines })).sort((a, b) => compareBytes(a.log, b.log)),
    searched: tally.searched(),
    partial: [...tally.lacking],
    around: async (log, from, to) =>
      await linesAround({ tools, query, guard }, inOrder(matching.filter((block) => block.log === log)), from, to),
  }
}

function asSearch({ pattern, run: { time } }: FindQuery) {
  return { patterns: [pattern], range: { from: time, to: time + 1 }, context: 0, groupBy: 'none' } as const
}

/** The run's blocks that may match. Others of its time, job and build id are hardly there, and left aside. */
async function blocksOf(store: Store, query: FindQuery, { stop }: Guard) {
  const { run } = query
  const search = asSearch(query)
  const filter: CandidateFilter = {
    ...filterOf(search, search.range, [run.job]),
    bucket: run.bucket,
    buildId: run.buildId,
  }
  const blocks: Candidate[] = []
  let pruned = 0
  let after: OrderKey | undefined
  do {
    stop.throwIfAborted()
    const page = { limit: BLOCKS_AT_ONCE, ...(after ? { after } : {}) }
    const { items, considered, next } = await unlessStopped(store.candidates(filter, page), stop)
    blocks.push(...items.filter(({ path }) => path === run.path))
    pruned += considered - items.length
    after = next
  } while (after)
  return { blocks, pruned }
}

function nearestFirst(blocks: readonly Candidate[], { near: { log, line } }: FindOptions): readonly Candidate[] {
  const far = (block: Candidate) =>
    block.log === log
      ? Math.max(0, block.firstLine - line, line - block.firstLine - block.lineCount + 1)
      : Number.MAX_SAFE_INTEGER
  return blocks.toSorted((a, b) => far(a) - far(b) || compareBytes(a.log, b.log) || byLine(a, b))
}

function inOrder(blocks: readonly Candidate[]): readonly Candidate[] {
  return blocks.toSorted(byLine)
}

function byLine(a: Candidate, b: Candidate): number {
  return a.firstLine - b.firstLine || (a.window ?? 0) - (b.window ?? 0)
}

interface Looking {
  readonly tools: Tools
  readonly query: FindQuery
  readonly guard: Guard
}

/** Of blocks that hold a matching line each: what lies in the stretch, and the nearest beyond it. */
async function linesAround(
  looking: Looking,
  blocks: readonly Candidate[],
  from: number,
  to: number,
): Promise<FoundLines> {
  const lastOf = ({ firstLine, lineCount }: Candidate) => firstLine + lineCount - 1
  const within = blocks.filter((block) => block.firstLine <= to && lastOf(block) >= from)
  const found = await linesOf(looking, within, from - 1, { beforeLine: to + 1, maxLinesPerBlock: to - from + 1 })
  const lines = [...new Map(found.toReversed().map((each) => [each.line, each])).values()].reverse()
  const before = blocks.findLast((block) => block.firstLine < from && lastOf(block) < from)
  const after = blocks.find((block) => block.firstLine > to)
  const last = { beforeLine: from, maxLinesPerBlock: 1, fromEnd: true }
  const previous = await firstOf(looking, [within.find(({ firstLine }) => firstLine < from), before], 0, last)
  const next = await firstOf(looking, [within.findLast((block) => lastOf(block) > to), after], to, {
    maxLinesPerBlock: 1,
  })
  return { lines, ...(previous === undefined ? {} : { previous }), ...(next === undefined ? {} : { next }) }
}

type Wanted = Pick<VerifyTask, 'beforeLine' | 'maxLinesPerBlock' | 'fromEnd'>

/** The line that the first of the blocks gives which gives any. */
async function firstOf(
  looking: Looking,
  blocks: readonly (Candidate | undefined)[],
  afterLine: number,
  wanted: Wanted,
): Promise<number | undefined> {
  for (const block of blocks) {
    const [found] = block ? await linesOf(looking, [block], afterLine, wanted) : []
    if (found) return found.line
  }
  return undefined
}

async function linesOf(
  { tools, query, guard }: Looking,
  blocks: readonly Candidate[],
  afterLine: number,
  wanted: Wanted,
): Promise<MatchedLine[]> {
  const task = { patterns: [query.pattern], excludes: [], context: 0, maxLines: Number.MAX_SAFE_INTEGER, ...wanted }
  const verify = async (some: readonly Candidate[], given: Guard) => {
    const sent = await sendable(tools, some)
    return await tools.pool.verify(
      { ...task, ...sent, blocks: sent.blocks.map((each) => ({ ...each, afterLine })) },
      given,
    )
  }
  const lines: MatchedLine[] = []
  const stuck = { state: 'stuck', bytes: 0, lines: [], more: 0 } as const
  for await (const { outcome } of verifiedOf(tools, { guard, verify, stuck }, blocks)) lines.push(...outcome.lines)
  return lines
}
