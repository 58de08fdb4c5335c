import type { Socket } from 'node:net'
import { expect, test, vi } from 'vitest'
import { retryAfter } from './guard.ts'
import { createPace } from './pace.ts'

interface Asked {
  readonly url?: string
  readonly from?: string
  readonly forwarded?: string
  readonly method?: string
}

function pacing(proxies = 0, pace = { requests: 4, searches: 2 }) {
  const asked = createPace({ proxies, pace })
  return async ({ url = '/', from = '192.0.2.1', forwarded, method = 'GET' }: Asked = {}) => {
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
    return await asked({ method, url, headers, socket: { remoteAddress: from } as Socket })
  }
}

/** How many of twenty are served. */
async function served(ask: (of: Asked) => Promise<unknown>, of: (at: number) => Asked): Promise<number> {
  let count = 0
  for (let at = 0; at < 20; at++) if ((await ask(of(at))) === undefined) count++
  return count
}

test.each<[string, number, (at: number) => Asked, number]>([
  ['pages', 0, () => ({}), 4],
  ['searches on the page', 0, () => ({ url: '/search?search=x' }), 2],
  ['searches in an old form', 0, () => ({ url: '/?maxAge=7d&search=x' }), 2],
  ['searches whose parameter is escaped', 0, () => ({ url: '/v2/search?%73earch=x' }), 2],
  ['searches behind a second question mark', 0, () => ({ url: '/v2/search?a=?&search=x' }), 2],
  ['tried edits', 0, () => ({ url: '/api/v1/signatures/new/preview?yaml=x' }), 2],
  ['posts', 0, () => ({ url: '/api/v1/evidence', method: 'POST' }), 2],
  ['a network of one client', 0, (at) => ({ from: `2001:db8::${at}` }), 4],
  ['headers of the client’s own making', 0, (at) => ({ forwarded: `198.51.100.${at}` }), 4],
  ['such headers before what the proxy saw', 1, (at) => ({ forwarded: `198.51.100.${at}, 192.0.2.9` }), 4],
  ['one that says it is this host', 1, () => ({ from: '127.0.0.1', forwarded: '127.0.0.1, 192.0.2.9' }), 4],
  ['several clients', 0, (at) => ({ from: `192.0.2.${at}` }), 20],
  ['several clients behind a proxy', 1, (at) => ({ from: '192.0.2.9', forwarded: `198.51.100.${at}` }), 20],
  ['this host', 0, () => ({ from: '127.0.0.1' }), 20],
  ['this host, IPv4 in IPv6', 0, () => ({ from: '::ffff:127.0.0.1' }), 20],
  ['this host, IPv6', 0, () => ({ from: '::1' }), 20],
  ['files of pages', 0, () => ({ url: '/_next/static/x.js' }), 20],
  ['probes', 0, () => ({ url: '/healthz' }), 20],
  ['what only begins like a probe', 0, () => ({ url: '/healthz/../search' }), 4],
])('of %s as many as may', async (_, proxies, of, count) => {
  expect(await served(pacing(proxies), of)).toBe(count)
})

test('0 is without limit', async () => {
  expect(await served(pacing(0, { requests: 0, searches: 0 }), () => ({ url: '/search?search=x' }))).toBe(20)
})

test('a refusal says when to ask again, and then it is answered', async () => {
  vi.useFakeTimers()
  const ask = pacing()
  for (let at = 0; at < 4; at++) expect(await ask()).toBeUndefined()
  vi.advanceTimersByTime(20_500)
  const refusal = await ask()
  expect(refusal).toMatchObject({ code: 'RATE_LIMITED', status: 429 })
  expect(refusal?.message).toBe('one client may send 4 requests a minute; try again in 40 s')
  expect(refusal && retryAfter(refusal)).toBe(40)
  vi.advanceTimersByTime(40_000)
  expect(await ask()).toBeUndefined()
  vi.useRealTimers()
})
