import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from '@elastic/elasticsearch'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Elasticsearch, hasElasticsearch, startElasticsearch } from '../../testing/elasticsearch.ts'
import { type FaultProxy, type SeenRequest, startFaultProxy } from '../../testing/fault-proxy.ts'
import { blocksOf, logName, sampleLogs, sampleRecord, sampleRun } from '../../testing/records.ts'
import { SteppedClock } from '../../testing/stepped-clock.ts'
import type { Store } from '../store.ts'
import { openElastic } from './elastic-store.ts'

const run = sampleRun()
const DAY = '2026.11.03'
const TEXTS = { 'build-log.txt': blocksOf(['one', 'two', 'three']) }
const TOLD = ['one\ntwo', 'three']
const LEASE_MS = 2000

describe.skipIf(!hasElasticsearch())('two writers of a real Elasticsearch', () => {
  let node: Elasticsearch
  let direct: Client
  /** Between the old leader and the cluster. */
  let proxy: FaultProxy
  let prefix: string
  /** One whose time stands still: it renews nothing, and takes its lease for good. */
  let zombie: Store
  const opened: Store[] = []
  const session = Date.now().toString(36)
  let count = 0

  beforeAll(async () => {
    node = await startElasticsearch()
    direct = new Client({ node: node.url })
    proxy = await startFaultProxy(node.url)
  })
  afterAll(async () => {
    await proxy?.close()
    await direct?.close()
    await node?.stop()
  })
  beforeEach(async () => {
    prefix = `l${session}_${++count}`
    const clock = new SteppedClock(Date.now())
    zombie = await openElastic({ nodes: [proxy.endpoint], prefix, mode: 'write', leaseMs: LEASE_MS, clock })
    opened.push(zombie)
  })
  afterEach(async () => {
    proxy.reset()
    for (const store of opened.splice(0)) await store.close()
  })

  const open = async () => {
    const store = await openElastic({ nodes: [node.url], prefix, mode: 'write', leaseMs: LEASE_MS })
    opened.push(store)
    return store
  }
  const begun = async (store: Store, of = run) => {
    const version = await store.begin(of)
    await store.append(version, logName('build-log.txt'), TEXTS['build-log.txt'])
    return version
  }
  const record = (of = run, fingerprint = 'f') => sampleRecord(of, { fingerprint, logs: sampleLogs(TEXTS) })
  const texts = async (store: Store) => {
    const { items } = await store.candidates({}, { limit: 99 })
    return (await store.read(items.map(({ ref }) => ref))).map((bytes) => bytes && Buffer.from(bytes).toString())
  }
  const stored = async () => {
    const index = `${prefix}-blocks-${DAY}`
    await direct.indices.refresh({ index })
    return (await direct.count({ index })).count
  }
  const toRuns = ({ url, method }: SeenRequest) => method === 'POST' && url.includes('_bulk')
  /** Blocks are sent, and noted, with the first request of a publishing; here before it. */
  const sent = async (version: Awaited<ReturnType<typeof begun>>, store: Store) => {
    // More than is gathered before it is sent, of few grams: a request has to end within the lease.
    const big = Buffer.from(Array.from({ length: 7 << 19 }, () => 97 + Math.floor(Math.random() * 16)))
    await store.append(version, logName('build-log.txt'), [{ firstLine: 4, lineCount: 1, bytes: big, ascii: true }])
  }

  test('the second is refused by name while the first renews, and leads once it has ended', async () => {
    const first = await open()
    const second = open()
    await expect(second).rejects.toMatchObject({
      code: 'STORE_LEASE_HELD',
      message: expect.stringContaining(`process ${process.pid} on `),
    })
    await first.close()
    await (await open()).putState('k', 1)
  })

  test('a leader that was stopped finds its version swept: nothing of it is published, and its successor reads the run', async () => {
    const version = await begun(zombie)
    await sent(version, zombie)
    expect(await stored()).toBe(3)
    const next = await open()
    expect(await next.maintain()).toMatchObject({ swept: 1 })
    expect(await stored()).toBe(0)
    await expect(zombie.publish(version, record())).rejects.toMatchObject({ code: 'STORE_LEASE_LOST' })
    expect(await next.run(run)).toBeUndefined()
    await next.publish(await begun(next), record())
    expect(await texts(next)).toEqual(TOLD)
  })

  test('what it published while its successor waited is kept', async () => {
    const version = await begun(zombie)
    await sent(version, zombie)
    const next = await open()
    const meanwhile = async () => {
      void maintained.push(next.maintain())
      await sleep(LEASE_MS / 8)
    }
    const maintained: Promise<unknown>[] = []
    // The request that names the version is on its way when the note is marked.
    proxy.fault({ kind: { kind: 'none' }, match: naming(proxy), meanwhile })
    const late = zombie.publish(version, { ...record(), logs: [{ ...logName('build-log.txt'), bytes: 9, lines: 4 }] })
    await expect(late).rejects.toMatchObject({ code: 'STORE_LEASE_LOST' })
    await Promise.all(maintained)
    expect(maintained).toHaveLength(1)
    expect((await texts(next)).slice(0, 2)).toEqual(TOLD)
    expect(await stored()).toBe(3)
  })

  test('what came later than any request may is found, said, and read again', async () => {
    const version = await begun(zombie)
    await sent(version, zombie)
    const next = await open()
    proxy.fault({
      kind: { kind: 'none' },
      match: naming(proxy),
      meanwhile: async () => void (await next.maintain()),
    })
    const late = zombie.publish(version, { ...record(), logs: [{ ...logName('build-log.txt'), bytes: 9, lines: 4 }] })
    await expect(late).rejects.toMatchObject({ code: 'STORE_LEASE_LOST' })
    expect(await next.run(run)).toMatchObject({ fingerprint: 'f' })
    expect(await stored()).toBe(0)
    await next.maintain()
    expect(await next.run(run)).toMatchObject({ expired: true, fingerprint: 'unread:f' })
    const { items } = await next.problems({ limit: 9 })
    expect(items).toMatchObject([{ path: run.path, code: 'STORE_CORRUPT' }])
    expect(await next.maintain()).toMatchObject({ swept: 0 })
    await next.publish(await begun(next), record())
    expect(await texts(next)).toEqual(TOLD)
    expect((await next.problems({ limit: 9 })).items).toEqual([])
  })

  test('days that a successor keeps are not lost to a late leader', async () => {
    const next = await open()
    await next.publish(await begun(next), record())
    const late = [
      () => zombie.maintain({ expireBefore: '2026-11-05' }),
      () => zombie.begin(sampleRun({ path: 'logs/j/9' })),
      () => zombie.begin(sampleRun({ path: 'logs/j/9', time: run.time + 86_400_000 * 3 })),
    ]
    for (const write of late) await expect(write()).rejects.toMatchObject({ code: 'STORE_LEASE_LOST' })
    expect(await texts(next)).toEqual(TOLD)
  })

  test('nor does a late leader change them before its successor did: that one is not taken for the late one', async () => {
    await begun(zombie)
    const next = await open()
    const other = sampleRun({ path: 'logs/j/2', time: run.time + 86_400_000 })
    await expect(zombie.begin(other)).rejects.toMatchObject({ code: 'STORE_LEASE_LOST' })
    await next.publish(await begun(next, other), record(other))
    expect(await texts(next)).toEqual(TOLD)
  })

  test('one that knows of the other writes nothing at all', async () => {
    const clock = new SteppedClock(Date.now())
    await zombie.close()
    const old = await openElastic({ nodes: [proxy.endpoint], prefix, mode: 'write', leaseMs: LEASE_MS, clock })
    opened.push(old)
    const version = await begun(old)
    await open()
    await clock.pass(LEASE_MS / 4)
    await expect.poll(() => old.putState('poll', 1).then(() => '', codeOf)).toBe('STORE_LEASE_LOST')
    proxy.reset()
    const writes = [
      () => old.begin(sampleRun({ path: 'logs/j/3', time: run.time + 86_400_000 })),
      () => old.publish(version, record()),
      () => old.fail({ ...run, code: 'X', message: 'x', at: 1 }),
      () => old.putState('k', 1),
      () => old.putIncidents('s', [{ id: 'i', at: 1, aliases: [] } as never]),
      () => old.maintain({ expireBefore: '2026-12-01' }),
    ]
    for (const write of writes) await expect(write()).rejects.toMatchObject({ code: 'STORE_LEASE_LOST' })
    expect(proxy.requests.filter(toRuns)).toEqual([])
    // It can be read all the same.
    expect(await old.state('k')).toBeUndefined()
  })
})

function codeOf(error: { readonly code?: string }): string | undefined {
  return error.code
}

/** The last of the requests by which a run is published: the first bulk after the note was looked at. */
function naming({ requests }: FaultProxy): (request: SeenRequest) => boolean {
  const before = requests.length
  return ({ url }) => {
    const since = requests.slice(before, -1)
    // Old document, blocks' refresh, note.
    return url.includes('_bulk') && since.filter((one) => one.url.includes('_mget')).length >= 2
  }
}
