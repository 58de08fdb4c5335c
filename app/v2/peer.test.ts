import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { context } from '#lib/service/open.ts'
import { writeStore } from '#lib/testing/stored-run.ts'
import { HOUR, makeRun } from '#lib/testing/values.ts'
import { GET as getByRun } from '../v1/search/route.ts'
import { GET, POST } from './search/route.ts'

const VIEW = 'https://prow.ci.openshift.org/view/gs/test-platform-results/logs/e2e/1'
let dataDir: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'peer-'))
  process.env.PROWL_DATA = dataDir
  const run = makeRun({ bucket: 'gs://test-platform-results', path: 'logs/e2e/1', startedAt: Date.now() - 2 * HOUR })
  await writeStore(dataDir, [[run, { 'build-log.txt': Buffer.from('--- FAIL: TestA\nerr > 3\nEOF\n') }]])
})
afterAll(async () => {
  const { store, searcher } = await context()
  await searcher.close()
  await store.close()
  await rm(dataDir, { recursive: true })
})

const ask = (query: string, headers: Record<string, string> = {}) =>
  GET(new Request(`http://prowl.test/v2/search?type=build-log&${query}`, { headers }))
const post = (body: BodyInit, headers: Record<string, string> = {}) =>
  POST(new Request('http://prowl.test/v2/search?type=build-log', { method: 'POST', body, headers }))

async function countsOf(response: Response): Promise<Record<string, number>> {
  const { results } = (await response.json()) as { results: Record<string, { matches: unknown[] }> }
  return Object.fromEntries(Object.entries(results).map(([pattern, { matches }]) => [pattern, matches.length]))
}

describe('by address and by form', () => {
  const patterns = ['--- FAIL: Test', 'err \\u003e 3', 'EOF']
  const counts = Object.fromEntries(patterns.map((pattern) => [pattern, 1]))
  const form = () => new URLSearchParams(patterns.map((pattern) => ['search', pattern]))

  test('of an address', async () => expect(await countsOf(await ask(form().toString()))).toEqual(counts))
  test('of a form', async () => expect(await countsOf(await post(form()))).toEqual(counts))
  test('of a form in parts', async () => {
    const parts = new FormData()
    for (const pattern of patterns) parts.append('search', pattern)
    expect(await countsOf(await post(parts))).toEqual(counts)
  })
  test('of a form without a type', async () =>
    expect(await countsOf(await post(Buffer.from(form().toString())))).toEqual(counts))
  test('the newer form and the older tell the same', async () => {
    const byRun = await getByRun(new Request('http://prowl.test/search?type=build-log&search=EOF&context=0'))
    expect(await byRun.json()).toEqual({
      [VIEW]: { EOF: [{ name: 'e2e', lastModified: null, filename: 'build-log', context: ['EOF'] }] },
    })
  })
  test('lines for grep', async () => {
    const answer = await ask('search=EOF', { accept: 'text/plain' })
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await answer.text()).toBe('e2e 1 build-log.txt:3: EOF\n')
  })
})

test('a count says how far it reaches and whether it is whole', async () => {
  const { headers } = await ask('search=EOF')
  expect(Object.fromEntries(headers)).toMatchObject({
    'cache-control': 'public, max-age=15',
    'content-type': 'application/json',
    'prowl-partial': 'incomplete',
    'prowl-data': expect.stringMatching(/^no worker has reported/),
    vary: 'accept',
  })
  const cut = await ask('search=EOF&maxBytes=1')
  expect([cut.status, cut.headers.get('prowl-partial'), cut.headers.get('cache-control')]).toEqual([
    200,
    'limit, incomplete',
    'no-store',
  ])
  expect(await cut.json()).toEqual({ results: {} })
})

test('what a client has already is not sent again', async () => {
  const first = await ask('search=EOF&context=0')
  const etag = first.headers.get('etag') ?? ''
  const again = await ask('search=EOF&context=0', { 'if-none-match': `"other", ${etag}` })
  expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
  expect(again.headers.get('prowl-partial')).toBe('incomplete')
  expect((await ask('search=TestA&context=0', { 'if-none-match': etag })).status).toBe(200)
  const none = await ask('search=nowhere')
  const cut = await ask('search=EOF&maxBytes=1', { 'if-none-match': none.headers.get('etag') ?? '' })
  expect([cut.status, await cut.text()]).toEqual([200, await none.text()])
})

describe('refused in plain words, which no count takes for a match', () => {
  test.each<[string, number, string, RegExp]>([
    [
      'search=a(',
      400,
      'REGEX_SYNTAX',
      /^missing closing \).*\n\n {2}a\(\n {3}\^ at 1\n\nREGEX_SYNTAX \(docs\/errors\.md#regex_syntax\)\n$/,
    ],
    ['search=ok&search=a(?=b)', 400, 'REGEX_UNSUPPORTED', /^pattern 2, .*look-around/],
    ['search=x&name=(', 400, 'REGEX_SYNTAX', /^job pattern: /],
    ['', 400, 'QUERY_INVALID', /^The 'search' query parameter is required\n/],
    ['search=x&searchType=x&maxMatches=900', 400, 'QUERY_INVALID', /^maxMatches must be a number/],
  ])('%s', async (query, status, code, words) => {
    const answer = await ask(query)
    expect([answer.status, answer.headers.get('prowl-error')]).toEqual([status, code])
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await answer.text()).toMatch(words)
  })

  test('a form that is too long', async () => {
    expect((await post(`search=${'x'.repeat(2 ** 20)}`)).status).toBe(413)
  })
  test('a form that is none', async () => {
    expect((await post('x', { 'content-type': 'multipart/form-data; boundary=b' })).status).toBe(400)
  })
})
