import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { ProwlError } from '#lib/errors.ts'

/** Freezing is the only write: what one client may do, and all of them together. */
const LIMITS = {
  client: { points: 10, duration: 60 },
  everyone: { points: 60, duration: 60 },
} as const

interface Limiters {
  readonly client: RateLimiterMemory
  readonly everyone: RateLimiterMemory
}

/** Next bundles this module several times over; the process still counts once. */
const shared: typeof globalThis & { prowlLimiters?: Limiters } = globalThis

/**
 * Throws RATE_LIMITED where the client, or everyone together, has asked too often; `retryAfter` of the error's cause says
 * in how many seconds it may again.
 */
export async function limitClient(client: string): Promise<void> {
  shared.prowlLimiters ??= {
    client: new RateLimiterMemory(LIMITS.client),
    everyone: new RateLimiterMemory(LIMITS.everyone),
  }
  const { client: own, everyone } = shared.prowlLimiters
  try {
    await own.consume(client)
    await everyone.consume('')
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused
    const seconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1000))
    throw new ProwlError('RATE_LIMITED', `too much was frozen just now; try again in ${seconds} s`, {
      cause: { seconds },
    })
  }
}

/** Seconds after which a refused request may be tried again. */
export function retryAfter({ cause }: ProwlError): number | undefined {
  return typeof cause === 'object' && cause !== null && 'seconds' in cause ? Number(cause.seconds) : undefined
}

/**
 * Who asks, as far as limits care: the peer, or what the outermost of our own proxies saw. What clients put into
 * X-Forwarded-For themselves stands before that. Of IPv6 the network counts, which one client has to itself.
 */
export function clientOf(headers: Headers, peer: string | undefined, proxies: number): string {
  const seen = (headers.get('x-forwarded-for') ?? '').split(',').map((each) => each.trim())
  const address = (proxies > 0 ? seen.at(-proxies) : undefined) || peer || 'unknown'
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped) return mapped
  return address.includes(':') ? `${expanded(address).slice(0, 4).join(':')}::/64` : address
}

function expanded(address: string): string[] {
  const [head = '', tail] = address.toLowerCase().split('::')
  const groups = (text: string | undefined) => (text ? text.split(':') : [])
  const [before, after] = [groups(head), groups(tail)]
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length)
  return [...before, ...Array<string>(zeros).fill('0'), ...after]
}

/**
 * Throws REQUEST_CROSS_SITE for what another site's page sent. Browsers say whose page it was, in Sec-Fetch-Site or in
 * Origin; who says neither is no browser, which `programs` lets pass.
 */
export function refuseCrossSite(
  headers: Headers,
  { programs, publicUrl }: { readonly programs: boolean; readonly publicUrl: string | undefined },
): void {
  const site = headers.get('sec-fetch-site')
  const origin = headers.get('origin')
  const isOwn =
    site !== null ? site === 'same-origin' : origin !== null ? isOwnOrigin(origin, headers, publicUrl) : programs
  if (isOwn) return
  throw new ProwlError('REQUEST_CROSS_SITE', 'only prowl’s own pages may freeze evidence; press the button there')
}

function isOwnOrigin(origin: string, headers: Headers, publicUrl: string | undefined): boolean {
  if (!URL.canParse(origin)) return false
  const { host } = new URL(origin)
  return host === headers.get('host') || (publicUrl !== undefined && host === new URL(publicUrl).host)
}

/** The address of the site that a request was sent to. */
export function originOf(headers: Headers): string {
  const host = headers.get('host') ?? ''
  const scheme = headers.get('x-forwarded-proto') === 'https' ? 'https' : 'http'
  return /^[\w.-]+(:\d+)?$|^\[[\da-f:.]+\](:\d+)?$/i.test(host) ? `${scheme}://${host}` : 'http://localhost'
}
