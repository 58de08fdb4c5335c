import { JSONParser } from '@streamparser/json'
import { request } from 'undici'
import { isProwlError, ProwlError } from '#lib/errors.ts'
import { gunzipByContent } from '../source/gunzip.ts'
import { politeFor, type Slot, USER_AGENT } from '../source/host.ts'
import { HttpError, type RetryPolicy } from '../source/retry.ts'

export interface AskOptions {
  /** Address of Deck, e.g. `https://prow.ci.openshift.org`. */
  readonly deck: string
  readonly retries?: RetryPolicy | undefined
  /** Of the answer with all its retries, ms. */
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** Takes the items of an answer as they come. */
export interface Taker {
  take(item: unknown): void
}

const QUERY = 'prowjobs.js?omit=annotations,labels,decoration_config,pod_spec'
const TIMEOUT_MS = 10 * 60_000
/** Deck writes the whole answer before it sends the first byte. */
const IDLE_MS = 120_000
const HEAD_BYTES = 512
/** No Kubernetes object is larger (etcd's limit is 1.5 MB). */
const MAX_ITEM = 2 * 1024 * 1024

/**
 * Streams the items of Deck's `prowjobs.js` (cmd/deck in kubernetes-sigs/prow: `{"items":[…]}`, or `var name = {…};`
 * where asked with `var`). An answer that breaks off is asked for again, into a new taker; the one that took a whole
 * answer is returned. DISCOVERY_FAILED where none came.
 */
export async function askDeck<T extends Taker>(begin: () => T, options: AskOptions): Promise<T> {
  const { retries, timeoutMs = TIMEOUT_MS, signal } = options
  const url = addressOf(options.deck)
  const shown = `${url.origin}${url.pathname}`
  const limit = AbortSignal.timeout(timeoutMs)
  const stop = signal ? AbortSignal.any([signal, limit]) : limit
  const polite = politeFor(url.href, retries ? { retries } : {})
  const attempt = async (slot: Slot): Promise<T | ProwlError> => {
    const items = new Items(shown, begin())
    return (await take(url, items, slot, stop)) ?? items.taker
  }
  try {
    const outcome = await polite.run(attempt, { signal: stop })
    if (isProwlError(outcome)) throw outcome
    return outcome
  } catch (error) {
    signal?.throwIfAborted()
    if (isProwlError(error) && error.code === 'DISCOVERY_FAILED') throw error
    const why = limit.aborted ? `did not answer whole within ${timeoutMs / 1000} s` : broken(error)
    throw new ProwlError('DISCOVERY_FAILED', `${shown} ${why}; it is asked again in the next pass`, { cause: error })
  } finally {
    await polite.close()
  }
}

/** What is wrong with the answer, where asking again would not help; throws what may pass. */
async function take<T extends Taker>(url: URL, items: Items<T>, { dispatcher }: Slot, signal: AbortSignal) {
  const headers = { 'accept-encoding': 'gzip', 'user-agent': USER_AGENT }
  const response = await request(url, { dispatcher, signal, headers, headersTimeout: IDLE_MS, bodyTimeout: IDLE_MS })
  if (response.statusCode !== 200) {
    await response.body.dump({ limit: 64 * 1024 }).catch(() => {})
    throw new HttpError(response.statusCode, response.headers['retry-after']?.toString(), Date.now())
  }
  try {
    for await (const chunk of gunzipByContent(response.body, 'prowjobs.js')) items.write(chunk)
    items.end()
  } catch (error) {
    if (!isProwlError(error)) throw error
    if (error.code === 'DISCOVERY_FAILED') return error
    throw new Error('its gzip has no end', { cause: error })
  }
}

function addressOf(deck: string): URL {
  const url = URL.parse(QUERY, deck.endsWith('/') ? deck : `${deck}/`)
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url
  throw new ProwlError('DISCOVERY_FAILED', `${deck}: no address of a Deck; give https://<host>`)
}

function broken(error: unknown): string {
  if (error instanceof HttpError) return `answered ${error.message}`
  const why = error instanceof Error ? error.message.split('\n', 1)[0] : String(error)
  return `broke off (${why})`
}

/** Finds the object in either form, hands on what is in its `items`, and keeps one of them at a time. */
class Items<T extends Taker> {
  readonly taker: T
  readonly #shown: string
  readonly #parser = new JSONParser({ paths: ['$.items.*'], keepStack: false })
  #head: Buffer | undefined = Buffer.alloc(0)
  #begins = ''
  #taken = 0
  #sinceItem = 0

  constructor(shown: string, taker: T) {
    this.taker = taker
    this.#shown = shown
    this.#parser.onValue = ({ value }) => {
      this.#taken++
      this.#sinceItem = 0
      taker.take(value)
    }
  }

  write(chunk: Uint8Array): void {
    if (this.#head === undefined) this.#parse(chunk)
    else {
      this.#head = Buffer.concat([this.#head, chunk])
      if (this.#head.length >= HEAD_BYTES) this.#start(this.#head)
    }
  }

  end(): void {
    if (this.#head) this.#start(this.#head)
    if (!this.#parser.isEnded) throw new Error('its JSON has no end')
    // Deck answers {} where it could not write its list.
    if (this.#taken === 0 && !/^\{\s*"items"\s*:/.test(this.#begins)) throw this.#wrong('JSON without items')
  }

  #start(head: Buffer): void {
    this.#head = undefined
    const text = head.toString('latin1')
    const before = /^(?:\xef\xbb\xbf)?\s*(?:var\s+[\w$]+\s*=\s*)?(?=\{)/.exec(text)?.[0]
    if (before === undefined) throw this.#wrong(/^(?:\xef\xbb\xbf)?\s*</.test(text) ? 'HTML' : 'no JSON object')
    this.#begins = text.slice(before.length)
    this.#parse(head.subarray(before.length))
  }

  #parse(chunk: Uint8Array): void {
    if (this.#parser.isEnded) return
    this.#sinceItem += chunk.length
    try {
      this.#parser.write(chunk)
    } catch {
      // What follows a whole object is the `;` of the other form.
      if (!this.#parser.isEnded) throw this.#wrong('JSON with a fault in it')
    }
    if (this.#sinceItem > MAX_ITEM) throw this.#wrong('an item of more than 2 MB')
  }

  #wrong(what: string): ProwlError {
    const message = `${this.#shown} answered ${what}, not ProwJobs; check the deck's host`
    return new ProwlError('DISCOVERY_FAILED', message)
  }
}
