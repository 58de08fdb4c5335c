import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Notice } from '#lib/model/notice.ts'
import { noticeState, putNoticeState } from '#lib/notice/state.ts'
import { openStore } from '#lib/store/open.ts'
import { createReferenceStore } from '#lib/store/reference.ts'
import type { Store } from '#lib/store/store.ts'
import type { IngestHooks } from './options.ts'
import { runIngest } from './run-ingest.ts'
import { finishedRun, temporaryDirectory, writeFiles } from './testing/bucket.ts'
import { postNotices } from './webhook.ts'

process.env.NO_PROXY = '127.0.0.1'

const NOW = Date.UTC(2026, 10, 3, 10)
const DAY = 86_400_000
const SECRET = '/services/T0/B0/s3cret'

type Answer = number | RequestListener

/** A webhook that answers each post as the next of `answers` says, the last of them for ever. */
async function hook(...answers: readonly Answer[]) {
  const posts: { url: string; body: { text: string; blocks: { text: { text: string } }[] } }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const answer = answers[Math.min(posts.length, answers.length - 1)] ?? 200
    posts.push({ url: request.url ?? '', body: JSON.parse(Buffer.concat(chunks).toString()) })
    if (typeof answer === 'number') response.writeHead(answer).end('ok')
    else answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  onTestFinished(close)
  const { port } = server.address() as AddressInfo
  return { posts, close, webhook: `http://127.0.0.1:${port}${SECRET}` }
}

const notice = (id: string, over: Partial<Notice> = {}): Notice => ({
  id,
  at: NOW,
  kind: 'again',
  signature: 'boskos',
  title: `${id}: seen again`,
  sentence: 'Since the change: seen again once.',
  link: '/signatures/boskos',
  ...over,
})

async function storeWith(...notices: readonly Notice[]): Promise<Store> {
  const store = createReferenceStore()
  const unsent = notices.map(({ id }) => id)
  await putNoticeState(store, { from: 0, standings: {}, groups: {}, notices: [...notices], unsent })
  return store
}

/** One pass's turn at the webhook; waits between tries take no time and are told. */
async function turn(store: Store, webhook: string, { now = NOW, publicUrl = 'https://prowl.test/' } = {}) {
  const [waits, warnings]: [number[], string[]] = [[], []]
  const wait = async (ms: number) => void waits.push(ms)
  const retries = { retries: 3, delayMs: 10, maxDelayMs: 100, wait }
  await postNotices(store, { webhook, publicUrl, retries, now: () => now, onWarning: (text) => warnings.push(text) })
  return { waits, warnings, unsent: (await noticeState(store))?.unsent }
}

const after = (seconds: string, status = 429): RequestListener => {
  return (_, response) => void response.writeHead(status, { 'retry-after': seconds }).end()
}

test('posts each once, oldest first, in Slack’s form', async () => {
  const { posts, webhook } = await hook(200)
  const store = await storeWith(notice('a'), notice('b'))
  expect(await turn(store, webhook)).toEqual({ waits: [], warnings: [], unsent: [] })
  expect(await turn(store, webhook)).toEqual({ waits: [], warnings: [], unsent: [] })
  expect(posts.map(({ body }) => body.text)).toEqual(
    ['a', 'b'].map(
      (id) => `${id}: seen again. Since the change: seen again once. https://prowl.test/signatures/boskos`,
    ),
  )
  expect(posts[0]).toMatchObject({ url: SECRET, body: { unfurl_links: false } })
  expect(posts[0]?.body.blocks[0]?.text.text).toBe(
    '*<https://prowl.test/signatures/boskos|a: seen again>*\nSince the change: seen again once.',
  )
})

test.each<[string, readonly Answer[], number]>([
  ['500', [500, 200], 0],
  ['503 twice', [503, 503, 200], 0],
  ['a connection that breaks', [(request) => void request.socket.destroy(), 200], 0],
  ['429 that asks for a moment', [after('1'), 200], 100],
])('%s: tried again within the pass', async (_, answers, least) => {
  const { posts, webhook } = await hook(...answers)
  const { waits, warnings, unsent } = await turn(await storeWith(notice('a')), webhook)
  expect({ posts: posts.length, warnings, unsent }).toEqual({ posts: answers.length, warnings: [], unsent: [] })
  expect(waits).toHaveLength(answers.length - 1)
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(least)
})

test('what is not taken waits for a later pass, with a warning that keeps the secret', async () => {
  const { posts, webhook } = await hook(500, 500, 500, 500, 200)
  const store = await storeWith(notice('a'), notice('b'))
  const { warnings, unsent } = await turn(store, webhook)
  expect(unsent).toEqual(['b', 'a'])
  expect(warnings).toEqual([
    'the webhook answered HTTP 500: 2 notices wait for a later pass; check PROWL_WEBHOOK if this lasts',
  ])
  expect(await turn(store, webhook)).toMatchObject({ warnings: [], unsent: [] })
  expect(posts.map(({ body }) => body.text[0]).join('')).toBe('aaaaba')
})

test('one that is never taken holds up no other', async () => {
  const refused: RequestListener = (_, response) => void response.writeHead(400).end('invalid_payload')
  const { posts, webhook } = await hook(refused, 200, refused)
  const store = await storeWith(notice('a'), notice('b'))
  expect((await turn(store, webhook)).unsent).toEqual(['b', 'a'])
  expect((await turn(store, webhook)).unsent).toEqual(['a'])
  expect(posts.map(({ body }) => body.text[0]).join('')).toBe('aba')
  expect(await turn(store, webhook, { now: NOW + 3 * DAY })).toMatchObject({ unsent: [], warnings: [] })
  expect(posts).toHaveLength(3)
})

test('a webhook that asks for an hour gets it', async () => {
  const { posts, webhook } = await hook(after('3600'), 200)
  const store = await storeWith(notice('a'))
  expect(await turn(store, webhook)).toMatchObject({ waits: [], unsent: ['a'] })
  expect(await turn(store, webhook, { now: NOW + 3_599_000 })).toMatchObject({ unsent: ['a'], warnings: [] })
  expect(posts).toHaveLength(1)
  expect(await turn(store, webhook, { now: NOW + 3_600_000 })).toMatchObject({ unsent: [] })
})

test('no redirect is followed, and one that is away is a warning without its address', async () => {
  const { posts, webhook, close } = await hook(
    (_, response) => void response.writeHead(307, { location: SECRET }).end(),
  )
  const store = await storeWith(notice('a'))
  expect((await turn(store, webhook)).warnings[0]).toContain('answered HTTP 307')
  expect(posts).toHaveLength(1)
  close()
  const [warning] = (await turn(store, webhook)).warnings
  expect(warning).toBe(
    'the webhook could not be reached (ECONNREFUSED): 1 notice waits for a later pass; check PROWL_WEBHOOK if this lasts',
  )
})

test('text of a log names nobody and links nowhere; without an address of the app there is no link', async () => {
  const { posts, webhook } = await hook(200)
  const hostile = notice('<!channel> <https://evil.test|here> & "x"\n\u0000', { sentence: 'y'.repeat(5000) })
  await turn(await storeWith(hostile), webhook, { publicUrl: '' })
  const { text, blocks } = posts[0]?.body ?? { text: '<', blocks: [] }
  expect(text).toContain('&lt;!channel&gt; &lt;https://evil.test|here&gt; &amp; "x"')
  expect(text).not.toMatch(/[<>]/)
  expect(blocks[0]?.text.text.length).toBeLessThan(3000)
})

const MANIFEST = (at: number) => `
signatures:
  - id: boom
    title: It went boom
    kind: per-run
    regexes: ['\\bboom\\b']
    changes: [{ at: ${new Date(at).toISOString()}, title: less of it, link: 'https://example.com/1', dated_by_link: true }]
    samples: { match: ['it went boom'], no_match: ['boomerang'] }
`

test('a worker posts what changed since its last pass, once, also after a restart', async () => {
  const [root, now] = [temporaryDirectory(), Date.now()]
  const bucket = join(root, 'bucket')
  const run = (daysAgo: number, boom: boolean) => {
    const at = now - daysAgo * DAY
    const files = { 'build-log.txt': boom ? 'it went boom\n' : 'all is well\n' }
    return finishedRun(`logs/e2e/${Math.round(1000 - daysAgo * 10)}`, {
      at,
      result: boom ? 'FAILURE' : 'SUCCESS',
      files,
    })
  }
  for (let day = 30; day > 0; day--) writeFiles(bucket, run(day, [25, 22, 20].includes(day)))
  mkdirSync(join(root, 'signatures'))
  writeFileSync(join(root, 'signatures', 'boom.yaml'), MANIFEST(now - 15 * DAY))
  const { posts, webhook } = await hook(404, 200)
  const warnings: string[] = []
  const pass = (hooks: IngestHooks = {}) =>
    runIngest(
      { bucket, dataDir: join(root, 'data'), signatureDirs: [join(root, 'signatures')], webhook },
      { ...hooks, onWarning: (text) => warnings.push(text) },
    )

  const noted = async () => {
    const store = await openStore({ dataDir: join(root, 'data'), mode: 'read' })
    const state = await noticeState(store)
    await store.close()
    return state?.notices.length
  }

  // Of a pass that was stopped nothing is noted: the next one would take what it left for news.
  const stopped = new AbortController()
  await pass({ stop: stopped.signal, onOpen: () => stopped.abort() })
  expect(await noted()).toBe(undefined)
  await pass()
  expect([await noted(), posts]).toEqual([0, []])
  // One run alone does not count, of a per-run failure.
  for (const ago of [0.3, 0.2]) writeFiles(bucket, run(ago, true))
  await pass()
  expect([posts.length, warnings.length]).toEqual([1, 1])
  await pass()
  await pass()
  expect(posts.map(({ body }) => body.text)).toEqual(
    Array(2).fill(expect.stringMatching(/^It went boom: back, .*seen again twice/)),
  )
  expect(await noted()).toBe(1)
})
