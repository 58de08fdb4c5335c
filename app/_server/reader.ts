import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { countRequest } from './metrics.ts'

interface Reader {
  readonly left: AbortSignal
  readonly response: ServerResponse
  /** Of the connection. */
  readonly peer: string | undefined
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

/** From now on each request has its reader. Channel: https://nodejs.org/api/diagnostics_channel.html#http */
export function watchReaders(): void {
  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as { readonly request: IncomingMessage; readonly response: ServerResponse }
    // No `Request` can be made of it (https://fetch.spec.whatwg.org/#methods), and Next answers 500.
    if (request.method === 'TRACE') request.method = 'OPTIONS'
    const leaving = new AbortController()
    response.once('close', () => leaving.abort())
    countRequest(request, response)
    // Node handles the request within the same turn.
    readers.enterWith({ left: leaving.signal, response, peer: request.socket.remoteAddress })
  })
}
