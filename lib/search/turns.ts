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
 */
export interface Turns {
  /** Runs `work` once it is `share`'s turn, and adds what it took. Throws the signal's reason where that fires before. */
  take<T>(share: Share, work: () => Promise<T>, signal: AbortSignal): Promise<T>
}

export interface TurnsOptions {
  /** Taken at once. */
  readonly places: number
  /** Places that may be lent besides. */
  readonly lent: number
  /** How long turns last that end as they should, ms. */
  readonly overdueMs: number
  /** Who has had less than this is light, ms. */
  readonly lightMs: number
}

interface Waiting {
  readonly share: Share
  readonly since: number
  readonly begin: () => void
}

export function createTurns({ places, lent, overdueMs, lightMs }: TurnsOptions): Turns {
  let underWay = 0
  let overdue = 0
  /** In order of arrival. */
  const queue = new Set<Waiting>()
  const isLight = ({ share }: Waiting) => share.overdue === 0 && share.usedMs < lightMs
  const begin = () => {
    while (queue.size > 0 && underWay < places + Math.min(lent, overdue)) {
      const mayLend = underWay >= places
      // All have waited until now, so since when they have is as good as for how long.
      const first = least(mayLend ? queue.values().filter(isLight) : queue, ({ share, since }) => share.usedMs + since)
      if (!first) return
      queue.delete(first)
      underWay++
      first.begin()
    }
  }
  const turn = async (share: Share, signal: AbortSignal) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiting = { share, since: performance.now(), begin: resolve }
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
  const watched = (share: Share) => {
    const began = performance.now()
    let late: 0 | 1 = 0
    const timer = setTimeout(() => {
      late = 1
      overdue++
      share.overdue++
      begin()
    }, overdueMs)
    return () => {
      clearTimeout(timer)
      overdue -= late
      share.overdue -= late
      share.usedMs += performance.now() - began
      underWay--
      begin()
    }
  }
  return {
    async take(share, work, signal) {
      signal.throwIfAborted()
      await turn(share, signal)
      const end = watched(share)
      try {
        return await work()
      } finally {
        end()
      }
    },
  }
}
