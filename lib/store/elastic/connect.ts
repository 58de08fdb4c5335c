import { readFileSync } from 'node:fs'
import {
  Client,
  errors,
  Transport,
  type TransportRequestOptions,
  type TransportRequestParams,
} from '@elastic/elasticsearch'
import pRetry from 'p-retry'
import { ProwlError } from '../../errors.ts'

export interface ElasticOptions {
  /** Addresses of the cluster's nodes, e.g. `https://es1:9200`: one that does not answer is left out for a while. */
  readonly nodes: readonly string[]
  /** Names of all indices begin with it and a dash. */
  readonly prefix: string
  readonly auth?: { readonly apiKey: string } | { readonly username: string; readonly password: string }
  /** A PEM file of the authority that signed the nodes' certificates. */
  readonly caFile?: string
}

/** How often a request that may succeed later is repeated, and for how long in all: 3 s for readers, 2 min for the writer. */
export interface Patience {
  readonly retries: number
  readonly maxTimeout: number
}
export const PATIENCE = {
  read: { retries: 4, maxTimeout: 1000 },
  write: { retries: 14, maxTimeout: 15_000 },
} as const satisfies Record<string, Patience>

const REQUEST_TIMEOUT_MS = 60_000

/**
 * A client that repeats what a busy or restarting cluster refused, and whose errors are prowl's: STORE_UNREACHABLE,
 * STORE_DENIED, STORE_FAILED. That something is not there, or is already, reaches the caller as it is.
 */
export function connect({ nodes, auth, caFile }: ElasticOptions, patience: Patience): Client {
  class PatientTransport extends Transport {
    // biome-ignore lint/suspicious/noExplicitAny: the library's overloads give any
    override request(params: TransportRequestParams, options?: TransportRequestOptions): Promise<any> {
      return patiently(patience, () => super.request(params, options))
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
export async function patiently<T>({ retries, maxTimeout }: Patience, request: () => Promise<T>): Promise<T> {
  try {
    return await pRetry(request, {
      retries,
      minTimeout: 100,
      maxTimeout,
      randomize: true,
      shouldRetry: ({ error }) => mayPass(error),
    })
  } catch (error) {
    throw coded(error)
  }
}

/** Documents that a busy cluster refused within a bulk request. */
export class BusyError extends Error {}

function mayPass(error: unknown): boolean {
  if (error instanceof errors.ResponseError) return passes(error.statusCode)
  return error instanceof errors.ConnectionError || error instanceof errors.TimeoutError || error instanceof BusyError
}

export function passes(status: number | undefined): boolean {
  return status === 429 || status === 502 || status === 503 || status === 504
}

function coded(error: unknown): unknown {
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

/** That something is not there, or is there already, may be an answer. */
function isForCaller(error: errors.ResponseError): boolean {
  return error.statusCode === 404 || isThereAlready(error)
}

export function isThereAlready(error: unknown): boolean {
  return error instanceof errors.ResponseError && error.message.includes('resource_already_exists')
}

function failed(cause: errors.ResponseError): ProwlError {
  return new ProwlError('STORE_FAILED', `Elasticsearch refuses a request: ${cause.message}`, { cause })
}

function readCa(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (cause) {
    throw new ProwlError('CONFIG_INVALID', `ELASTICSEARCH_CA_FILE: ${file} can't be read; name a PEM file`, { cause })
  }
}

/** Whether the answer was of this status. */
export function hasStatus(error: unknown, status: number): boolean {
  return error instanceof errors.ResponseError && error.statusCode === status
}
