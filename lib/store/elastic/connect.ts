import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import {
  Client,
  errors,
  Transport,
  type TransportRequestOptions,
  type TransportRequestParams,
} from '@elastic/elasticsearch'
import pRetry from 'p-retry'
import { count } from '../../counts.ts'
import { ProwlError } from '../../errors.ts'

export interface ElasticOptions {
  /** Addresses of the cluster's nodes, e.g. `https://es1:9200`: one that does not answer is left out for a while. */
  readonly nodes: readonly string[]
  /** Names of all indices begin with it and a dash. */
  readonly prefix: string
  readonly auth?: { readonly apiKey: string } | { readonly username: string; readonly password: string }
  /** A PEM file of the authority that signed the nodes' certificates. */
  readonly caFile?: string
  /** How long the lease of a writer lasts that does not renew it, ms; 20 s where not given. */
  readonly leaseMs?: number
}

/** What stands before each request that changes something. */
export interface Gate {
  /** Resolves when it may be sent, in the same turn. */
  readonly ready: () => Promise<void>
  /** Milliseconds after which it is given up. */
  readonly left: number
}

export interface ConnectOptions {
  readonly gate?: () => Gate | undefined
  /** Of all clients of one store. */
  readonly told?: Told
}

/** How often a request that may succeed later is repeated, and for how long in all: 3 s for readers, 2 min for the writer, half a second for its lease. */
export interface Patience {
  readonly retries: number
  readonly maxTimeout: number
}
export const PATIENCE = {
  read: { retries: 4, maxTimeout: 1000 },
  write: { retries: 14, maxTimeout: 15_000 },
  /** Of a lease, which is asked for again soon: enough for a node that is gone. */
  lease: { retries: 2, maxTimeout: 200 },
} as const satisfies Record<string, Patience>

/** A cluster that is away for so long is told of. */
const TOLD_AFTER_MS = 3000
const REQUEST_TIMEOUT_MS = 60_000
/** Requests by POST that change nothing. */
const ASKS = /\/(_search|_mget|_refresh|_count)$/

/**
 * A client that repeats what a busy or restarting cluster refused, and whose errors are prowl's: STORE_UNREACHABLE,
 * STORE_DENIED, STORE_FAILED. That something is not there, or is already, reaches the caller as it is.
 */
export function connect(
  { nodes, auth, caFile }: ElasticOptions,
  patience: Patience,
  { gate, told = new Told() }: ConnectOptions = {},
): Client {
  class PatientTransport extends Transport {
    // biome-ignore lint/suspicious/noExplicitAny: the library's overloads give any
    override async request(params: TransportRequestParams, options?: TransportRequestOptions): Promise<any> {
      const answer = await patiently(patience, () => this.#send(params, options), told.failed)
      told.answered()
      return answer
    }

    async #send(params: TransportRequestParams, options: TransportRequestOptions | undefined) {
      const { method, path } = params
      const passing = changes(method, path) ? gate?.() : undefined
      if (!passing) return await super.request(params, options)
      await passing.ready()
      const requestTimeout = Math.min(REQUEST_TIMEOUT_MS, passing.left)
      return await super.request(params, { ...options, requestTimeout })
    }
  }
  return new Client({
    nodes: [...nodes],
    ...(auth ? { auth } : {}),
    ...(caFile ? { tls: { ca: readCa(caFile) } } : {}),
    maxRetries: 0,
    requestTimeout: REQUEST_TIMEOUT_MS,
    Transport: PatientTransport,
  })
}

/** Runs `request` again while it fails with what may pass, at growing and random intervals. */
export async function patiently<T>(
  { retries, maxTimeout }: Patience,
  request: () => Promise<T>,
  failed: (error: Error) => void = () => {},
): Promise<T> {
  try {
    return await pRetry(request, {
      retries,
      minTimeout: 100,
      maxTimeout,
      randomize: true,
      onFailedAttempt: ({ error, retriesLeft }) => {
        if (!mayPass(error)) return
        failed(error)
        if (retriesLeft > 0) count('store_retries')
      },
      shouldRetry: ({ error }) => mayPass(error),
    })
  } catch (error) {
    throw coded(error)
  }
}

function changes(method: string, path: string): boolean {
  return method !== 'GET' && method !== 'HEAD' && !(method === 'POST' && ASKS.test(path))
}

/** Tells once that a cluster is away, and once that it is back. */
export class Told {
  readonly #tell: ((message: string) => void) | undefined
  #failedAt: number | undefined
  #away = false

  constructor(tell?: (message: string) => void) {
    this.#tell = tell
  }

  readonly failed = ({ message }: Error) => {
    this.#failedAt ??= performance.now()
    if (this.#away || performance.now() - this.#failedAt < TOLD_AFTER_MS) return
    this.#away = true
    this.#tell?.(`Elasticsearch does not answer (${message.split('\n', 1)[0]}); waiting for it`)
  }

  answered(): void {
    if (this.#away) this.#tell?.('Elasticsearch answers again')
    this.#away = false
    this.#failedAt = undefined
  }
}

/** Documents that a busy cluster refused within a bulk request. */
export class BusyError extends Error {}

function mayPass(error: unknown): boolean {
  if (error instanceof errors.ResponseError) return passes(error.statusCode)
  if (isUntrusted(error)) return false
  return error instanceof errors.ConnectionError || error instanceof errors.TimeoutError || error instanceof BusyError
}

export function passes(status: number | undefined): boolean {
  return status === 429 || status === 502 || status === 503 || status === 504
}

/** Codes of OpenSSL, as Node gives them: https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const UNTRUSTED = /CERT|SELF_SIGNED|UNABLE_TO_GET_ISSUER|ERR_TLS/

function isUntrusted(error: unknown): error is Error {
  if (!(error instanceof errors.ConnectionError)) return false
  const { code = '' } = (error.cause ?? error.meta?.meta?.connection ?? {}) as { readonly code?: string }
  return UNTRUSTED.test(code) || /certificate|altnames/.test(error.message)
}

function coded(error: unknown): unknown {
  if (isUntrusted(error))
    return new ProwlError(
      'STORE_UNREACHABLE',
      `Elasticsearch's certificate is not trusted: ${error.message}; name its authority's PEM file in ELASTICSEARCH_CA_FILE`,
      { cause: error },
    )
  if (error instanceof errors.ResponseError && (error.statusCode === 401 || error.statusCode === 403))
    return new ProwlError('STORE_DENIED', `Elasticsearch refuses: ${error.message}; check its key or user`, {
      cause: error,
    })
  if (error instanceof errors.ResponseError && !passes(error.statusCode))
    return isForCaller(error) ? error : failed(error)
  if (!mayPass(error)) return error
  const what = error instanceof Error ? error.message : String(error)
  return new ProwlError('STORE_UNREACHABLE', `Elasticsearch does not answer: ${what}; check ELASTICSEARCH_URL`, {
    cause: error,
  })
}

/** That something is not there, or is there already, or is another by now, may be an answer. */
function isForCaller(error: errors.ResponseError): boolean {
  return error.statusCode === 404 || error.statusCode === 409 || isThereAlready(error)
}

export function isThereAlready(error: unknown): boolean {
  return error instanceof errors.ResponseError && error.message.includes('resource_already_exists')
}

function failed(cause: errors.ResponseError): ProwlError {
  return new ProwlError('STORE_FAILED', `Elasticsearch refuses a request: ${cause.message}`, { cause })
}

function readCa(file: string): Buffer {
  try {
    const pem = readFileSync(file)
    new X509Certificate(pem)
    return pem
  } catch (cause) {
    throw new ProwlError(
      'CONFIG_INVALID',
      `ELASTICSEARCH_CA_FILE: ${file} can't be read as a certificate; name a PEM file`,
      { cause },
    )
  }
}

/** Whether the answer was of this status. */
export function hasStatus(error: unknown, status: number): boolean {
  return error instanceof errors.ResponseError && error.statusCode === status
}
