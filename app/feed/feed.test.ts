import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Notice } from '#lib/model/notice.ts'
import { putNoticeState } from '#lib/notice/state.ts'
import { context } from '#lib/service/open.ts'
import { writeStore } from '#lib/testing/stored-run.ts'
import { HOUR, makeIncident } from '#lib/testing/values.ts'
import { GET } from './route.ts'

const AT = Date.UTC(2026, 10, 3, 2, 14)
const SIGNATURE = 'boskos.heartbeat'
const notice = (given: Partial<Notice>): Notice => ({
  id: `${SIGNATURE}/2019-09-18T00:00:00.000Z/again`,
  at: AT + 2 * HOUR,
  kind: 'again',
  signature: SIGNATURE,
  title: 'Boskos lease lost: seen again',
  sentence: 'Since the change: seen again once.',
  link: `/signatures/${SIGNATURE}`,
  ...given,
})
const GROUP = {
  id: 'group/g1',
  kind: 'group',
  signature: undefined,
  group: 'g1',
  title: 'New: <script>',
  link: '/groups/g1',
} as const
const INCIDENTS = [
  makeIncident({ at: AT, signature: SIGNATURE }),
  makeIncident({ at: AT - HOUR, signature: SIGNATURE, votes: 1 }),
]

let dataDir: string

async function put(notices: readonly Notice[]): Promise<void> {
  await writeStore(dataDir, [], async (store) => {
    await store.putIncidents(SIGNATURE, INCIDENTS)
    await putNoticeState(store, { from: AT, standings: {}, groups: {}, notices: [...notices], unsent: [] })
  })
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'feed-'))
  process.env.PROWL_DATA = dataDir
  await put([notice({}), notice({ ...GROUP, at: AT + 3 * HOUR })])
})

afterAll(async () => {
  const { store, searcher } = await context()
  await searcher.close()
  await store.close()
  await rm(dataDir, { recursive: true })
})

const get = (query = '', headers: Record<string, string> = {}) =>
  GET(new Request(`http://prowl.test/feed${query}`, { headers: { host: 'prowl.test', ...headers } }))
const all = (xml: string, name: string) =>
  [...xml.matchAll(new RegExp(`<${name}[^>]*>([^<]*)</${name}>`, 'g'))].map(([, text]) => text)

test('of everything: notices, newest first, with addresses that stand alone', async () => {
  const response = await get()
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/atom+xml; charset=utf-8'])
  const xml = await response.text()
  expect(all(xml, 'id')).toEqual([
    'tag:prowl,2026:all',
    'tag:prowl,2026:notice/group/g1',
    `tag:prowl,2026:notice/${SIGNATURE}/2019-09-18T00%3A00%3A00.000Z/again`,
  ])
  expect(all(xml, 'title')).toEqual(['prowl: what changed', 'New: &lt;script&gt;', 'Boskos lease lost: seen again'])
  expect(all(xml, 'updated')).toEqual([
    '2026-11-03T05:14:00.000Z',
    '2026-11-03T05:14:00.000Z',
    '2026-11-03T04:14:00.000Z',
  ])
  expect(xml).toContain('href="http://prowl.test/groups/g1"')
})

test('of a signature: its notices and its incidents, nothing else', async () => {
  const xml = await (await get(`?signature=${SIGNATURE}`)).text()
  expect(all(xml, 'id')).toEqual([
    `tag:prowl,2026:signature/${SIGNATURE}`,
    `tag:prowl,2026:notice/${SIGNATURE}/2019-09-18T00%3A00%3A00.000Z/again`,
    ...INCIDENTS.map(({ id }) => `tag:prowl,2026:incident/${id}`),
  ])
  expect(all(xml, 'title').slice(2)).toEqual([
    expect.stringMatching(/: struck 3 Nov 2026 02:14 UTC$/),
    expect.stringMatching(/: struck 3 Nov 2026 01:14 UTC$/),
  ])
  expect(all(xml, 'content').slice(1)).toEqual([
    '2 runs died of it; e2e-0, e2e-1.',
    '1 run died of it; e2e-0. One pull request or run only: it is not counted.',
  ])
})

test('one that is not there is an error that says so', async () => {
  const response = await get('?signature=nonsense')
  expect([response.status, (await response.json()).code]).toEqual([404, 'NOT_FOUND'])
})

describe('asked again', () => {
  test('nothing is sent while it is the same, and it is when it is not', async () => {
    const first = await get()
    const etag = first.headers.get('etag') ?? ''
    const again = await get('', { 'if-none-match': etag })
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
    await put([notice({ title: 'another' })])
    expect((await get('', { 'if-none-match': etag })).status).toBe(200)
  })
})
