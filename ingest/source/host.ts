import pLimit from 'p-limit'
import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici'
import type { Traffic } from '#lib/model/ingest-state.ts'
import { DEFAULT_RETRIES, HttpError, isTransient, type RetryPolicy, withRetries } from './retry.ts'

export const USER_AGENT = 'prowl/0.1 (Prow CI log search; reads public logs)'

/** Connections to one host, and so requests under way: of all sources and clients of the process together. */
const CONNECTIONS = 8

export interface PoliteOptions {
  readonly retries?: RetryPolicy
}

/** One connection to the host, lent for one request and its answer. */
export interface Slot {
  /** Undici's, with a single connection that is kept alive for the next request. */
  readonly dispatcher: Dispatcher
  /** May be called twice. */
  release(): void
  /**
   * The holder's reader pauses. After so many ms the slot can be taken back for those who wait: `giveBack` must then
   * end the request and release the slot. Without this, eight readers that wait for a ninth would wait for ever.
   */
  rest(ms: number, giveBack: () => void): void
  /** The reader goes on. */
  resume(): void
}

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined
  /** The request makes its own connection, closed when it ends, in place of the slot's dispatcher. */
  readonly ownConnection?: boolean
}

/** What one caller asks of a host, within what is polite. */
export interface Polite {
  readonly traffic: Readonly<Traffic>
  /** One request, retried within bounds: 429 and 5xx, given as HttpError, and what breaks below HTTP. */
  run<T>(send: (slot: Slot) => Promise<T>, options?: RequestOptions): Promise<T>
  /** One request, tried once. An answer is still to be read, and keeps its slot: the caller releases it. */
  open<T>(send: (slot: Slot) => Promise<T>, options?: RequestOptions): Promise<{ answer: T; slot: Slot }>
  count(what: Partial<Traffic>): void
  /** The last caller of a host closes its connections. */
  close(): Promise<void>
}

const hosts = new Map<string, Host>()

/** The way to the host of a URL. Each caller has its own counters; the connections are shared. */
export function politeFor(url: string, options: PoliteOptions = {}): Polite {
  const { origin } = new URL(url)
  const host = hosts.get(origin) ?? new Host(origin)
  hosts.set(origin, host)
  host.callers++
  return new Caller(host, options.retries ?? DEFAULT_RETRIES)
}

class Caller implements Polite {
  readonly traffic = { requests: 0, retries: 0, throttled: 0, bytes: 0, failed: 0 }
  readonly #host: Host
  readonly #retries: RetryPolicy
  #closed = false

  constructor(host: Host, retries: RetryPolicy) {
    this.#host = host
    this.#retries = retries
  }

  async run<T>(send: (slot: Slot) => Promise<T>, options: RequestOptions = {}): Promise<T> {
    const attempt = async () => {
      const { answer, slot } = await this.open(send, options)
      slot.release()
      return answer
    }
    try {
      return await withRetries(attempt, this.#retries, options.signal, () => this.count({ retries: 1 }))
    } catch (error) {
      if (isTransient(error) && !options.signal?.aborted) this.count({ failed: 1 })
      throw error
    }
  }

  async open<T>(send: (slot: Slot) => Promise<T>, options: RequestOptions = {}): Promise<{ answer: T; slot: Slot }> {
    if (this.#closed) throw new DOMException('closed', 'AbortError')
    const slot = await this.#host.acquire(options)
    this.count({ requests: 1 })
    try {
      return { answer: await send(slot), slot }
    } catch (error) {
      slot.release()
      if (error instanceof HttpError && (error.status === 429 || error.status === 503)) this.count({ throttled: 1 })
      throw error
    }
  }

  count(what: Partial<Traffic>): void {
    for (const key of Object.keys(what) as (keyof Traffic)[]) this.traffic[key] += what[key] ?? 0
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    await this.#host.leave()
  }
}

class Host {
  callers = 0
  readonly #origin: string
  readonly #limit = pLimit(CONNECTIONS)
  readonly #connections: readonly Connection[]
  /** Those that nobody holds: open ones last, so that they are taken first. */
  readonly #free: Connection[]
  readonly #resting = new Set<() => void>()

  constructor(origin: string) {
    this.#origin = origin
    this.#connections = Array.from({ length: CONNECTIONS }, () => new Connection(origin))
    this.#free = [...this.#connections]
  }

  acquire({ signal, ownConnection = false }: RequestOptions): Promise<Slot> {
    return new Promise((resolve, reject) => {
      const gaveUp = () => reject(signal?.reason)
      if (signal?.aborted) return gaveUp()
      signal?.addEventListener('abort', gaveUp, { once: true })
      const lend = async (released: () => void) => {
        signal?.removeEventListener('abort', gaveUp)
        if (signal?.aborted) return released()
        const connection = (ownConnection ? this.#free.shift() : this.#free.pop()) as Connection
        if (ownConnection) await connection.close()
        resolve(this.#lent(connection, released))
      }
      void this.#limit(() => new Promise<void>((released) => void lend(released)))
      this.#takeBack()
    })
  }

  async leave(): Promise<void> {
    if (--this.callers > 0) return
    hosts.delete(this.#origin)
    await Promise.all(this.#connections.map((connection) => connection.close()))
  }

  #lent(connection: Connection, released: () => void): Slot {
    let timer: NodeJS.Timeout | undefined
    let taken: (() => void) | undefined
    let held = true
    const resume = () => {
      clearTimeout(timer)
      if (taken) this.#resting.delete(taken)
    }
    return {
      get dispatcher() {
        return connection.dispatcher
      },
      rest: (ms, giveBack) => {
        taken = giveBack
        timer = setTimeout(() => {
          this.#resting.add(giveBack)
          this.#takeBack()
        }, ms).unref()
      },
      resume,
      release: () => {
        resume()
        if (!held) return
        held = false
        if (connection.open) this.#free.push(connection)
        else this.#free.unshift(connection)
        released()
      },
    }
  }

  #takeBack(): void {
    const due = [...this.#resting].slice(0, this.#limit.pendingCount)
    for (const giveBack of due) {
      this.#resting.delete(giveBack)
      giveBack()
    }
  }
}

/** At most one TCP connection: made for the first request, kept alive between them. */
class Connection {
  readonly #origin: string
  #dispatcher: Dispatcher | undefined

  constructor(origin: string) {
    this.#origin = origin
  }

  get open(): boolean {
    return this.#dispatcher !== undefined
  }

  get dispatcher(): Dispatcher {
    const settings = { connections: 1, pipelining: 1, connectTimeout: 20_000 }
    this.#dispatcher ??= isLoopback(this.#origin) ? new Agent(settings) : new EnvHttpProxyAgent(settings)
    return this.#dispatcher
  }

  async close(): Promise<void> {
    const dispatcher = this.#dispatcher
    this.#dispatcher = undefined
    await dispatcher?.destroy().catch(() => {})
  }
}

function isLoopback(origin: string): boolean {
  return /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::|$)/.test(origin)
}
