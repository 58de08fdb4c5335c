import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { context } from '#lib/service/open.ts'
import { writeStore } from '#lib/testing/stored-run.ts'
import { HOUR, makeRun } from '#lib/testing/values.ts'
import { POST as postForm } from '../e/route.ts'
import { GET as getBug } from './v1/bugs/[...key]/route.ts'
import { GET as getEvidence } from './v1/evidence/[id]/route.ts'
import { POST as postEvidence } from './v1/evidence/route.ts'

const HOSTILE = '<script>alert(1)</script> {noformat} ``` ]|[x|http://evil.test] EOF'
const QUERY = 'search=EOF&maxAge=2d'
let dataDir: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'evidence-api-'))
  process.env.PROWL_DATA = dataDir
  const finishedAt = Date.now() - HOUR
  const run = makeRun({ path: 'logs/e2e/1', startedAt: finishedAt - HOUR, finishedAt })
  await writeStore(dataDir, [[run, { 'build-log.txt': Buffer.from(`start\n${HOSTILE}\nend\n`) }]])
})
afterAll(async () => {
  const { store, searcher } = await context()
  await searcher.close()
  await store.close()
  await rm(dataDir, { recursive: true })
})
/** Each test is another minute to the limits. */
beforeEach(() => {
  delete (globalThis as { prowlLimiters?: unknown }).prowlLimiters
})

const OWN = { 'sec-fetch-site': 'same-origin' }
const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  new Request(`http://prowl.test${path}`, { method: 'POST', body, headers: { host: 'prowl.test', ...headers } })
const form = (fields: Record<string, string>, headers: Record<string, string> = OWN) =>
  postForm(post('/e', new URLSearchParams(fields).toString(), headers))
const api = (body: unknown, headers?: Record<string, string>) =>
  postEvidence(post('/api/v1/evidence', typeof body === 'string' ? body : JSON.stringify(body), headers))
const read = (id: string, path = '') => getEvidence(new Request(`http://prowl.test/api/v1/evidence/${id}${path}`))
const kept = async () => (await (await context()).store.status()).evidence

describe('freezing', () => {
  test('by the form leads to its page, and by the API to the same evidence', async () => {
    const first = await form({ query: QUERY })
    expect(first.status).toBe(303)
    expect(first.headers.get('location')).toMatch(/^\/e\/[0-9a-z]{10}$/)
    const again = await api({ query: QUERY })
    expect(again.status).toBe(200)
    expect(again.headers.get('location')).toBe(first.headers.get('location'))
    const { evidence, now, headline } = await again.json()
    expect(evidence.content.lines).toMatchObject([{ line: 2, text: HOSTILE, before: ['start'], after: ['end'] }])
    expect(headline[0]).toBe('EOF: 1 line in 1 run (1 failed) of 1 job')
    expect(now.columns).toEqual([{ lines: 1, runs: 1, failedRuns: 1 }])
  })

  test('anew says so, and it is read back as JSON and as text', async () => {
    const answer = await api({ query: 'search=EOF&maxAge=3d&name=e2e' })
    expect(answer.status).toBe(201)
    const { evidence } = await answer.json()
    expect((await (await read(evidence.id)).json()).evidence).toEqual(evidence)
    const text = await read(evidence.id, '?format=text')
    expect(text.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await text.text()).toMatch(new RegExp(`<script>alert.*\\n\\nhttp://.*/e/${evidence.id}\\n$`, 's'))
  })

  test.each<[string, () => Promise<Response>, number, string]>([
    ['nothing', () => form({}), 400, 'QUERY_INVALID'],
    ['two things', () => form({ query: QUERY, signature: 'x' }), 400, 'QUERY_INVALID'],
    ['a query without a pattern', () => form({ query: 'maxAge=2d' }), 400, 'QUERY_INVALID'],
    ['a bad pattern', () => form({ query: 'search=a(' }), 400, 'REGEX_SYNTAX'],
    ['an unknown signature', () => form({ signature: '../../x' }), 404, 'NOT_FOUND'],
    ['an unknown incident', () => form({ incident: '<b>' }), 404, 'NOT_FOUND'],
    [
      'another site’s form',
      () => form({ query: QUERY }, { 'sec-fetch-site': 'cross-site' }),
      403,
      'REQUEST_CROSS_SITE',
    ],
    ['a form that does not say whose it is', () => form({ query: QUERY }, {}), 403, 'REQUEST_CROSS_SITE'],
    ['a form that is too long', () => form({ query: `search=${'x'.repeat(20_000)}` }), 413, 'REQUEST_TOO_LARGE'],
    ['another site’s script', () => api({ query: QUERY }, { origin: 'https://evil.test' }), 403, 'REQUEST_CROSS_SITE'],
    ['no JSON', () => api('query=x'), 400, 'QUERY_INVALID'],
    ['JSON of another shape', () => api({ query: { search: 'x' } }), 400, 'QUERY_INVALID'],
    ['JSON null', () => api('null'), 400, 'QUERY_INVALID'],
    ['JSON that is too long', () => api({ query: 'x'.repeat(1e6) }), 413, 'REQUEST_TOO_LARGE'],
  ])('%s is refused, and nothing is kept', async (_, ask, status, code) => {
    const before = await kept()
    const answer = await ask()
    expect(answer.status).toBe(status)
    const body = await answer.text()
    expect(body).toContain(code)
    expect(answer.headers.get('content-type')).toMatch(/^(text\/plain|application\/problem\+json)/)
    expect(await kept()).toBe(before)
  })

  test.each<[string, () => Promise<Response>]>([
    ['form', () => form({ query: QUERY })],
    ['API', () => api({ query: QUERY })],
  ])('a flood through the %s is refused with the time to come back', async (_, ask) => {
    const statuses = []
    for (let i = 0; i < 13; i++) statuses.push((await ask()).status)
    expect(statuses.slice(10)).toEqual([429, 429, 429])
    expect(statuses.slice(0, 10)).not.toContain(429)
    const refused = await ask()
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await refused.text()).toContain('RATE_LIMITED')
  })
})

test('what was not frozen is not there', async () => {
  const answer = await read('0000000000')
  expect(answer.status).toBe(404)
  expect(await answer.json()).toMatchObject({ code: 'NOT_FOUND' })
})

const bug = async (key: string[]) => {
  const answer = await getBug(new Request(`http://prowl.test/api/v1/bugs/${key.map(encodeURIComponent).join('/')}`))
  expect(answer.status).toBe(200)
  return await answer.json()
}

test.each([
  [['bz1750890'], 'bz1750890', ['boskos.heartbeat']],
  [['1750890'], 'bz1750890', ['boskos.heartbeat']],
  [['https:', '', 'bugzilla.redhat.com', 'show_bug.cgi?id=1750890'], 'bz1750890', ['boskos.heartbeat']],
  [['OCPBUGS-1'], 'OCPBUGS-1', []],
  [['o', 'r#12'], 'o/r#12', []],
  [['<b>'], undefined, []],
])('the bug %j is %s', async (key, name, ids) => {
  const view = await bug(key)
  expect(view.name).toBe(name)
  expect(view.signatures.map((one: { signature: { id: string } }) => one.signature.id)).toEqual(ids)
})

test('a bug gathers what was frozen of its signatures, with their sentences', async () => {
  const { evidence } = await (await api({ signature: 'boskos.heartbeat' })).json()
  const view = await bug(['bz1750890'])
  expect(view.evidence.map(({ id }: { id: string }) => id)).toEqual([evidence.id])
  expect(view.signatures[0].sentences.length).toBeGreaterThan(0)
  expect(view.address).toBe('https://bugzilla.redhat.com/show_bug.cgi?id=1750890')
})
