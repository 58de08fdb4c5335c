import { createHash } from 'node:crypto'
import type { AuthClient } from 'google-auth-library'
import { type Dispatcher, request } from 'undici'
import { ProwlError } from '#lib/errors.ts'
import { type Polite, type Slot, USER_AGENT } from './host.ts'
import { orAborted, passBytes, timeLimit } from './limits.ts'
import { backOff, DEFAULT_RETRIES, HttpError, isTransient, type RetryPolicy } from './retry.ts'

export interface MediaOptions {
  readonly retries?: RetryPolicy
  /** Until an answer's headers, and between two pieces of its body, ms. */
  readonly headersTimeoutMs?: number
  readonly idleTimeoutMs?: number
  /** Of one object with all its retries, ms. */
  readonly overallTimeoutMs?: number
  /** A reader that pauses for so long lends its connection to those who wait for one, ms. */
  readonly restMs?: number
  /** Of all transfers of the process with this figure together; undefined: no cap. */
  readonly bandwidthBytesPerSecond?: number | undefined
}

/** Of a gzip's first byte (RFC 1952); no text begins with it. */
const GZIP_MAGIC = 0x1f

/**
 * Transfers the stored bytes of objects from the JSON API's media endpoint. What Google's client does wrong here on
 * Node 24 (a retried download ends the process, a failed one ends its neighbours, hung ones never end) does not arise.
 */
export class MediaClient {
  readonly #base: string
  readonly #host: Polite
  readonly #auth: AuthClient
  readonly #retries: RetryPolicy
  readonly #options: MediaOptions

  /** `base`: the endpoint with the bucket, e.g. `https://storage.googleapis.com/storage/v1/b/name`. */
  constructor(base: string, host: Polite, auth: AuthClient, options: MediaOptions = {}) {
    this.#base = base
    this.#host = host
    this.#auth = auth
    this.#retries = options.retries ?? DEFAULT_RETRIES
    this.#options = options
  }

  /**
   * The stored bytes, whole: their number and MD5 are checked against the server's word. A transfer that breaks is
   * taken up again where it broke, on the same generation. HttpError for an answer that is final.
   */
  async *read(name: string, generation: string | undefined, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    const limit = timeLimit(this.#options.overallTimeoutMs ?? 30 * 60_000, signal)
    const state = new Transfer(name, generation)
    try {
      for (let breaks = 0; !state.whole; ) {
        try {
          yield* this.#part(state, limit.signal)
        } catch (error) {
          if (signal?.aborted) throw signal.reason
          if (!isTransient(error)) throw error
          if (limit.signal.aborted || breaks >= this.#retries.retries) throw this.#givenUp(name, error)
          await backOff(breaks++, this.#retries, error, limit.signal)
          this.#host.count({ retries: 1 })
        }
      }
      if (!state.isStored) throw this.#givenUp(name, new Error('its bytes are not the stored ones'))
    } finally {
      limit.end()
    }
  }

  #givenUp(name: string, cause: unknown): ProwlError {
    this.#host.count({ failed: 1 })
    const why = `${name}: ${(cause as Error).message}; it is tried again in the next pass`
    return new ProwlError('OBJECT_UNREADABLE', why, { cause })
  }

  /** What one connection gives, from where the transfer is; it ends early, without a fault, if others need the slot. */
  async *#part(state: Transfer, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const { restMs = 5000, bandwidthBytesPerSecond: rate } = this.#options
    const { answer, slot } = await this.#host.open((given) => this.#open(state, given, signal), { signal })
    let lent = false
    const giveBack = () => {
      lent = true
      answer.body.destroy()
      slot.release()
    }
    try {
      for await (const chunk of state.take(answer)) {
        this.#host.count({ bytes: chunk.length })
        if (rate !== undefined) await passBytes(chunk.length, rate, signal)
        slot.rest(restMs, giveBack)
        yield chunk
        slot.resume()
        if (lent) return
      }
      if (!state.whole) throw new Error(`ended after ${state.received} bytes`)
    } finally {
      answer.body.destroy()
      slot.release()
    }
  }

  async #open(state: Transfer, slot: Slot, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const query = state.generation === undefined ? '' : `&generation=${encodeURIComponent(state.generation)}`
    const url = `${this.#base}/o/${encodeURIComponent(state.name)}?alt=media${query}`
    const response = await request(url, {
      dispatcher: slot.dispatcher,
      signal,
      headersTimeout: this.#options.headersTimeoutMs ?? 30_000,
      bodyTimeout: this.#options.idleTimeoutMs ?? 30_000,
      headers: {
        ...Object.fromEntries(await orAborted(this.#auth.getRequestHeaders(url), signal)),
        // Without gzip accepted the server gunzips, and then neither length nor checksum nor range hold.
        'accept-encoding': 'gzip',
        'user-agent': USER_AGENT,
        ...state.rangeHeader,
      },
    })
    if (response.statusCode === 200 || response.statusCode === 206) return response
    await response.body.dump({ limit: 64 * 1024, signal }).catch(() => {})
    if (response.statusCode === 416 && state.received > 0) throw changed(state.name)
    throw new HttpError(response.statusCode, text(response.headers['retry-after']), Date.now())
  }
}

/** One object's way here, over however many connections it takes. */
class Transfer {
  readonly name: string
  generation: string | undefined
  received = 0
  readonly #md5 = createHash('md5')
  #expectedMd5: string | undefined
  #size: number | undefined
  #ended = false
  /** Gunzipped by the server all the same: neither the stored length nor the stored checksum are about these bytes. */
  #transcoded = false

  constructor(name: string, generation: string | undefined) {
    this.name = name
    this.generation = generation
  }

  get whole(): boolean {
    return this.#transcoded || this.#size === undefined ? this.#ended : this.received >= this.#size
  }

  /** Whether the whole of it is what the server says it has stored. */
  get isStored(): boolean {
    if (this.#transcoded) return true
    const hash = this.#md5.copy().digest('base64')
    return this.received === (this.#size ?? this.received) && hash === (this.#expectedMd5 ?? hash)
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
    this.#size ??= numberIn(text(headers['x-goog-stored-content-length']))
    this.#expectedMd5 ??= md5In(text(headers['x-goog-hash']))
    const unlabelled =
      text(headers['x-goog-stored-content-encoding']) === 'gzip' && headers['content-encoding'] !== 'gzip'
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      if (this.received === 0) this.#transcoded = unlabelled && chunk[0] !== GZIP_MAGIC
      const fresh = chunk.subarray(Math.min(skip, chunk.length))
      skip -= chunk.length - fresh.length
      if (fresh.length === 0) continue
      this.#md5.update(fresh)
      this.received += fresh.length
      yield fresh
    }
    this.#ended = true
  }
}

function numberIn(header: string | undefined): number | undefined {
  return header === undefined ? undefined : Number(header)
}

function text(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(',') : value
}

/** Of `x-goog-hash: crc32c=…,md5=…`, in base64. */
function md5In(hashes = ''): string | undefined {
  return /(?:^|[,\s])md5=([A-Za-z0-9+/]+=*)/.exec(hashes)?.[1]
}

function changed(name: string): ProwlError {
  return new ProwlError('OBJECT_CHANGED', `${name}: changed while it was read; it is read again in the next pass`)
}
