import type { Candidate } from '../model/block.ts'
import type { Outcome } from './tasks.ts'

/** What an answer lacks: lines beyond a limit, what the deadline or the limit of bytes cut off, text that is gone or damaged. */
export type Lacking = 'deadline' | 'bytes' | 'limit' | 'expired' | 'damaged'

/** What was searched. */
export interface Searched {
  readonly logs: number
  readonly blocks: number
  /** Blocks that were not read, as the index shows that no line of them can match. */
  readonly pruned: number
  readonly bytes: number
  readonly ms: number
  /** Blocks that no worker got through in time, or that were gone or damaged. */
  readonly leftOut: number
}

const LACKING_OF: Readonly<Record<string, Lacking>> = { stuck: 'deadline', expired: 'expired', damaged: 'damaged' }

/** A log comes again within one page of candidates only. */
const LOGS_KNOWN = 10_000

/** Keeps count of what a search went through, from its beginning. */
export function createTally(maxBytes = Number.POSITIVE_INFINITY) {
  const started = performance.now()
  const lacking = new Set<Lacking>()
  const known = new Set<string>()
  let [logs, blocks, pruned, bytes, leftOut] = [0, 0, 0, 0, 0]
  return {
    lacking,
    add(block: Candidate, { state, bytes: size }: Outcome) {
      const name = JSON.stringify([block.bucket, block.path, block.log])
      if (!known.has(name)) logs++
      if (known.size > LOGS_KNOWN) known.clear()
      known.add(name)
      const reason = LACKING_OF[state]
      if (reason) {
        lacking.add(reason)
        leftOut++
      } else blocks++
      bytes += size
    },
    addPruned(count: number) {
      pruned += count
    },
    /** Whether the next block is one too many, and then notes it; a long line is gone through to its end. */
    isOver({ window = 0 }: Candidate): boolean {
      const over = bytes >= maxBytes && window === 0
      if (over) lacking.add('bytes')
      return over
    },
    searched: (): Searched => ({ logs, blocks, pruned, bytes, leftOut, ms: Math.round(performance.now() - started) }),
  }
}
