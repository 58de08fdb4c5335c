import { once } from 'node:events'
import { Agent, createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { bent, type Fault, headersUnder, without } from './faults.ts'
import { type Random, random } from './sample/random.ts'

export type { Fault } from './faults.ts'

/** What the proxy was asked, in order of arrival. */
export interface SeenRequest {
  readonly method: string
  /** As on the wire: path and query, still encoded. */
  readonly url: string
  readonly host: string
  readonly headers: IncomingMessage['headers']
  /** Counts connections from 1: requests with the same number shared one. */
  readonly connection: number
}

type Match = RegExp | ((request: SeenRequest) => boolean)

export interface Rule {
  readonly kind: Fault
  /** On the url, or the whole request; absent: all. */
  readonly match?: Match
  /** Of matching requests, from the next on; 1 where not given. */
  readonly times?: number
  /** Awaited before such a request is passed on, e.g. to replace the object it asks for. */
  readonly meanwhile?: () => Promise<void>
}

export interface RandomFaults {
  readonly seed: number
  /** Of the matching requests that fail, 0 to 1. */
  readonly share: number
  readonly kinds: readonly Fault[]
  readonly match?: Match
}

interface Counts {
  readonly connections: number
  readonly requests: number
}

export interface FaultProxy {
  /** e.g. `http://127.0.0.1:34567` */
  readonly endpoint: string
  readonly requests: readonly SeenRequest[]
  /** Open now, and the most that were ever open at once. */
  readonly open: Counts
  readonly most: Counts
  /** Hosts that were asked for and refused, see `hosts`. */
  readonly refused: readonly string[]
  /** Answers that went wrong so far, by kind of fault. */
  readonly faults: Readonly<Record<string, number>>
  /** Rules are tried in order; the first that matches and has times left decides. */
  fault(rule: Rule): void
  /** Where no rule matches. */
  random(faults: RandomFaults | undefined): void
  /** Forgets rules, requests and counts. */
  reset(): void
  close(): Promise<void>
}

export interface FaultProxyOptions {
  /** Host headers that are passed on, e.g. `127.0.0.1:4443`; others get 421. Absent: all. */
  readonly hosts?: readonly string[]
}

/**
 * An HTTP proxy in front of a test's server (`http://host:port`). It passes on methods, paths, headers and body bytes
 * as they are, and breaks what its rules tell it to. On a free port; ends with `close`, or with the process.
 */
export async function startFaultProxy(upstream: string, options: FaultProxyOptions = {}): Promise<FaultProxy> {
  const state = new State()
  const agent = new Agent({ keepAlive: true })
  const server = createServer((request, response) => {
    const seen = state.arrives(request, response)
    if (options.hosts && !options.hosts.includes(seen.host)) {
      state.refused.push(seen.host)
      response.writeHead(421).end()
      return
    }
    answer({ request, response, upstream, agent }, seen, state).catch(() => response.destroy())
  })
  server.on('connection', (socket) => state.connects(socket))
  server.on('connect', (request, socket) => {
    state.refused.push(request.url ?? '')
    socket.end('HTTP/1.1 421 Misdirected Request\r\n\r\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: state.requests,
    get open() {
      return state.open
    },
    most: state.most,
    refused: state.refused,
    faults: state.faults,
    fault: (rule) => void state.rules.push({ ...rule, left: rule.times ?? 1 }),
    random: (faults) => state.drawFrom(faults),
    reset: () => state.reset(),
    close: async () => {
      server.closeAllConnections()
      agent.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

class State {
  readonly requests: SeenRequest[] = []
  readonly refused: string[] = []
  readonly faults: Record<string, number> = {}
  readonly most = { connections: 0, requests: 0 }
  readonly rules: (Rule & { left: number })[] = []
  #random: (RandomFaults & { readonly draws: Random }) | undefined
  readonly #connections = new Map<Socket, number>()
  #connected = 0
  #open = 0

  connects(socket: Socket): void {
    this.#connections.set(socket, ++this.#connected)
    // What the peer has ended counts no longer, though this side may still be open.
    for (const event of ['end', 'close']) socket.once(event, () => this.#connections.delete(socket))
    socket.on('error', () => {})
  }

  arrives(request: IncomingMessage, response: ServerResponse): SeenRequest {
    this.most.requests = Math.max(this.most.requests, ++this.#open)
    // Not when a connection comes: the end of one that was closed before it may not have been seen yet.
    this.most.connections = Math.max(this.most.connections, this.#connections.size)
    // Written out whole, it is over for the peer, which may ask on before this side has closed it.
    let open = true
    const over = () => {
      if (open) this.#open--
      open = false
    }
    for (const event of ['finish', 'close']) response.once(event, over)
    const { method = '', url = '', headers } = request
    const connection = this.#connections.get(request.socket) ?? 0
    const seen = { method, url, host: headers.host ?? '', headers, connection }
    this.requests.push(seen)
    return seen
  }

  faultFor(seen: SeenRequest): Rule | undefined {
    const rule = this.rules.find(({ left, match }) => left > 0 && matches(match, seen))
    if (rule) rule.left--
    if (rule || !this.#random || !matches(this.#random.match, seen)) return rule
    const { share, kinds, draws } = this.#random
    return draws.chance(share) ? { kind: draws.pick(kinds) } : undefined
  }

  drawFrom(faults: RandomFaults | undefined): void {
    this.#random = faults && { ...faults, draws: random('faults', faults.seed) }
  }

  get open(): Counts {
    return { connections: this.#connections.size, requests: this.#open }
  }

  reset(): void {
    for (const list of [this.requests, this.refused, this.rules]) list.length = 0
    this.#random = undefined
    Object.assign(this.most, this.open)
  }
}

function matches(match: Match | undefined, seen: SeenRequest): boolean {
  if (match === undefined) return true
  return match instanceof RegExp ? match.test(seen.url) : match(seen)
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly upstream: string
  readonly agent: Agent
}

async function answer(exchange: Exchange, seen: SeenRequest, state: State): Promise<void> {
  const { request, response } = exchange
  const rule = state.faultFor(seen)
  if (rule) state.faults[rule.kind.kind] = (state.faults[rule.kind.kind] ?? 0) + 1
  await rule?.meanwhile?.()
  const fault = rule?.kind
  if (fault?.kind === 'hang') return
  if (fault?.kind === 'reset' && fault.after === undefined) return void request.socket.resetAndDestroy()
  if (fault?.kind === 'status') return void response.writeHead(fault.status, fault.headers).end(fault.body ?? '')
  const real = await passOn(exchange, fault)
  response.writeHead(real.statusCode ?? 502, real.statusMessage, headersUnder(real.rawHeaders, fault))
  for await (const piece of bent(real, fault)) {
    if (response.destroyed) return real.destroy() && undefined
    if (typeof piece === 'number') await sleep(piece)
    else await new Promise((resolve) => response.write(piece, resolve))
  }
  await ending(request.socket, response, fault)
}

async function passOn({ request, upstream, agent }: Exchange, fault: Fault | undefined): Promise<IncomingMessage> {
  const { hostname, port } = new URL(upstream)
  const headers = fault?.kind === 'transcode' ? without(request.rawHeaders, 'accept-encoding') : request.rawHeaders
  const path = pathOf(request.url ?? '/', fault)
  const outgoing = httpRequest({ hostname, port, path, agent, method: request.method ?? 'GET', headers })
  request.pipe(outgoing)
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  return response
}

/** Passed on byte for byte, but for the absolute form: a client sends it that takes this for its HTTP_PROXY. */
function pathOf(url: string, fault: Fault | undefined): string {
  if (url.startsWith('/') && fault?.kind !== 'forget') return url
  const { pathname, search, searchParams } = new URL(url, 'http://any')
  if (fault?.kind !== 'forget') return pathname + search
  searchParams.delete(fault.parameter)
  return `${pathname}?${searchParams}`
}

async function ending(socket: Socket, response: ServerResponse, fault: Fault | undefined): Promise<void> {
  if (fault?.kind === 'stall') return
  if (fault?.kind !== 'cut' && fault?.kind !== 'reset') return void response.end()
  // What was written must have left before the connection goes.
  await new Promise((resolve) => response.write('', resolve))
  if (fault.kind === 'cut') socket.destroySoon()
  else socket.resetAndDestroy()
}
