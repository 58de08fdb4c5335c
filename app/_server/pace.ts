import type { IncomingMessage } from 'node:http'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Config } from '#lib/config.ts'
import { ProwlError } from '#lib/errors.ts'
import { clientOf } from './guard.ts'

/** What one client asks for: the refusal where it is too much, else nothing. */
export type Pace = (
  request: Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'socket'>,
) => Promise<ProwlError | undefined>

const SECONDS = 60
/** What browsers fetch for a page by themselves, and what tells whether the server lives. */
const FREE = /^\/(?:_next\/|(?:healthz|readyz|icon\.svg)(?:\?|$))/
/** Parameters that hold patterns: what is asked with them runs over text. */
const PATTERNS = ['search', 'yaml']
/**
 * Of this very host nobody is limited: its own scripts, and readers behind a proxy here that `PROWL_PROXIES` does not
 * tell of, who would all be one client.
 */
const LOOPBACK = /^(?:127\.|0:0:0:0::\/64$)/

/** Limits of each client by the minute; what a search costs everyone is the gate's (lib/search/gate.ts) and the deadline's. */
export function createPace({ proxies, pace }: Pick<Config, 'proxies' | 'pace'>): Pace {
  const limiters = { requests: limiterOf(pace.requests), searches: limiterOf(pace.searches) }
  return async ({ method, url = '', headers, socket }) => {
    if (FREE.test(url)) return undefined
    const forwarded = new Headers({ 'x-forwarded-for': String(headers['x-forwarded-for'] ?? '') })
    const client = clientOf(forwarded, socket.remoteAddress, proxies)
    if (LOOPBACK.test(client)) return undefined
    const refusal = await refusalOf(limiters.requests, 'requests', client)
    if (refusal || !isSearch(method, url)) return refusal
    return await refusalOf(limiters.searches, 'searches', client)
  }
}

function limiterOf(points: number): RateLimiterMemory | undefined {
  return points === 0 ? undefined : new RateLimiterMemory({ points, duration: SECONDS })
}

/** Every `POST` here tries patterns or freezes what they find. */
function isSearch(method: string | undefined, url: string): boolean {
  const query = new URLSearchParams(url.split('?').slice(1).join('?'))
  return method === 'POST' || PATTERNS.some((name) => query.has(name))
}

async function refusalOf(limiter: RateLimiterMemory | undefined, what: string, client: string) {
  try {
    await limiter?.consume(client)
    return undefined
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused
    const seconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1000))
    const message = `one client may send ${limiter?.points} ${what} a minute; try again in ${seconds} s`
    return new ProwlError('RATE_LIMITED', message, { cause: { seconds } })
  }
}
