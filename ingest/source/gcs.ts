import { Storage } from '@google-cloud/storage'
import type { AuthClient } from 'google-auth-library'
import { z } from 'zod'
import { ProwlError } from '#lib/errors.ts'
import type { Traffic } from '#lib/model/ingest-state.ts'
import { type Auth, credentials } from './credentials.ts'
import { gunzipByContent } from './gunzip.ts'
import { type Polite, politeFor, USER_AGENT } from './host.ts'
import { abortable, timeLimit } from './limits.ts'
import { MediaClient, type MediaOptions } from './media.ts'
import { HttpError } from './retry.ts'
import type { Listing, ListOptions, ObjectInfo, ReadOptions, Source } from './source.ts'

export interface GcsOptions extends MediaOptions {
  /** Of an emulator or a mirror, without a slash at its end; absent: Google's. */
  readonly endpoint?: string | undefined
  /** Anonymous where not given: it asks nobody but the endpoint. */
  readonly auth?: Auth | undefined
  /** Of one listing or metadata request, ms. */
  readonly requestTimeoutMs?: number
  /** Names a page of a listing. */
  readonly pageSize?: number
}

const REQUEST_TIMEOUT_MS = 30_000
const GOOGLE = 'https://storage.googleapis.com'
const OBJECT_FIELDS = 'name,size,generation,contentEncoding,metadata'

const ApiObject = z.object({
  name: z.string(),
  size: z.coerce.number().default(0),
  generation: z.coerce.string().default(''),
  contentEncoding: z.string().optional(),
  metadata: z.record(z.string(), z.string()).optional(),
})

const ApiListing = z.object({
  items: z.array(ApiObject).default([]),
  prefixes: z.array(z.string()).default([]),
  nextPageToken: z.string().optional(),
})

/** A bucket of Google Cloud Storage: Google's client lists, MediaClient transfers. BUCKET_* or CONFIG_INVALID if it can't. */
export async function openGcs(name: string, options: GcsOptions = {}): Promise<Source> {
  const auth = await credentials(options.auth ?? 'anonymous', options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS)
  const source = new Gcs(name, client(auth, options), auth, options)
  try {
    await source.list({ prefix: '', delimiter: '/' })
    return source
  } catch (error) {
    await source.close()
    throw error
  }
}

class Gcs implements Source {
  readonly bucket: string
  readonly local = false
  readonly #name: string
  readonly #storage: Storage
  readonly #media: MediaClient
  readonly #host: Polite
  readonly #auth: Auth
  readonly #timeoutMs: number
  readonly #pageSize: number

  constructor(name: string, storage: Storage, auth: AuthClient, options: GcsOptions) {
    this.#name = name
    this.bucket = `gs://${name}`
    this.#storage = storage
    const endpoint = options.endpoint ?? GOOGLE
    this.#host = politeFor(endpoint, options)
    this.#media = new MediaClient(`${endpoint}/storage/v1/b/${encodeURIComponent(name)}`, this.#host, auth, options)
    this.#auth = options.auth ?? 'anonymous'
    this.#timeoutMs = options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS
    this.#pageSize = options.pageSize ?? 1000
  }

  async list({ signal, ...query }: ListOptions): Promise<Listing> {
    const answer = await this.#ask(
      async () =>
        (
          await this.#storage.bucket(this.#name).getFiles({
            ...query,
            autoPaginate: false,
            maxResults: this.#pageSize,
            fields: `items(${OBJECT_FIELDS}),prefixes,nextPageToken`,
          })
        )[2],
      signal,
    ).catch((error: unknown) => {
      throw this.#bucketError(error)
    })
    const listing = ApiListing.safeParse(answer ?? {})
    if (!listing.success) throw this.#bucketError(new Error('the answer is no object listing'))
    const { items, prefixes, nextPageToken } = listing.data
    return {
      // Consoles make empty objects named like a directory.
      objects: items.filter((item) => !item.name.endsWith('/')).map(toInfo),
      prefixes,
      ...(nextPageToken === undefined ? {} : { nextPageToken }),
    }
  }

  async stat(name: string): Promise<ObjectInfo | undefined> {
    try {
      const answer = await this.#ask(async () => (await this.#storage.bucket(this.#name).file(name).getMetadata())[0])
      return toInfo(ApiObject.parse(answer))
    } catch (error) {
      if (error instanceof HttpError && error.status === 404) return undefined
      throw this.#bucketError(error)
    }
  }

  async *read(name: string, options: ReadOptions = {}): AsyncGenerator<Uint8Array> {
    try {
      yield* gunzipByContent(this.#media.read(name, options.generation, options.signal), name)
    } catch (error) {
      if (!(error instanceof HttpError)) throw error
      throw error.status === 404 ? await this.#gone(name) : unreadable(name, error)
    }
  }

  traffic(): Traffic {
    return { ...this.#host.traffic }
  }

  async close(): Promise<void> {
    await this.#host.close()
  }

  /** A 404 for a generation means that the object is gone, or that another has taken its place. */
  async #gone(name: string): Promise<ProwlError> {
    const now = await this.stat(name)
    if (now === undefined) return new ProwlError('OBJECT_NOT_FOUND', `${name}: no such object`)
    return new ProwlError('OBJECT_CHANGED', `${name}: replaced before it was read; it is read again in the next pass`)
  }

  #ask<T>(call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const attempt = async () => {
      const limit = timeLimit(this.#timeoutMs, signal)
      try {
        return await abortable(() => call().catch(asHttpError), limit.signal)
      } finally {
        limit.end()
      }
    }
    return this.#host.run(attempt, { signal, ownConnection: true })
  }

  #bucketError(error: unknown): unknown {
    if (error instanceof Error && error.name === 'AbortError') return error
    const status = error instanceof HttpError ? error.status : undefined
    const options = { cause: error }
    if (status === 404)
      return new ProwlError('BUCKET_NOT_FOUND', `${this.bucket}: no such bucket; check the name`, options)
    if (status === 401 || status === 403)
      return new ProwlError(
        'BUCKET_DENIED',
        this.#auth === 'adc'
          ? `${this.bucket}: these credentials may not read it; ask its owner for the role Storage Object Viewer`
          : `${this.bucket}: not readable without credentials; make it public, or read with application default credentials`,
        options,
      )
    const why = error instanceof Error ? error.message.split('\n', 1)[0] : 'no answer'
    return new ProwlError('BUCKET_UNREACHABLE', `${this.bucket}: ${why}; check the network and try again`, options)
  }
}

/** Without connections kept alive: they would be others than the eight of the host, and one failure would break all. */
function client(auth: AuthClient, { endpoint, auth: kind }: GcsOptions): Storage {
  const storage = new Storage({
    authClient: auth,
    ...(endpoint === undefined ? {} : { apiEndpoint: endpoint, useAuthWithCustomEndpoint: kind === 'adc' }),
    userAgent: USER_AGENT,
    retryOptions: { autoRetry: false },
  })
  if (storage.baseUrl !== `${endpoint ?? GOOGLE}/storage/v1`)
    throw new ProwlError(
      'CONFIG_INVALID',
      'STORAGE_EMULATOR_HOST overrides where Google’s client reads; unset it, and set PROWL_GCS_ENDPOINT for an emulator',
    )
  storage.interceptors.push({
    request: (options) => {
      const headers = { ...options.headers, connection: 'close' }
      return Object.assign(options, { forever: false, headers }) as typeof options & { uri: string }
    },
  })
  return storage
}

/** Google's ApiError holds the whole response: only its status and first line are taken on. */
function asHttpError(error: unknown): never {
  const { code, response, message } = error as { code?: unknown; response?: { headers?: unknown }; message?: string }
  if (typeof code === 'number') throw new HttpError(code, retryAfter(response?.headers), Date.now())
  throw new Error(message?.split('\n', 1)[0] ?? 'no answer')
}

function retryAfter(headers: unknown): string | undefined {
  if (headers instanceof Headers) return headers.get('retry-after') ?? undefined
  const value = (headers as Record<string, unknown> | undefined)?.['retry-after']
  return typeof value === 'string' ? value : undefined
}

function toInfo({ name, size, generation, contentEncoding, metadata }: z.infer<typeof ApiObject>): ObjectInfo {
  return {
    name,
    size,
    generation,
    ...(contentEncoding === undefined ? {} : { contentEncoding }),
    ...(metadata === undefined ? {} : { metadata }),
  }
}

function unreadable(name: string, cause: HttpError): ProwlError {
  return new ProwlError('OBJECT_UNREADABLE', `${name}: ${cause.message}; it is tried again in the next pass`, { cause })
}
