import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { count } from '#lib/counts.ts'
import type { ProwlError } from '#lib/errors.ts'

/** What anything here answers to. */
export const METHODS = ['GET', 'HEAD', 'POST', 'OPTIONS']

interface Reader {
  /** Of the request: in its answer, and in every line of the log about it. */
  readonly id: string
  readonly left: AbortSignal
  readonly response: ServerResponse
  /** Of the connection. */
  readonly peer: string | undefined
  /** What went wrong, as far as whoever answers noted it. */
  fault?: unknown
}

/** One request that has ended, for the log. */
export interface Ended {
  readonly id: string
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly status: number
  readonly ms: number
  /** The reader left before the answer was whole. */
  readonly left: boolean
  readonly fault?: unknown
}

/** Next bundles this module several times over; the process still has one store of readers. */
const shared: typeof globalThis & { prowlReaders?: AsyncLocalStorage<Reader> } = globalThis
shared.prowlReaders ??= new AsyncLocalStorage()
const readers = shared.prowlReaders

/**
 * Aborted when the reader of the page that is being rendered has left. Handlers have `request.signal`; Next gives pages
 * nothing of the kind, so it is taken from Node's server beneath.
 */
export function readerSignal(): AbortSignal | undefined {
  return readers.getStore()?.left
}

/** The status of the page that is being rendered: Next gives pages a way to 404 only. No effect once it is being sent. */
export function answerWith(status: number): void {
  const response = readers.getStore()?.response
  if (response && !response.headersSent) response.statusCode = status
}

/** The address at the other end of the connection: a header may say anything. */
export function readerPeer(): string | undefined {
  return readers.getStore()?.peer
}

/** Of the request that is being answered; absent outside of one. */
export function requestId(): string | undefined {
  return readers.getStore()?.id
}

/** Seconds after which what was refused for the moment may be asked again. */
const AGAIN_SECONDS = 5

/**
 * Notes what the answer is about to tell as a fault: where it is the server's, the log tells its cause. What passes says
 * when to come back.
 */
export function noteFault(error: ProwlError): void {
  count('faults', { code: error.code })
  const reader = readers.getStore()
  if (!reader) return
  reader.fault = error
  const { response } = reader
  if (error.status === 503 && !response.headersSent) response.setHeader('retry-after', AGAIN_SECONDS)
}

/** One from outside, of a proxy or a caller, as far as it does no harm in a header or a log. */
export function requestIdOf(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given) ? given : randomUUID()
}

/**
 * From now on each request has its reader, and its id in the answer's x-request-id; `onEnd` hears of each that ended.
 * Channel: https://nodejs.org/api/diagnostics_channel.html#http
 */
export function watchReaders(onEnd: (ended: Ended) => void = () => {}): void {
  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as { readonly request: IncomingMessage; readonly response: ServerResponse }
    const leaving = new AbortController()
    const began = performance.now()
    const { socket, method = '', url: path = '', headers } = request
    const id = requestIdOf(headers['x-request-id'])
    const reader: Reader = { id, left: leaving.signal, response, peer: socket.remoteAddress }
    response.setHeader('x-request-id', id)
    response.once('close', () => {
      leaving.abort()
      const { statusCode: status, writableFinished } = response
      const ms = Math.round(performance.now() - began)
      onEnd({ id, method, path, status, ms, left: !writableFinished, fault: reader.fault })
    })
    // Node handles the request within the same turn.
    readers.enterWith(reader)
  })
}
