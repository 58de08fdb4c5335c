import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Traffic } from '#lib/model/ingest-state.ts'
import { fakeGcsBinary, startFakeGcs } from '#lib/testing/fake-gcs.ts'
import type { Fault, Rule } from '#lib/testing/fault-proxy.ts'
import { BUCKET, fillBucket, NEIGHBOUR, openFaulty, readAll, TEXT, waits, ZIPPED } from './behind-proxy.ts'
import type { Source } from './source.ts'

delete process.env.STORAGE_EMULATOR_HOST
process.env.NO_PROXY = '127.0.0.1'

const binary = fakeGcsBinary()
const server = binary === undefined ? undefined : await startFakeGcs(binary)
afterAll(() => server?.stop())

const crashes: unknown[] = []
for (const event of ['uncaughtExceptionMonitor', 'unhandledRejection'])
  process.on(event, (error) => void crashes.push(error))
afterEach(async () => {
  await turn()
  expect(crashes).toEqual([])
})

const EVER = Number.POSITIVE_INFINITY
const DAY_S = 86_400
const status = (code: number, headers: Record<string, string> = {}): Fault => ({
  kind: 'status',
  status: code,
  headers,
})
const httpDate = (ms: number) => new Date(Date.now() + ms).toUTCString()

/** A neighbour begins before `run` and ends after it; what it read. */
async function besideNeighbour(source: Source, run: () => Promise<void>): Promise<Buffer> {
  const neighbour = source.read('neighbour')[Symbol.asyncIterator]()
  const first = await neighbour.next()
  await run()
  const { bytes } = await readAll({ [Symbol.asyncIterator]: () => neighbour })
  return Buffer.concat([first.value ?? Buffer.alloc(0), bytes])
}

interface ReadRow {
  readonly object?: string
  readonly faults: readonly Omit<Rule, 'match'>[]
  /** Whole bytes, or an error. */
  readonly gives: Buffer | { readonly code: string }
  /** Of the object, the neighbour's not counted. */
  readonly requests: number
  readonly traffic?: Partial<Traffic>
}

const UNREADABLE = { code: 'OBJECT_UNREADABLE' }
const BROKEN = { code: 'OBJECT_BROKEN' }
const whole = (faults: ReadRow['faults'], requests: number, traffic: Partial<Traffic> = {}): ReadRow => ({
  faults,
  gives: TEXT,
  requests,
  traffic: { retries: requests - 1, failed: 0, ...traffic },
})
const givenUp = (kind: Fault, requests: number, traffic: Partial<Traffic> = {}): ReadRow => ({
  faults: [{ kind, times: EVER }],
  gives: UNREADABLE,
  requests,
  traffic: { retries: requests - 1, failed: 1, ...traffic },
})
const zipped = (object: string, kind: Fault, requests: number): ReadRow => ({
  object,
  faults: [{ kind }],
  gives: ZIPPED,
  requests,
})

const READS: Readonly<Record<string, ReadRow>> = {
  'a burst of 503': whole([{ kind: status(503), times: 3 }], 4, { throttled: 3 }),
  '503 without end': givenUp(status(503), 4, { throttled: 4 }),
  '500, 502 and 504': whole([{ kind: status(500) }, { kind: status(502) }, { kind: status(504) }], 4),
  '408': whole([{ kind: status(408) }], 2),
  '429': whole([{ kind: status(429) }], 2, { throttled: 1 }),
  '401': { faults: [{ kind: status(401) }], gives: UNREADABLE, requests: 1, traffic: { failed: 0 } },
  '403': { faults: [{ kind: status(403) }], gives: UNREADABLE, requests: 1, traffic: { failed: 0 } },
  'a hang before the headers': whole([{ kind: { kind: 'hang' } }], 2),
  'hangs before the headers without end': givenUp({ kind: 'hang' }, 4),
  'a stall in the body': whole([{ kind: { kind: 'stall', after: 50_000 } }], 2),
  'stalls in the body without end': givenUp({ kind: 'stall', after: 50_000 }, 4),
  'a cut': whole([{ kind: { kind: 'cut', after: 50_000 } }], 2),
  'a cut at once': whole([{ kind: { kind: 'cut', after: 0 } }], 2),
  'three cuts': whole([{ kind: { kind: 'cut', after: 50_000 }, times: 3 }], 4),
  'cuts without end': givenUp({ kind: 'cut', after: 1000 }, 4),
  'a reset before the headers': whole([{ kind: { kind: 'reset' } }], 2),
  'a reset in the body': whole([{ kind: { kind: 'reset', after: 50_000 } }], 2),
  'resets without end': givenUp({ kind: 'reset' }, 4),
  'a corrupt byte': givenUp({ kind: 'corrupt', at: 70_000 }, 1),
  'a corrupt byte after a cut': {
    ...givenUp({ kind: 'corrupt', at: 0 }, 2),
    faults: [{ kind: { kind: 'cut', after: 5 } }, { kind: { kind: 'corrupt', at: 0 } }],
  },
  'a corrupt byte in gzip': { ...givenUp({ kind: 'corrupt', at: 9000 }, 1), object: 'labelled' },
  'a short body that claims to be whole': whole([{ kind: { kind: 'short', to: 50_000 } }], 2),
  'bodies that stay empty': givenUp({ kind: 'short', to: 0 }, 4),
  'a short gzip that claims to be whole': zipped('labelled', { kind: 'short', to: 9000 }, 2),
  'a cut gzip': zipped('labelled', { kind: 'cut', after: 9000 }, 2),
  'a slow drip': whole([{ kind: { kind: 'drip', bytes: 100_000, pauseMs: 20 } }], 1),
  'plain bytes labelled as gzip': whole([{ kind: { kind: 'label', encoding: 'gzip' } }], 1),
  'gzip bytes without their label': zipped('labelled', { kind: 'label', encoding: 'none' }, 1),
  'gzip stored without a label': zipped('unlabelled', { kind: 'none' }, 1),
  'gzip bytes stored without a label, labelled on the way': zipped(
    'unlabelled',
    { kind: 'label', encoding: 'gzip' },
    1,
  ),
  'gzip as stored': zipped('labelled', { kind: 'none' }, 1),
  'transcoding on the way': zipped('labelled', { kind: 'transcode' }, 1),
  'gzip stored cut': { object: 'ends-early', faults: [], gives: BROKEN, requests: 1, traffic: { failed: 0 } },
  'no bytes': { object: 'empty', faults: [], gives: Buffer.alloc(0), requests: 1 },
  'no bytes after 503': { object: 'empty', faults: [{ kind: status(503) }], gives: Buffer.alloc(0), requests: 2 },
}

const LISTED = ['list/a/1', 'list/b/1', 'list/c', 'list/d']
const second = /[?&]pageToken=/

async function listAll(source: Source, delimiter?: '/', signal?: AbortSignal): Promise<string[]> {
  const names: string[] = []
  let pageToken: string | undefined
  do {
    const page = await source.list({
      prefix: 'list/',
      ...(delimiter ? { delimiter } : {}),
      ...(pageToken ? { pageToken } : {}),
      ...(signal ? { signal } : {}),
    })
    names.push(...page.prefixes, ...page.objects.map((info) => info.name))
    pageToken = page.nextPageToken
  } while (pageToken !== undefined)
  return names
}

interface ListRow {
  readonly faults: readonly Rule[]
  readonly gives?: { readonly code: string }
  readonly requests: number
  readonly traffic?: Partial<Traffic>
}

const UNREACHABLE = { code: 'BUCKET_UNREACHABLE' }
const page2 = (kind: Fault, traffic: Partial<Traffic> = {}): ListRow => ({
  faults: [{ kind, match: second }],
  requests: 3,
  traffic: { retries: 1, failed: 0, ...traffic },
})

const LISTINGS: Readonly<Record<string, ListRow>> = {
  '503 on page 2': page2(status(503), { throttled: 1 }),
  '429 on page 2': page2(status(429), { throttled: 1 }),
  'a cut page': page2({ kind: 'cut', after: 50 }),
  'a reset': page2({ kind: 'reset' }),
  'a reset in the page': page2({ kind: 'reset', after: 50 }),
  'a short page that claims to be whole': page2({ kind: 'short', to: 50 }),
  'an empty page that claims to be whole': page2({ kind: 'short', to: 0 }),
  'a page that is no JSON': page2({ kind: 'corrupt', at: 0 }),
  'a page labelled as gzip': page2({ kind: 'label', encoding: 'gzip' }),
  'a hang before the headers': page2({ kind: 'hang' }),
  'a stall in the page': page2({ kind: 'stall', after: 50 }),
  'a slow drip': { faults: [{ kind: { kind: 'drip', bytes: 100, pauseMs: 5 } }], requests: 2 },
  '503 without end': {
    faults: [{ kind: status(503), match: second, times: EVER }],
    gives: UNREACHABLE,
    requests: 5,
    traffic: { retries: 3, throttled: 4, failed: 1 },
  },
  'hangs without end': {
    faults: [{ kind: { kind: 'hang' }, match: second, times: EVER }],
    gives: UNREACHABLE,
    requests: 5,
    traffic: { retries: 3, failed: 1 },
  },
  'a page of HTML': {
    faults: [{ kind: { kind: 'status', status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' } }],
    gives: UNREACHABLE,
    requests: 1,
  },
  '401': { faults: [{ kind: status(401) }], gives: { code: 'BUCKET_DENIED' }, requests: 1 },
  '403': { faults: [{ kind: status(403) }], gives: { code: 'BUCKET_DENIED' }, requests: 1 },
  '404': { faults: [{ kind: status(404) }], gives: { code: 'BUCKET_NOT_FOUND' }, requests: 1 },
}

const ODD_NAMES = [
  'odd/a%2Fb',
  'odd/a b',
  'odd/a#b',
  'odd/a?b=c&d',
  'odd/a\nb',
  'odd/"quoted" and \'quoted\'',
  'odd/<é🙂>',
  'odd/100%',
  'odd/a\\b',
  'odd/+;,:@',
]

describe.skipIf(server === undefined)('a bucket that fails', () => {
  const gcs = server as NonNullable<typeof server>
  beforeAll(() => fillBucket(gcs))

  it.concurrent.for(Object.entries(READS))('is read through %s', async ([, row], { onTestFinished }) => {
    const { object = 'text', faults, gives, requests, traffic = {} } = row
    const { source, proxy } = await openFaulty(gcs, onTestFinished)
    for (const rule of faults) proxy.fault({ ...rule, match: new RegExp(`/o/${object}\\?`) })
    const neighbour = await besideNeighbour(source, async () => {
      const { bytes, error } = await readAll(source.read(object))
      if (gives instanceof Buffer) expect(error).toBeUndefined()
      else expect(error).toMatchObject(gives)
      if (gives instanceof Buffer) expect(bytes.equals(gives)).toBe(true)
      expect(proxy.requests.filter(({ url }) => url.includes(`/o/${object}?`)).length).toBe(requests)
      expect(source.traffic()).toMatchObject(traffic)
    })
    expect(neighbour.equals(NEIGHBOUR)).toBe(true)
  })

  it.concurrent.for(Object.entries(LISTINGS))('is listed through %s', async ([, row], { onTestFinished }) => {
    const { source, proxy } = await openFaulty(gcs, onTestFinished)
    for (const rule of row.faults) proxy.fault({ ...rule, match: rule.match ?? /\/o\?/ })
    const neighbour = await besideNeighbour(source, async () => {
      const before = source.traffic().requests
      const names = await listAll(source).catch((error: unknown) => error)
      if (row.gives) expect(names).toMatchObject(row.gives)
      else expect(names).toEqual(LISTED)
      if (row.gives) expect((names as Error).message).not.toContain('\n')
      expect(source.traffic().requests - before).toBe(row.requests)
      expect(source.traffic()).toMatchObject(row.traffic ?? {})
    })
    expect(neighbour.equals(NEIGHBOUR)).toBe(true)
  })

  it('lists prefixes through faults, each once', async ({ onTestFinished }) => {
    const { source, proxy } = await openFaulty(gcs, onTestFinished)
    proxy.fault({ kind: status(503) })
    proxy.fault({ kind: { kind: 'cut', after: 20 } })
    expect(await listAll(source, '/')).toEqual(['list/a/', 'list/b/', 'list/c', 'list/d'])
    expect(source.traffic().retries).toBe(2)
  })

  it.for<[string, Fault]>([
    ['503', status(503)],
    ['a hang', { kind: 'hang' }],
    ['a cut', { kind: 'cut', after: 20 }],
  ])('tells of an object through %s', async ([, kind], { onTestFinished }) => {
    const { source, proxy } = await openFaulty(gcs, onTestFinished)
    const opening = source.traffic().requests
    proxy.fault({ kind })
    expect(await source.stat('text')).toMatchObject({ name: 'text', size: TEXT.length })
    expect(source.traffic()).toMatchObject({ requests: opening + 2, retries: 1 })
    proxy.fault({ kind, times: EVER })
    await expect(source.stat('text')).rejects.toMatchObject(UNREACHABLE)
  })

  it.for<[string, string, number, number]>([
    ['seconds', '2', 2000, 2100],
    ['a date', httpDate(600_000), 4000, 4100],
    ['a day', String(DAY_S), 4000, 4100],
    ['a date long past', httpDate(-600_000), 50, 100],
    ['nonsense', 'soon', 50, 100],
  ])('waits for Retry-After, within bounds: %s', async ([, value, least, most], { onTestFinished }) => {
    const { source, proxy, waited } = await openFaulty(gcs, onTestFinished)
    proxy.fault({ kind: status(429, { 'retry-after': value }), match: /\/o\/text/ })
    proxy.fault({ kind: status(503, { 'retry-after': value }), match: /\/o\?/ })
    expect((await readAll(source.read('text'))).bytes.equals(TEXT)).toBe(true)
    await source.list({ prefix: 'list/' })
    expect(waited.length).toBe(2)
    for (const ms of waited) {
      expect(ms).toBeGreaterThanOrEqual(least)
      expect(ms).toBeLessThanOrEqual(most)
    }
  })

  it('takes a transfer up where it broke, on the same generation', async ({ onTestFinished }) => {
    const { source, proxy } = await openFaulty(gcs, onTestFinished)
    proxy.fault({ kind: { kind: 'cut', after: 50_000 } })
    expect((await readAll(source.read('text'))).bytes.equals(TEXT)).toBe(true)
    const [first, then] = proxy.requests
    expect(first?.headers.range).toBeUndefined()
    expect(then?.headers.range).toBe('bytes=50000-')
    expect(then?.url).toMatch(/&generation=\d+$/)
    expect(source.traffic()).toMatchObject({ bytes: TEXT.length, retries: 1 })
  })

  describe('that changes', () => {
    const put = (name: string, text: string) => gcs.upload(BUCKET, { name, bytes: Buffer.from(text.repeat(50_000)) })
    const drop = async (name: string) =>
      void (await fetch(`${gcs.endpoint}/storage/v1/b/${BUCKET}/o/${name}`, { method: 'DELETE' }))
    const CHANGED = { code: 'OBJECT_CHANGED' }
    const GONE = { code: 'OBJECT_NOT_FOUND' }

    it.for<[string, (name: string) => Promise<void>, { code: string }]>([
      ['replaced', (name) => put(name, 'after\n'), CHANGED],
      ['gone', drop, GONE],
    ])('an object %s between list and read', async ([how, change, error], { onTestFinished }) => {
      const { source } = await openFaulty(gcs, onTestFinished)
      const name = `listed-then-${how}`
      await put(name, 'before\n')
      const { objects } = await source.list({ prefix: name })
      await change(name)
      const neighbour = await besideNeighbour(source, async () => {
        const generation = objects[0]?.generation ?? ''
        expect((await readAll(source.read(name, { generation }))).error).toMatchObject(error)
      })
      expect(neighbour.equals(NEIGHBOUR)).toBe(true)
      expect(source.traffic()).toMatchObject({ retries: 0, failed: 0 })
    })

    it.for<[string, (name: string) => Promise<void>, { code: string }]>([
      ['replaced', (name) => put(name, 'after\n'), CHANGED],
      ['gone', drop, GONE],
    ])('an object %s while it is read', async ([how, change, error], { onTestFinished }) => {
      const { source, proxy } = await openFaulty(gcs, onTestFinished)
      const name = `read-then-${how}`
      await put(name, 'before\n')
      proxy.fault({ kind: { kind: 'cut', after: 50_000 } })
      proxy.fault({ kind: { kind: 'none' }, meanwhile: () => change(name) })
      const read = await readAll(source.read(name))
      expect(read.error).toMatchObject(error)
      expect(read.bytes.toString()).toBe('before\n'.repeat(50_000).slice(0, read.bytes.length))
    })

    it('an object whose generation the server ignores', async ({ onTestFinished }) => {
      const { source, proxy } = await openFaulty(gcs, onTestFinished)
      await put('ignored', 'before\n')
      proxy.fault({ kind: { kind: 'cut', after: 50_000 } })
      proxy.fault({ kind: { kind: 'forget', parameter: 'generation' }, meanwhile: () => put('ignored', 'behind\n') })
      expect((await readAll(source.read('ignored'))).error).toMatchObject(CHANGED)
    })
  })

  describe('stopped by us', () => {
    it.concurrent.for<[string, Fault]>([
      ['before the headers', { kind: 'hang' }],
      ['in the body', { kind: 'stall', after: 50_000 }],
    ])('a read %s', async ([, kind], { onTestFinished }) => {
      const { source, proxy } = await openFaulty(gcs, onTestFinished, {
        headersTimeoutMs: 60_000,
        idleTimeoutMs: 60_000,
      })
      const abort = new AbortController()
      proxy.fault({
        kind,
        match: /\/o\/text/,
        times: EVER,
        meanwhile: async () => void setTimeout(() => abort.abort(), 50),
      })
      const neighbour = await besideNeighbour(source, async () => {
        const { error } = await readAll(source.read('text', { signal: abort.signal }))
        expect(error).toMatchObject({ name: 'AbortError' })
        expect(source.traffic().failed).toBe(0)
      })
      expect(neighbour.equals(NEIGHBOUR)).toBe(true)
      await vi.waitFor(() => expect(proxy.open.requests).toBe(0))
    })

    it('a read between two tries', async ({ onTestFinished }) => {
      const abort = new AbortController()
      const wait = (_: number, signal?: AbortSignal) => {
        setImmediate(() => abort.abort())
        return sleep(3_600_000, undefined, { signal })
      }
      const { source, proxy } = await openFaulty(gcs, onTestFinished, { retries: { ...waits(), wait } })
      proxy.fault({ kind: status(503), times: EVER })
      const { error } = await readAll(source.read('text', { signal: abort.signal }))
      expect(error).toMatchObject({ name: 'AbortError' })
      expect(proxy.requests.length).toBe(1)
    })

    it.concurrent.for<[string, Fault]>([
      ['before the headers', { kind: 'hang' }],
      ['in the body', { kind: 'stall', after: 50 }],
    ])('a listing %s, whose connection is closed', async ([, kind], { onTestFinished }) => {
      const { source, proxy } = await openFaulty(gcs, onTestFinished, { requestTimeoutMs: 60_000 })
      const abort = new AbortController()
      proxy.fault({ kind, times: EVER, meanwhile: async () => void setTimeout(() => abort.abort(), 50) })
      await expect(listAll(source, '/', abort.signal)).rejects.toMatchObject({ name: 'AbortError' })
      await vi.waitFor(() => expect(proxy.open).toEqual({ connections: 0, requests: 0 }))
    })
  })

  it.for(ODD_NAMES)('lists, describes and reads %j', async (name, { onTestFinished }) => {
    const { source, proxy } = await openFaulty(gcs, onTestFinished)
    await gcs.upload(BUCKET, { name, bytes: Buffer.from(name) })
    proxy.fault({ kind: status(503), match: /alt=media/ })
    expect((await source.list({ prefix: name })).objects.map((info) => info.name)).toEqual([name])
    expect(await source.stat(name)).toMatchObject({ name, size: Buffer.byteLength(name) })
    expect((await readAll(source.read(name))).bytes.toString()).toBe(name)
  })
})
