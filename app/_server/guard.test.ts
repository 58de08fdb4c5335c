import { describe, expect, test } from 'vitest'
import { clientOf, limitClient, originOf, refuseCrossSite, retryAfter } from './guard.ts'

describe('whose page asked', () => {
  const host = { host: 'prowl.test:3000' }
  test.each<[string, Record<string, string>, boolean, boolean]>([
    ['the same site', { 'sec-fetch-site': 'same-origin' }, true, true],
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' }, false, false],
    [
      'another site that lies of its origin',
      { 'sec-fetch-site': 'cross-site', origin: 'http://prowl.test:3000' },
      false,
      false,
    ],
    ['a sister site', { 'sec-fetch-site': 'same-site' }, false, false],
    ['an address typed in', { 'sec-fetch-site': 'none' }, false, false],
    ['an older browser, here', { origin: 'http://prowl.test:3000' }, true, true],
    ['an older browser, at the public address', { origin: 'https://prowl.example.org' }, true, true],
    ['an older browser, elsewhere', { origin: 'https://prowl.test.evil.test' }, false, false],
    ['an older browser, another port', { origin: 'http://prowl.test:3001' }, false, false],
    ['a sandboxed frame', { origin: 'null' }, false, false],
    ['a program', {}, false, true],
  ])('%s', (_, headers, form, api) => {
    const passes = (programs: boolean) => {
      try {
        refuseCrossSite(new Headers({ ...host, ...headers }), { programs, publicUrl: 'https://prowl.example.org/' })
        return true
      } catch (error) {
        expect(error).toMatchObject({ code: 'REQUEST_CROSS_SITE', status: 403 })
        return false
      }
    }
    expect([passes(false), passes(true)]).toEqual([form, api])
  })
})

test.each<[string | undefined, string | undefined, number, string]>([
  [undefined, '10.0.0.1', 0, '10.0.0.1'],
  ['6.6.6.6', '10.0.0.1', 0, '10.0.0.1'],
  ['6.6.6.6, 192.0.2.7', '10.0.0.1', 1, '192.0.2.7'],
  ['6.6.6.6, 192.0.2.7, 10.0.0.2', '10.0.0.1', 2, '192.0.2.7'],
  [undefined, '10.0.0.1', 1, '10.0.0.1'],
  [undefined, '::ffff:10.0.0.1', 0, '10.0.0.1'],
  [undefined, '2001:db8:1:2:3:4:5:6', 0, '2001:db8:1:2::/64'],
  [undefined, '2001:db8::6', 0, '2001:db8:0:0::/64'],
  [undefined, '::1', 0, '0:0:0:0::/64'],
  [undefined, undefined, 0, 'unknown'],
])('of %s from %s behind %d proxies the client is %s', (forwarded, peer, proxies, client) => {
  expect(clientOf(new Headers(forwarded ? { 'x-forwarded-for': forwarded } : {}), peer, proxies)).toBe(client)
})

test.each<[Record<string, string>, string]>([
  [{ host: 'prowl.test:3000' }, 'http://prowl.test:3000'],
  [{ host: 'prowl.test', 'x-forwarded-proto': 'https' }, 'https://prowl.test'],
  [{ host: '[::1]:3000' }, 'http://[::1]:3000'],
  [{ host: 'evil.test/"><script>' }, 'http://localhost'],
  [{}, 'http://localhost'],
])('a site at %j is %s', (headers, origin) => {
  expect(originOf(new Headers(headers))).toBe(origin)
})

test('a client is refused after ten in a minute and told when to come back; all together after sixty', async () => {
  const refusal = async (client: string, times: number) => {
    for (let i = 0; i < times; i++) await limitClient(client)
    const error = await limitClient(client).catch((refused: unknown) => refused)
    expect(error).toMatchObject({ code: 'RATE_LIMITED', status: 429 })
    return retryAfter(error as Parameters<typeof retryAfter>[0])
  }
  const seconds = await refusal('a', 10)
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(60)
  for (const client of ['b', 'c', 'd', 'e', 'f']) for (let i = 0; i < 10; i++) await limitClient(client)
  await refusal('g', 0)
})
