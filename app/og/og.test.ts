import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseQuery } from '#lib/search/query.ts'
import { freeze } from '#lib/service/freeze.ts'
import { context } from '#lib/service/open.ts'
import { writeStore } from '#lib/testing/stored-run.ts'
import { HOUR, makeRun } from '#lib/testing/values.ts'
import { GET as getPng } from '../signatures/[id]/chart.png/route.tsx'
import { GET as getSvg } from '../signatures/[id]/chart.svg/route.ts'
import { GET } from './route.tsx'

const PNG = [0x89, 0x50, 0x4e, 0x47]
let dataDir: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'og-'))
  process.env.PROWL_DATA = dataDir
  const run = makeRun({ startedAt: Date.now() - 2 * HOUR })
  await writeStore(dataDir, [[run, { 'build-log.txt': Buffer.from('a\nEOF\n') }]])
})

afterAll(async () => {
  const { store, searcher } = await context()
  await searcher.close()
  await store.close()
  await rm(dataDir, { recursive: true })
})

const og = (query: string, headers: Record<string, string> = {}) =>
  GET(new Request(`http://prowl.test/og?${query}`, { headers }))
const chart = (query = '', id = 'boskos.heartbeat', headers: Record<string, string> = {}) =>
  [
    new Request(`http://prowl.test/signatures/${id}/chart?${query}`, { headers }),
    { params: Promise.resolve({ id }) },
  ] as const

async function sizeOf(response: Response): Promise<[number, number]> {
  const bytes = Buffer.from(await response.arrayBuffer())
  expect([...bytes.subarray(0, 4)]).toEqual(PNG)
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
}

describe('the picture of a pasted link', () => {
  test('of a signature: kept for a little while, and not sent twice', async () => {
    const first = await og('signature=boskos.heartbeat')
    expect(first.headers.get('cache-control')).toBe('public, max-age=300')
    expect(first.headers.get('content-security-policy')).toContain('sandbox')
    expect(await sizeOf(first)).toEqual([1200, 630])
    const etag = first.headers.get('etag') ?? ''
    expect((await og('signature=boskos.heartbeat', { 'if-none-match': `"x", W/${etag}` })).status).toBe(304)
  })

  test('of evidence: the same bytes whatever is known since, kept for good', async () => {
    const ctx = await context()
    const { evidence } = await freeze(ctx, { query: parseQuery(new URLSearchParams('search=EOF&maxAge=14d')).query })
    const first = await og(`evidence=${evidence.id}`)
    expect(first.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(await sizeOf(first)).toEqual([1200, 630])
    const again = await og(`evidence=${evidence.id.toUpperCase()}`)
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'))
    expect(await sizeOf(again)).toEqual([1200, 630])
  })

  test.each([
    ['evidence=zzz', 404, 'NOT_FOUND'],
    ['signature=none', 404, 'NOT_FOUND'],
    ['', 400, 'QUERY_INVALID'],
    ['signature=a&evidence=b', 400, 'QUERY_INVALID'],
  ])('%s: %i', async (query, status, code) => {
    const response = await og(query)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ code })
  })
})

describe('a chart to embed', () => {
  test('as SVG', async () => {
    const response = await getSvg(...chart())
    expect(response.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8')
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(await response.text()).toMatch(/^<svg .*prefers-color-scheme/s)
    const etag = response.headers.get('etag') ?? ''
    expect((await getSvg(...chart('', 'boskos.heartbeat', { 'if-none-match': etag }))).status).toBe(304)
    expect((await getSvg(...chart('theme=dark'))).headers.get('etag')).not.toBe(etag)
  })

  test('as PNG', async () => expect((await sizeOf(await getPng(...chart())))[0]).toBe(1784))

  test.each([
    ['', 'none', 404, 'NOT_FOUND'],
    ['theme=pink', 'boskos.heartbeat', 400, 'QUERY_INVALID'],
  ])('refused: %s of %s', async (query, id, status, code) => {
    for (const get of [getSvg, getPng]) {
      const response = await get(...chart(query, id))
      expect(response.status).toBe(status)
      expect(await response.json()).toMatchObject({ code })
    }
  })
})
