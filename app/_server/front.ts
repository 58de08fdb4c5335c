import { subscribe } from 'node:diagnostics_channel'
import { type IncomingMessage, type RequestListener, Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import onHeaders from 'on-headers'
import { problem } from '#app/_api/answer.ts'
import { type ErrorCode, ProwlError } from '#lib/errors.ts'
import { retryAfter } from './guard.ts'
import type { Pace } from './pace.ts'
import { METHODS, noteFault } from './reader.ts'

export interface FrontLimits {
  /** Until a request's head is here, and all of it, ms. Node looks every 30 s. */
  readonly headMs: number
  readonly requestMs: number
  /** A reader who takes nothing of what is being sent for so long is cut off, ms. */
  readonly stalledMs: number
  /** UTF-16 units of an address. */
  readonly url: number
  /** Bytes of a body that says its length; others are counted where they are read. */
  readonly body: number
}

/** An edit of a signature is tried by its address: 64 KiB of YAML, each byte escaped to three. */
const LIMITS: FrontLimits = {
  headMs: 20_000,
  requestMs: 60_000,
  stalledMs: 60_000,
  url: 200 * 1024,
  body: 1024 * 1024,
}

/** Where neither page nor route has a policy of its own. */
const POLICY = { 'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'" } as const

/** On every answer, Node's and the framework's own errors included. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
}

const guarded = new WeakSet<object>()

/** From now on every server of this process has the front. Channel: https://nodejs.org/api/diagnostics_channel.html#http */
export function watchServers(pace: Pace): void {
  subscribe('http.server.request.start', (message) => {
    const { server } = message as { readonly server: Server }
    if (server instanceof Server) guardServer(server, { pace })
  })
}

/** Stands before what handles the requests of a server: headers, limits, and answers of our own to what Node refuses. */
export function guardServer(server: Server, { pace, limits = LIMITS }: { pace: Pace; limits?: FrontLimits }): void {
  if (guarded.has(server)) return
  guarded.add(server)
  server.headersTimeout = limits.headMs
  server.requestTimeout = limits.requestMs
  const handlers = server.listeners('request') as RequestListener[]
  server.removeAllListeners('request')
  server.on('request', async (request: IncomingMessage, response: ServerResponse) => {
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value)
    onHeaders(response, applyPolicy)
    response.setTimeout(limits.stalledMs)
    // Heard, so that Node does not end a connection that merely waits for an answer being made.
    response.on('timeout', (socket: Socket) => {
      if (socket.writableLength > 0) socket.destroy()
    })
    const refusal = refusalOf(request, limits) ?? (await pace(request))
    if (refusal) return await refuse(request, response, refusal)
    for (const handle of handlers) handle(request, response)
  })
  server.on('clientError', answerBroken)
}

/** At the last moment: of a header that is there already, the framework leaves out its route's. */
function applyPolicy(this: ServerResponse): void {
  for (const [name, value] of Object.entries(POLICY)) if (!this.hasHeader(name)) this.setHeader(name, value)
}

function refusalOf({ method = '', url = '', headers }: IncomingMessage, limits: FrontLimits): ProwlError | undefined {
  if (!METHODS.includes(method)) return coded('METHOD_UNKNOWN', `${method} does nothing here; use GET`)
  if (url.length > limits.url) return coded('URL_TOO_LONG', `an address holds at most ${limits.url} characters`)
  if (!isReadable(url)) return coded('REQUEST_MALFORMED', 'the address cannot be read; escape it as %XX of UTF-8')
  if (Number(headers['content-length'] ?? 0) > limits.body)
    return coded('REQUEST_TOO_LARGE', `a request holds at most ${limits.body / 1024} KiB; shorten it`)
  return undefined
}

/** A path of this server, its escapes those of UTF-8. */
function isReadable(url: string): boolean {
  if (!url.startsWith('/')) return false
  try {
    decodeURIComponent(url.split('?', 1)[0] ?? '')
    return true
  } catch {
    return false
  }
}

async function refuse({ url = '' }: IncomingMessage, response: ServerResponse, error: ProwlError): Promise<void> {
  noteFault(error)
  const { status, headers, body } = await answerOf(url, error)
  response.writeHead(status, { ...headers, connection: 'close' }).end(body)
}

async function answerOf(url: string, error: ProwlError) {
  const seconds = retryAfter(error)
  const plainly = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }
  const headers = seconds === undefined ? plainly : { ...plainly, 'retry-after': String(seconds) }
  if (!url.startsWith('/api/')) return { status: error.status, headers, body: plain(error) }
  const answer = problem(error)
  return { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() }
}

const BROKEN: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  HPE_HEADER_OVERFLOW: ['HEADERS_TOO_LARGE', 'the address and headers together are too long'],
  ERR_HTTP_REQUEST_TIMEOUT: ['REQUEST_TIMEOUT', 'the request did not come in time'],
}

/** What Node could not read never was a request: the answer is written by hand. */
function answerBroken(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [code, message] = BROKEN[error.code ?? ''] ?? ['REQUEST_MALFORMED', 'this is no request of HTTP/1.1']
  const body = plain(coded(code, message))
  const { status } = coded(code, message)
  const headers = { ...POLICY, ...SECURITY_HEADERS, 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const length = `Content-Length: ${Buffer.byteLength(body)}\r\n`
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}${length}\r\n${body}`)
}

function plain({ message, code, docs }: ProwlError): string {
  return `${message}\n\n${code} (${docs})\n`
}

function coded(code: ErrorCode, message: string): ProwlError {
  return new ProwlError(code, message)
}
