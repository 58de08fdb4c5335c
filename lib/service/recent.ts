import pLimit from 'p-limit'
import { count } from '../counts.ts'
import { ProwlError } from '../errors.ts'

/** Answers that many ask for at once: made once, and given again for a little while. */
export interface Recent<T> {
  /**
   * `make` gets a signal that is aborted once every reader who waits has left. Throws
   * the reader's own reason, what `make` throws, and SEARCH_BUSY.
   */
  get(key: string, make: (signal: AbortSignal) => Promise<T>, reader?: AbortSignal): Promise<T>
}

interface Entry<T> {
  readonly value: Promise<T>
  readonly everyoneLeft: AbortController
  readers: number
  /** Epoch ms when it was made, and its size; absent while it is being made. */
  made?: { readonly at: number; readonly size: number }
}

export interface RecentOptions<T> {
  /** Of what is kept. */
  readonly name: string
  readonly now: () => number
  /** Milliseconds for which an answer is given again. */
  readonly ms: number
  /** What is kept at most; in the unit of `sizeOf`, which is infinite for what must not be kept. */
  readonly most: number
  readonly sizeOf: (value: T) => number
  /** How many are made at once, and how many more wait for that; others are refused. */
  readonly atOnce: number
  readonly waiting: number
}

export function createRecent<T>({ name, now, ms, most, sizeOf, atOnce, waiting }: RecentOptions<T>): Recent<T> {
  const entries = new Map<string, Entry<T>>()
  const limit = pLimit(atOnce)
  const drop = (key: string, entry: Entry<T>) => entries.get(key) === entry && entries.delete(key)
  const tidy = () => {
    for (const [key, entry] of entries) if (entry.made && now() - entry.made.at >= ms) drop(key, entry)
    let size = [...entries.values()].reduce((sum, { made }) => sum + (made?.size ?? 0), 0)
    for (const [key, entry] of entries) {
      if (size <= most) break
      if (entry.made && drop(key, entry)) size -= entry.made.size
    }
  }
  const start = (key: string, make: (signal: AbortSignal) => Promise<T>): Entry<T> => {
    if (limit.pendingCount >= waiting)
      throw new ProwlError('SEARCH_BUSY', 'too many searches are under way; try again in some seconds')
    const everyoneLeft = new AbortController()
    const { signal } = everyoneLeft
    const value = limit(() => {
      signal.throwIfAborted()
      return make(signal)
    })
    const entry: Entry<T> = { value, everyoneLeft, readers: 0 }
    entries.set(key, entry)
    entry.value.then(
      (value) => {
        entry.made = { at: now(), size: sizeOf(value) }
        tidy()
      },
      () => drop(key, entry),
    )
    return entry
  }
  return {
    async get(key, make, reader) {
      reader?.throwIfAborted()
      tidy()
      const known = entries.get(key)
      count('kept_answers', { cache: name, had: known ? 'yes' : 'no' })
      const entry = known ?? start(key, make)
      entry.readers++
      try {
        return await orLeave(entry.value, reader)
      } finally {
        entry.readers--
        if (entry.readers === 0 && !entry.made) {
          entry.everyoneLeft.abort(reader?.reason)
          drop(key, entry)
        }
      }
    },
  }
}

/** The value, unless the reader leaves first: then the signal's reason is thrown. */
async function orLeave<T>(value: Promise<T>, reader: AbortSignal | undefined): Promise<T> {
  if (!reader) return await value
  const left = Promise.withResolvers<never>()
  const leave = () => left.reject(reader.reason)
  reader.addEventListener('abort', leave, { once: true })
  try {
    return await Promise.race([value, left.promise])
  } finally {
    reader.removeEventListener('abort', leave)
  }
}
