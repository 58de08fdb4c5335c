import { count } from '../counts.ts'
import { ProwlError } from '../errors.ts'

export interface GateOptions {
  /** So many are under way at once, and so many more wait in order; others are refused. */
  readonly atOnce: number
  readonly waiting: number
  /** Who has waited so long is refused, ms. */
  readonly waitMs: number
}

export interface GateLoad {
  readonly underWay: number
  readonly waiting: number
}

/** Who passes, when: a burst is served in order, and what no reader would wait for is refused at once. */
export interface Gate {
  /** Throws SEARCH_BUSY, the signal's reason, and what `work` throws. */
  pass<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>
  load(): GateLoad
}

export function createGate({ atOnce, waiting, waitMs }: GateOptions): Gate {
  let underWay = 0
  /** In order of arrival; who leaves is taken out. */
  const queue = new Set<() => void>()
  const busy = () => {
    count('searches_waited', { end: 'refused' })
    return new ProwlError('SEARCH_BUSY', 'too many searches are under way; try again in some seconds')
  }
  const turn = async (signal: AbortSignal | undefined) => {
    if (queue.size >= waiting) throw busy()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const timer = setTimeout(() => reject(busy()), waitMs)
    const leave = () => reject(signal?.reason)
    signal?.addEventListener('abort', leave, { once: true })
    queue.add(resolve)
    try {
      await promise
      count('searches_waited', { end: 'served' })
    } finally {
      queue.delete(resolve)
      clearTimeout(timer)
      signal?.removeEventListener('abort', leave)
    }
  }
  const next = () => {
    const [first] = queue
    if (first === undefined) return void underWay--
    // The place is handed on: nobody who comes in between takes it.
    queue.delete(first)
    first()
  }
  return {
    async pass(work, signal) {
      signal?.throwIfAborted()
      // In this same turn: others may come before a promise resolves. Whoever waited takes over a place.
      if (underWay < atOnce) underWay++
      else await turn(signal)
      try {
        return await work()
      } finally {
        next()
      }
    },
    load: () => ({ underWay, waiting: queue.size }),
  }
}
