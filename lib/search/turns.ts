import { least } from 'd3-array'

/** What one search has had of the threads so far. */
export interface Share {
  usedMs: number
  /** Turns under way that last longer than they should. */
  overdue: number
}

export const newShare = (): Share => ({ usedMs: 0, overdue: 0 })

/**
 * Threads go to who has had the least of them, less what it has waited: a light search passes by those that run over much
 * text, and these wait no longer for their next turn than they have had. Attained service, with the ageing that keeps it
 * from starving anyone: https://en.wikipedia.org/wiki/Multilevel_feedback_queue
 * A turn that does not end as turns do, on a line that a pattern runs over for long, lends its place to light searches.
 * What once ran for long is expected to: it lends at once, and is not taken for light however often it comes as new.
 */
export interface Turns {
  /**
   * Runs `work` once it is `share`'s turn, and adds what it took. `of` tells what is run. Throws the signal's reason where
   * that fires before.
   */
  take<T>(share: Share, of: string, work: () => Promise<T>, signal: AbortSignal): Promise<T>
}

export interface TurnsOptions {
  /** Taken at once. */
  readonly places: number
  /** Places that may be lent besides. */
  readonly lent: number
  /** How long turns last that end as they should, ms. */
  readonly overdueMs: number
  /** What took a turn that lasted for longer than this is expected to again, ms. */
  readonly heavyMs: number
  /** Who has had less than this is light, ms. */
  readonly lightMs: number
}

/** Of what ran for long, how much is known: what came last. */
const HEAVY_KEPT = 256

interface Waiting {
  readonly share: Share
  readonly of: string
  readonly since: number
  readonly begin: () => void
}

/** What an overdue turn takes is not known until it ends: until then all others come first. */
const rank = ({ share, since }: Waiting) => (share.overdue > 0 ? Number.POSITIVE_INFINITY : share.usedMs + since)

function keepHeavy(heavy: Set<string>, of: string): void {
  heavy.delete(of)
  heavy.add(of)
  const [oldest] = heavy
  if (heavy.size > HEAVY_KEPT && oldest !== undefined) heavy.delete(oldest)
}

export function createTurns({ places, lent, overdueMs, heavyMs, lightMs }: TurnsOptions): Turns {
  let underWay = 0
  let overdue = 0
  /** In order of arrival. */
  const queue = new Set<Waiting>()
  /** The latest last. */
  const heavy = new Set<string>()
  const isLight = ({ share, of }: Waiting) => share.overdue === 0 && share.usedMs < lightMs && !heavy.has(of)
  const begin = () => {
    while (queue.size > 0 && underWay < places + Math.min(lent, overdue)) {
      const mayLend = underWay >= places
      // All have waited until now, so since when they have is as good as for how long.
      const first = least(mayLend ? queue.values().filter(isLight) : queue, rank)
      if (!first) return
      queue.delete(first)
      underWay++
      first.begin()
    }
  }
  const turn = async (share: Share, of: string, signal: AbortSignal) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiting = { share, of, since: performance.now(), begin: resolve }
    const leave = () => {
      queue.delete(waiting)
      reject(signal.reason)
    }
    signal.addEventListener('abort', leave, { once: true })
    queue.add(waiting)
    begin()
    try {
      await promise
    } finally {
      signal.removeEventListener('abort', leave)
    }
  }
  /** Until it is told that the turn has ended. */
  const watched = (share: Share, of: string) => {
    const began = performance.now()
    let late: 0 | 1 = 0
    const lend = () => {
      late = 1
      overdue++
      share.overdue++
      begin()
    }
    const timer = setTimeout(lend, heavy.has(of) ? 0 : overdueMs)
    return () => {
      clearTimeout(timer)
      overdue -= late
      share.overdue -= late
      const tookMs = performance.now() - began
      share.usedMs += tookMs
      if (tookMs > heavyMs) keepHeavy(heavy, of)
      underWay--
      begin()
    }
  }
  return {
    async take(share, of, work, signal) {
      signal.throwIfAborted()
      await turn(share, of, signal)
      const end = watched(share, of)
      try {
        return await work()
      } finally {
        end()
      }
    },
  }
}
