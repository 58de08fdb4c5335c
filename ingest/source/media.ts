import { createHash } from 'node:crypto'
import { Agent, type Dispatcher, EnvHttpProxyAgent, request } from 'undici'
import { ProwlError } from '#lib/errors.ts'
import { DEFAULT_RETRIES, HttpError, isTransient, type RetryPolicy, withRetries } from './retry.ts'

export interface MediaOptions {
  readonly retries?: RetryPolicy
  /** Until an answer's headers, and between two pieces of its body, ms. */
  readonly headersTimeoutMs?: number
  readonly idleTimeoutMs?: number
  /** Of one object with all its retries, ms. */
  readonly overallTimeoutMs?: number
  /** Connections to a host. */
  readonly connections?: number
}

export const USER_AGENT = 'prowl/0.1 (Prow CI log search; reads public logs)'

/**
 * Transfers the stored bytes of objects from the JSON API's media endpoint. What Google's client does wrong here on
 * Node 24 (a retried download ends the process, a failed one ends its neighbours, hung ones never end) does not arise.
 */
export class MediaClient {
  readonly #base: string
  readonly #agent: Dispatcher
  readonly #retries: RetryPolicy
  readonly #overallTimeoutMs: number

  /** `base`: the endpoint with the bucket, e.g. `https://storage.googleapis.com/storage/v1/b/name`. */
  constructor(base: string, options: MediaOptions = {}) {
    this.#base = base
    this.#retries = options.retries ?? DEFAULT_RETRIES
    this.#overallTimeoutMs = options.overallTimeoutMs ?? 30 * 60_000
    const settings = {
      connections: options.connections ?? 8,
      pipelining: 1,
      connectTimeout: 20_000,
      headersTimeout: options.headersTimeoutMs ?? 60_000,
      bodyTimeout: options.idleTimeoutMs ?? 60_000,
    }
    this.#agent = proxied(base) ? new EnvHttpProxyAgent(settings) : new Agent(settings)
  }

  /**
   * The stored bytes, whole: their number and MD5 are checked against the server's word. A transfer that breaks is
   * taken up again where it broke, on the same generation. HttpError for an answer that is final.
   */
  async *read(name: string, generation: string | undefined, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    const limit = AbortSignal.timeout(this.#overallTimeoutMs)
    const stop = signal ? AbortSignal.any([signal, limit]) : limit
    const state = new Transfer(name, generation)
    for (let breaks = 0; !state.whole; ) {
      try {
        const response = await withRetries(() => this.#open(state, stop), this.#retries, stop)
        yield* state.take(response)
        if (!state.whole) throw new Error(`ended after ${state.received} bytes`)
      } catch (error) {
        if (signal?.aborted) throw signal.reason
        if (error instanceof HttpError || error instanceof ProwlError) throw error
        if (stop.aborted || !isTransient(error) || ++breaks > this.#retries.retries) throw unreadable(name, error)
      }
    }
    state.verify()
  }

  async close(): Promise<void> {
    await this.#agent.destroy()
  }

  async #open(state: Transfer, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const query = state.generation === undefined ? '' : `&generation=${encodeURIComponent(state.generation)}`
    const response = await request(`${this.#base}/o/${encodeURIComponent(state.name)}?alt=media${query}`, {
      dispatcher: this.#agent,
      signal,
      // Without gzip accepted the server gunzips, and then neither length nor checksum nor range hold.
      headers: { 'accept-encoding': 'gzip', 'user-agent': USER_AGENT, ...state.rangeHeader },
    })
    if (response.statusCode === 200 || response.statusCode === 206) return response
    await response.body.dump({ limit: 64 * 1024 }).catch(() => {})
    if (response.statusCode === 416 && state.received > 0) throw changed(state.name)
    throw new HttpError(response.statusCode, text(response.headers['retry-after']), Date.now())
  }
}

/** One object's way here, over however many connections it takes. */
class Transfer {
  readonly name: string
  generation: string | undefined
  received = 0
  whole = false
  readonly #md5 = createHash('md5')
  #expectedMd5: string | undefined

  constructor(name: string, generation: string | undefined) {
    this.name = name
    this.generation = generation
  }

  get rangeHeader(): Record<string, string> {
    return this.received > 0 ? { range: `bytes=${this.received}-` } : {}
  }

  async *take(response: Dispatcher.ResponseData): AsyncGenerator<Uint8Array> {
    const { headers } = response
    const generation = text(headers['x-goog-generation'])
    if (this.generation !== undefined && generation !== undefined && generation !== this.generation) {
      response.body.destroy()
      throw changed(this.name)
    }
    this.generation ??= generation
    // A server that does not know the range sends all again: what is already here is passed over.
    let skip = response.statusCode === 206 ? 0 : this.received
    // Transcoded all the same: neither the stored length nor the stored checksum are about these bytes.
    const stored = !(
      text(headers['x-goog-stored-content-encoding']) === 'gzip' && headers['content-encoding'] !== 'gzip'
    )
    const size = stored ? text(headers['x-goog-stored-content-length']) : undefined
    if (stored) this.#expectedMd5 ??= /(?:^|[,\s])md5=([A-Za-z0-9+/]+=*)/.exec(text(headers['x-goog-hash']) ?? '')?.[1]
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      const fresh = chunk.subarray(Math.min(skip, chunk.length))
      skip -= chunk.length - fresh.length
      if (fresh.length === 0) continue
      this.#md5.update(fresh)
      this.received += fresh.length
      yield fresh
    }
    this.whole = size === undefined || this.received === Number(size)
    if (size !== undefined && this.received > Number(size))
      throw unreadable(this.name, new Error('more bytes than stored'))
  }

  verify(): void {
    if (this.#expectedMd5 !== undefined && this.#md5.digest('base64') !== this.#expectedMd5)
      throw unreadable(this.name, new Error('checksum differs from the stored one'))
  }
}

function text(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(',') : value
}

function proxied(base: string): boolean {
  return !/^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])[:/]/.test(base)
}

function changed(name: string): ProwlError {
  return new ProwlError('OBJECT_CHANGED', `${name}: changed while it was read; it is read again in the next pass`)
}

function unreadable(name: string, cause: unknown): ProwlError {
  return new ProwlError(
    'OBJECT_UNREADABLE',
    `${name}: ${(cause as Error).message}; it is tried again in the next pass`,
    {
      cause,
    },
  )
}
