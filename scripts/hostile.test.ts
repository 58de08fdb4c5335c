import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CATASTROPHES } from '#lib/search/testing/catastrophes.ts'
import { api, CLIMBS, FIRST, MORE, OTHERS, PARAMETERS, PREFIXES } from './hostile/addresses.ts'
import { type Answer, type Asking, ask } from './hostile/ask.ts'
import { harmsOf } from './hostile/checks.ts'
import { crawl, PAGE, wrong, wrongAt } from './hostile/crawl.ts'
import { PACE, SECRET, type Served, serveHostile } from './hostile/served.ts'
import { HOSTILE, HOSTILE_VALUES } from './hostile/texts.ts'
import { needsBuild } from './start/build.ts'
import { NEXT, Processes } from './start/processes.ts'
import { succeed } from './testing/app.ts'

const MIB = 1024 * 1024
/** Of JavaScript's heap, in the worker and in the web app: either ends where it needs more. */
const HEAP_MIB = 160
/** With what native code needs beside it: the tails of two logs of 64 MiB, and SQLite's pages. */
const MOST_MIB = 700
const LARGE = { fuzzed: 20, bombBytes: 512 * MIB, lineBytes: 100 * MIB, tinyLines: 1_000_000 }
const LINES = { headers: { accept: 'text/plain' } }

const TURNS = 4

let served: Served
let pages: readonly string[] = []

beforeAll(async () => {
  if (needsBuild(process.cwd())) await succeed(new Processes(), [NEXT, 'build'], process.env)
  served = await serveHostile(LARGE, HEAP_MIB)
}, 300_000)
afterAll(() => served.stop())

const get = (path: string, how: Asking = PAGE) => ask(served.base, path, how)

async function wrongAmong(paths: readonly string[], ways: Readonly<Record<string, Asking>>): Promise<string[]> {
  const found: string[] = []
  for (const path of paths)
    for (const [name, how] of Object.entries(ways))
      for (const harm of wrong(await get(path, how))) found.push(`${path.slice(0, 150)} as ${name}: ${harm}`)
  return found
}

describe('hostile logs', () => {
  test('are read whole within a bounded heap, and nothing is printed that a terminal obeys', async () => {
    const { code, told, mib } = served.ingest
    expect({ code, harms: harmsOf({ type: 'text/plain', body: told, headers: {} }) }, told).toEqual({
      code: 0,
      harms: [],
    })
    const { store } = JSON.parse((await get('/api/v1/status')).body)
    expect(Object.values<number>(store.runs).reduce((sum, count) => sum + count, 0)).toBe(served.runs)
    expect(mib).toBeLessThan(MOST_MIB)
  })

  test('show as text on every page that can be reached, and as lines', async () => {
    const found = await crawl(served.base)
    pages = found.pages
    expect(pages.length).toBeGreaterThan(40)
    expect(found.harms).toEqual([])
    expect(await wrongAmong([...MORE, ...OTHERS], { page: PAGE })).toEqual([])
    expect(await wrongAmong([...pages, ...MORE, ...OTHERS], { lines: LINES })).toEqual([])
    expect(await wrongAmong([...FIRST, ...MORE], { 'what curl asks for': {} })).toEqual([])
  }, 300_000)

  test('show as text in every answer of the API, in each form', async () => {
    const paths = pages.flatMap(apiPathsOf)
    const listed = [
      'search?search=needle&context=15&groupBy=none',
      'search/count?search=needle',
      'tally?search=(needle.*)',
    ]
    const always = [...listed, 'status', 'coverage', 'groups', 'triage', 'signatures', 'openapi.json', 'bugs/OCPBUGS-1']
    const all = [...new Set([...paths, ...always.map((path) => `/api/v1/${path}`), '/v2/search?search=needle'])]
    expect(all.length).toBeGreaterThan(25)
    const found: string[] = []
    for (const path of all)
      for (const format of ['json', 'text', 'csv', 'ndjson']) {
        const answer = await get(`${path}${path.includes('?') ? '&' : '?'}format=${format}`, {})
        for (const harm of wrong(answer)) found.push(`${path.slice(0, 150)} as ${format}: ${harm}`)
      }
    expect(found).toEqual([])
  }, 300_000)

  test('show as text in what commands print', async () => {
    const run = pages.find((page) => page.startsWith('/runs/dir/bucket/logs/') && page.includes('prowl-x'))
    const path = decodeURIComponent(run?.replace(/^\/runs\/dir\/bucket\//, '').replace(/\?.*/, '') ?? '')
    const log = join(served.bucket, path, 'build-log.txt')
    const commands = [
      ['scripts/prowl.ts', 'search', 'needle', '--context', '15', '--since', '90d'],
      ['scripts/prowl.ts', 'search', 'needle', '--count', '--since', '90d'],
      ['scripts/prowl.ts', 'search', 'needle', '--json', '--since', '90d'],
      ['scripts/prowl.ts', 'search', 'needle', '--since', '90d', '--url', served.base],
      ['scripts/prowl.ts', 'search', `${HOSTILE.terminal}(`],
      ['scripts/prowl.ts', 'known', log],
      ['scripts/prowl.ts', 'known', `${served.base}${run}`],
      ['scripts/verify.ts', '--data', served.data],
      ['ingest/main.ts', '--bucket', served.bucket, '--run', `dir://bucket/${path}`],
    ]
    for (const args of commands) {
      const { told } = await served.command(...args)
      expect({ args, harms: harmsOf({ type: 'text/plain', body: told, headers: {} }) }).toEqual({ args, harms: [] })
      expect(told, args.join(' ')).not.toMatch(/\n +at |Error:/)
      expect(told).not.toContain(SECRET)
    }
  }, 300_000)

  test('are nowhere but in the data directory, under names of prowl’s own', async () => {
    const files = readdirSync(served.data, { recursive: true, withFileTypes: true })
    expect(files.map(({ name }) => name).filter((name) => !/^[\w.-]+$/.test(name))).toEqual([])
    expect(readdirSync(served.root).sort()).toEqual(['beside', 'bucket', 'data'])
    expect(readdirSync(join(served.root, 'beside'))).toEqual(['secret.txt'])
    const began = statSync(join(served.root, 'beside', 'secret.txt')).mtimeMs
    expect(statSync(join(served.root, 'beside')).mtimeMs).toBeLessThanOrEqual(began + 1_000)
    expect(served.asked).toEqual([])
    const { lines } = JSON.parse((await get('/api/v1/search/count?search=prowl.secret')).body)
    expect(lines).toBe(0)
  })
})

/** The same of a page as the API tells. */
function apiPathsOf(page: string): string[] {
  const known = /^\/(?:runs|incidents|groups|signatures|pr|e)\//
  if (!known.test(page) || /\/(?:new|edit|chart\.\w+)(?:\?|$)/.test(page)) return []
  return [`/api/v1${page.replace(/^\/pr\//, '/prs/').replace(/^\/e\//, '/evidence/')}`]
}

describe('hostile requests', () => {
  const addresses = () => [...FIRST, ...MORE, ...OTHERS, ...pages.filter((_, at) => at % 12 === 0)]

  test('every parameter of every page and operation may be anything', async () => {
    const got = api
      .filter(({ method }) => method === 'get')
      .map(({ path }) => `/api/v1${path.replaceAll(/\{\w+\}/g, 'x')}`)
    const plain = new Set([...addresses(), ...got, '/api/v1/known', '/v2/search', '/v1/search'].map(withoutQuery))
    const found: string[] = []
    for (const [at, target] of [...plain].entries())
      for (let turn = 0; turn < TURNS; turn++) {
        // Not all at once: where one is refused, the others are not looked at.
        const given = PARAMETERS.map((name, of) => [name, valueAt(at * TURNS + turn + of)] as const)
        const some = given.filter((_, of) => (of + at + turn) % 3 === 0)
        found.push(...(await wrongAt(served.base, `${target}?${new URLSearchParams(some.map((pair) => [...pair]))}`)))
      }
    expect(found).toEqual([])
    expect(served.asked).toEqual([])
  }, 300_000)

  test('names in an address may be anything, and lead out of nothing', async () => {
    const climbing = CLIMBS.flatMap((up) => [`${up}beside/secret.txt`, `${up}etc/passwd`, `${up}evil.test`])
    const names = [...climbing, ...HOSTILE_VALUES.map(encodeURIComponent)]
    const found: string[] = []
    for (const [at, prefix] of PREFIXES.entries())
      for (const name of names.filter((_, of) => of < climbing.length || (of + at) % 4 === 0))
        found.push(...(await wrongAt(served.base, prefix + name)))
    expect(found).toEqual([])
  }, 300_000)

  test('HEAD is answered as GET, without a body, and other methods are refused', async () => {
    for (const path of addresses()) {
      const [whole, head] = [await get(path), await get(path, { ...PAGE, method: 'HEAD' })]
      const of = ({ status, type, headers }: Answer) => ({ path, status, type, policy: withoutNonce(headers) })
      expect(of(head)).toEqual(of(whole))
      expect(head.body).toBe('')
    }
    for (const path of [...addresses(), '/api/v1/search', '/api/v1/evidence'])
      for (const method of ['TRACE', 'PUT', 'PROPFIND', 'OPTIONS', 'POST']) {
        const answer = await get(path, { ...PAGE, method })
        expect(wrong(answer), `${method} ${path}`).toEqual([])
        expect(answer.headers['access-control-allow-origin']).toBeUndefined()
        if (!['OPTIONS', 'POST'].includes(method))
          expect({ path, method, status: answer.status }).toEqual({ path, method, status: 405 })
      }
  }, 300_000)

  test('patterns that never end leave others answered', async () => {
    const attack = (pattern: string) => `/api/v1/search?${new URLSearchParams({ search: pattern, maxAge: '90d' })}`
    const some = CATASTROPHES.filter((_, at) => at % 6 === 0)
    const attacks = some.map(async ({ pattern }) => ({ pattern, answer: await get(attack(pattern), {}) }))
    for (const path of ['/status', '/', '/signatures/boskos.heartbeat', '/search?search=needle', '/healthz'])
      expect({ path, status: (await get(path)).status }).toEqual({ path, status: 200 })
    for (const { pattern, answer } of await Promise.all(attacks)) {
      expect(wrong({ ...answer, status: 200 }), pattern).toEqual([])
      const [code, again] = [JSON.parse(answer.body).code, answer.headers['retry-after']]
      if (answer.status !== 200)
        expect({ code, again }).toEqual({ code: expect.stringMatching(/^SEARCH_/), again: '5' })
    }
    expect((await get('/api/v1/search?search=needle', {})).status).toBe(200)
  }, 300_000)

  test('one client that asks too much is told when to come back, and others are answered', async () => {
    const as = (client: string, path: string) =>
      get(path, { headers: { 'x-forwarded-for': `198.51.100.9, ${client}` } })
    const found: string[] = []
    for (let turn = 0; turn < PACE.searches; turn++)
      found.push(String((await as('203.0.113.1', '/api/v1/search?search=nowhere')).status))
    expect(new Set(found)).toEqual(new Set(['200']))
    for (const [path, type] of [
      ['/api/v1/search?search=nowhere', 'application/problem+json'],
      ['/search?search=nowhere', 'text/plain'],
    ] as const) {
      const refused = await as('203.0.113.1', path)
      expect({ status: refused.status, type: refused.type }).toEqual({ status: 429, type })
      expect(refused.body).toContain('RATE_LIMITED')
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
      expect(wrong(refused)).toEqual([])
    }
    expect((await as('203.0.113.1', '/status')).status).toBe(200)
    expect((await as('203.0.113.2', '/api/v1/search?search=nowhere')).status).toBe(200)
    expect((await get('/api/v1/search?search=nowhere')).status).toBe(200)
  })

  test('the bytes of a log are text in a sandbox', async () => {
    const raw = pages.find((page) => page.startsWith('/api/v1/raw/')) ?? ''
    const { type, headers } = await get(raw)
    expect({ type, policy: headers['content-security-policy'] }).toEqual({
      type: 'text/plain',
      policy: "default-src 'none'; sandbox",
    })
  })

  test('every answer has its headers, errors too', async () => {
    for (const path of [
      ...addresses(),
      '/%zz',
      '/api/v1/x',
      `/search?search=${'('.repeat(10_000)}`,
      `/${'x'.repeat(10_000)}`,
      `/search?${'a=b&'.repeat(2_500)}`,
    ]) {
      const { headers, status } = await get(path)
      const named = {
        path: path.slice(0, 100),
        status,
        policy: headers['content-security-policy'],
        sniff: headers['x-content-type-options'],
        frame: headers['x-frame-options'],
      }
      expect(named).toMatchObject({ sniff: 'nosniff', frame: 'DENY' })
      expect(named.policy).toMatch(/default-src '(?:self|none)'/)
      expect(named.policy).not.toMatch(/unsafe/)
      expect(named.policy).toMatch(/frame-ancestors 'none'|; sandbox$/)
      expect(headers['x-powered-by']).toBeUndefined()
    }
  })
})

function withoutQuery(path: string): string {
  return path.replace(/\?.*$/s, '')
}

function valueAt(at: number): string {
  const all = [...HOSTILE_VALUES, `${served.canary}/x`]
  return all[at % all.length] ?? ''
}

function withoutNonce(headers: Answer['headers']): string {
  return String(headers['content-security-policy']).replaceAll(/nonce-[\w-]+/g, 'nonce')
}
