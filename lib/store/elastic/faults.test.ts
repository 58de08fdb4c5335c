import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from '@elastic/elasticsearch'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Candidate } from '../../model/block.ts'
import { type Elasticsearch, hasElasticsearch, startElasticsearch } from '../../testing/elasticsearch.ts'
import { type FaultProxy, type SeenRequest, startFaultProxy } from '../../testing/fault-proxy.ts'
import { blocksOf, logName, putSample, sampleHit, sampleRun } from '../../testing/records.ts'
import type { Store } from '../store.ts'
import { bulk } from './bulk.ts'
import { Cluster } from './cluster.ts'
import { connect, PATIENCE } from './connect.ts'
import { openElastic } from './elastic-store.ts'
import { namesOf } from './layout.ts'

const run = sampleRun()
const DAY = '2026.11.03'
const TEXTS = { 'build-log.txt': blocksOf(['one', 'two', 'three']) }

describe.skipIf(!hasElasticsearch())('between a store and a real Elasticsearch', () => {
  let node: Elasticsearch
  let direct: Client
  let proxy: FaultProxy
  let store: Store
  let prefix: string

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
    prefix = node.newPrefix()
    store = await openElastic({ nodes: [proxy.endpoint], prefix, mode: 'write' })
  })
  afterEach(async () => {
    proxy.reset()
    await store.close()
  })

  const texts = async (of: Store = store) => {
    const { items } = await of.candidates({}, { limit: 99 })
    return textsOf(of, items)
  }
  const stored = async (index: string) => {
    await direct.indices.refresh({ index })
    return (await direct.count({ index })).count
  }

  test.each([429, 502, 503, 504])('what is refused with %d is sent again, and nothing is doubled', async (status) => {
    proxy.fault({ kind: answer(status), match: /_bulk|_refresh|_mget/, times: 4 })
    await putSample(store, run, TEXTS, { hits: [sampleHit(run)] })
    expect(await texts()).toEqual(['one\ntwo', 'three'])
    expect(await store.status()).toMatchObject({ hits: 1, index: { blocks: 2 } })
    expect(proxy.faults.status).toBeGreaterThanOrEqual(4)
  })

  test('an answer that is cut off is asked for again: what it told of was written, once', async () => {
    proxy.fault({ kind: { kind: 'reset', after: 10 }, match: /_bulk/, times: 3 })
    await putSample(store, run, TEXTS)
    expect(await texts()).toEqual(['one\ntwo', 'three'])
    expect((await store.status()).index.blocks).toBe(2)
  })

  test('of a bulk request only the documents that were refused are sent again', async () => {
    const patience = PATIENCE.write
    const cluster = new Cluster(
      connect({ nodes: [proxy.endpoint], prefix }, patience),
      prefix,
      namesOf(prefix),
      patience,
    )
    const index = `${prefix}-state`
    const writes = ['a', 'b', 'c'].map((id) => ({ index, id, doc: JSON.stringify({ kind: id }) }))
    const items = [201, 429, 201].map((status) => ({
      index: { status, error: { type: 'es_rejected_execution_exception' } },
    }))
    proxy.fault({ kind: answer(200, { errors: true, items }), match: /_bulk/ })
    await bulk(cluster, writes)
    const found = await Promise.all(writes.map(({ id }) => direct.exists({ index, id })))
    expect(found).toEqual([false, true, false])
    await cluster.client.close()
  })

  test('a document that is refused for good is an error, and its version is lost', async () => {
    const version = await store.begin(run)
    await direct.indices.putSettings({ index: `${prefix}-blocks-${DAY}`, settings: { 'index.blocks.write': true } })
    await store.append(version, logName('build-log.txt'), blocksOf(['x']))
    const record = { run, fingerprint: 'f', firstSeen: 1, hits: [], tracks: [], exposures: [] }
    const logs = [{ ...logName('build-log.txt'), bytes: 1, lines: 1 }]
    for (const _ of [1, 2])
      await expect(store.publish(version, { ...record, logs })).rejects.toMatchObject({ code: 'STORE_FAILED' })
    expect(await store.run(run)).toBeUndefined()
  })

  test('a cluster that does not answer, or refuses the key, is said to', async () => {
    const none = openElastic({ nodes: ['http://127.0.0.1:9'], prefix, mode: 'read' })
    await expect(none).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' })
    await putSample(store, run, TEXTS)
    const reader = await openElastic({ nodes: [proxy.endpoint], prefix, mode: 'read' })
    for (const status of [401, 403]) {
      const match = ({ url }: SeenRequest) => !url.includes('/lease')
      proxy.fault({ kind: answer(status, { error: { type: 'security_exception' }, status }), match })
      await expect(reader.run(run)).rejects.toMatchObject({ code: 'STORE_DENIED' })
    }
    await reader.close()
  })

  test('a reader before the first writer is told to wait', async () => {
    const reader = openElastic({ nodes: [node.url], prefix: `${prefix}_none`, mode: 'read' })
    await expect(reader).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' })
  })

  test('searches that share a refresh all wait for it', async () => {
    proxy.fault({ kind: { kind: 'none' }, match: /-runs\/_refresh/, meanwhile: () => sleep(500) })
    await putSample(store, run, {})
    const found = await Promise.all([1, 2, 3].map(() => store.runs({}, { limit: 9 })))
    expect(found.map(({ items }) => items.length)).toEqual([1, 1, 1])
  })

  test('a shard that failed is an error, never a shorter answer', async () => {
    await putSample(store, run, TEXTS)
    await texts()
    const part = { took: 1, timed_out: false, _shards: { total: 2, successful: 1, failed: 1 }, hits: { hits: [] } }
    const asked: (() => Promise<unknown>)[] = [
      () => store.candidates({}, { limit: 9 }),
      () => store.runs({}, { limit: 9 }),
      () => store.hits({}, { limit: 9 }),
      () => store.jobs(),
      () => store.rollups({}),
    ]
    for (const ask of asked) {
      proxy.fault({ kind: answer(200, part), match: /_search/ })
      await expect(ask()).rejects.toMatchObject({ code: 'STORE_FAILED' })
    }
  })

  test("a kept day's index that is gone is an error, and expired once the worker has seen it", async () => {
    await putSample(store, run, TEXTS)
    await direct.indices.delete({ index: `${prefix}-blocks-${DAY}` })
    await expect(texts()).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
    expect(await store.maintain()).toEqual({ swept: 0, expiredDays: ['2026-11-03'] })
    expect(await texts()).toEqual([])
    expect(await store.run(run)).toMatchObject({ expired: true })
  })

  test('a day that expires while it is searched is left out', async () => {
    const later = sampleRun({ path: 'logs/j/2', time: run.time + 86_400_000 })
    for (const each of [run, later]) await putSample(store, each, TEXTS)
    const reader = await openElastic({ nodes: [proxy.endpoint], prefix, mode: 'read' })
    const meanwhile = async () => void (await store.maintain({ expireBefore: '2026-11-04' }))
    proxy.fault({ kind: { kind: 'none' }, match: /_search/, meanwhile })
    const { items } = await reader.candidates({ to: run.time + 1 }, { limit: 9 })
    expect(items).toEqual([])
    await reader.close()
  })

  test('what a retention that was cut off left of a day is not found when the day is kept again', async () => {
    const other = sampleRun({ path: 'logs/j/2' })
    for (const each of [run, other]) await putSample(store, each, TEXTS)
    proxy.fault({ kind: answer(400), match: ({ method }) => method === 'DELETE' })
    await expect(store.maintain({ expireBefore: '2026-11-04' })).rejects.toMatchObject({ code: 'STORE_FAILED' })
    await store.close()
    const next = await openElastic({ nodes: [node.url], prefix, mode: 'write' })
    await putSample(next, run, { 'build-log.txt': blocksOf(['new']) }, { fingerprint: 'f2' })
    expect(await texts(next)).toEqual(['new'])
    expect(await next.run(other)).toMatchObject({ expired: true })
    await next.close()
  })

  test('a run replaced between the search and the look at it is found as it is now', async () => {
    await putSample(store, run, TEXTS)
    const reader = await openElastic({ nodes: [proxy.endpoint], prefix, mode: 'read' })
    const isLook = ({ url }: SeenRequest) => url.includes('_mget') && searched
    let searched = false
    const note = async () => {
      searched = true
    }
    proxy.fault({ kind: { kind: 'none' }, match: /_search/, meanwhile: note })
    const meanwhile = () => putSample(store, run, { 'build-log.txt': blocksOf(['new']) }, { fingerprint: 'f2' })
    proxy.fault({ kind: { kind: 'none' }, match: isLook, meanwhile })
    expect(await texts(reader)).toEqual(['new'])
    await reader.close()
  })

  test('blocks that a shorter version does not have are deleted', async () => {
    await putSample(store, run, { 'build-log.txt': blocksOf(['a', 'b', 'c', 'd', 'e', 'f']) })
    await putSample(store, run, { 'build-log.txt': blocksOf(['a', 'b']) }, { fingerprint: 'f2' })
    expect(await stored(`${prefix}-blocks-${DAY}`)).toBe(4)
    expect(await store.maintain()).toMatchObject({ swept: 1 })
    expect(await stored(`${prefix}-blocks-${DAY}`)).toBe(1)
    expect(await texts()).toEqual(['a\nb'])
  })

  test('days that are over are merged, once', async () => {
    const days = [3, 4, 5].map((day) => sampleRun({ path: `logs/j/${day}`, time: Date.UTC(2026, 10, day) }))
    for (const each of days) for (const _ of [1, 2]) await putSample(store, each, TEXTS)
    const segments = async (day: number) => {
      const index = `${prefix}-blocks-2026.11.0${day}`
      const { indices } = await direct.indices.segments({ index })
      return Object.values(indices[index]?.shards ?? {})
        .flat(2)
        .reduce((sum, shard) => sum + Object.keys(shard.segments).length, 0)
    }
    expect(await segments(3)).toBeGreaterThan(1)
    await store.maintain()
    await expect.poll(() => segments(3), { timeout: 30_000 }).toBe(1)
    expect(await segments(4)).toBeGreaterThan(1)
    proxy.reset()
    await store.maintain()
    expect(proxy.requests.filter(({ url }) => url.includes('_forcemerge'))).toEqual([])
  })

  test('more days than an address can name are searched, counted and merged; one that is gone is an error', async () => {
    const DAY_MS = 24 * 3_600_000
    const days = Array.from({ length: 64 }, (_, i) => sampleRun({ path: `logs/j/${i}`, time: run.time - i * DAY_MS }))
    for (const each of days) {
      await putSample(store, each, TEXTS)
      // It ended a day later: so that all days come together, as each reaches into the next.
      await putSample(store, { ...each, time: each.time + DAY_MS }, TEXTS, { fingerprint: 'f2' })
    }
    await store.maintain()
    expect(await store.candidates({}, { limit: 999 })).toMatchObject({ considered: 128 })
    const plan = { kind: 'and', of: [] } as const
    const { items, considered } = await store.candidates({ plan }, { limit: 9 })
    expect([items.length, considered]).toEqual([9, 9])
    expect((await store.candidates({ plan }, { limit: 999 })).considered).toBe(128)
    expect(await store.status()).toMatchObject({ index: { blocks: 128 } })
    await direct.indices.delete({ index: `${prefix}-blocks-2026.10.01` })
    await expect(store.candidates({}, { limit: 999 })).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
  })

  test('what a killed worker had sent is swept by the next, and never seen', async () => {
    const big = Buffer.alloc(3 << 20, 'log ')
    const version = await store.begin(run)
    for (const n of [1, 2, 3]) {
      const bytes = Buffer.from(big.map((byte) => byte ^ Math.floor(Math.random() * 64)))
      await store.append(version, logName('build-log.txt'), [{ firstLine: n, lineCount: 1, bytes, ascii: false }])
    }
    expect(await stored(`${prefix}-blocks-${DAY}`)).toBe(3)
    expect(await texts()).toEqual([])
    await store.close()
    const next = await openElastic({ nodes: [node.url], prefix, mode: 'write', leaseMs: 1000 })
    expect(await next.maintain()).toEqual({ swept: 1, expiredDays: [] })
    expect(await stored(`${prefix}-blocks-${DAY}`)).toBe(0)
    await next.close()
  })

  test('another process sees a run whole, within the refresh interval', async () => {
    const reader = await openElastic({ nodes: [node.url], prefix, mode: 'read' })
    await putSample(store, run, TEXTS)
    expect(await texts(reader)).toEqual(['one\ntwo', 'three'])
    await expect.poll(async () => (await reader.runs({}, { limit: 9 })).items.length, { timeout: 20_000 }).toBe(1)
    await reader.close()
    await expect(reader.run(run)).rejects.toMatchObject({ code: 'STORE_FAILED' })
  })

  test('a reader writes nothing', async () => {
    const reader = await openElastic({ nodes: [node.url], prefix, mode: 'read' })
    const writes = [
      () => reader.begin(run),
      () => reader.fail({ ...run, code: 'X', message: 'x', at: 1 }),
      () => reader.putState('k', 1),
      () => reader.putIncidents('s', []),
      () => reader.replaceFindings([], []),
      () => reader.maintain(),
    ]
    for (const write of writes) await expect(write()).rejects.toMatchObject({ code: 'STORE_FAILED' })
    await reader.close()
  })

  test('runs of the layout before are counted by what they are, once the worker has opened it', async () => {
    const runs = ['a', 'b'].map((branch, i) =>
      sampleRun({ path: `logs/j/${i}`, cluster: 'build01', refs: { org: 'o', repo: 'r', baseRef: branch, pulls: [] } }),
    )
    for (const each of runs) await putSample(store, each, {}, { exposures: [{ signature: 's', from: 0, to: 1 }] })
    const counted = await store.exposedRuns('s', '2026-11-03', '2026-11-03')
    expect(counted).toHaveLength(2)
    await store.close()
    const index = `${prefix}-runs`
    for (const { _id = '', _source } of (await direct.search<object>({ index })).hits.hits) {
      const { cluster: _, branch: __, ...older } = _source as Record<string, unknown>
      await direct.index({ index, id: _id, document: older })
    }
    await direct.indices.putMapping({ index, _meta: { prowl: 1 } })
    await direct.indices.refresh({ index })
    store = await openElastic({ nodes: [proxy.endpoint], prefix, mode: 'write' })
    expect(await store.exposedRuns('s', '2026-11-03', '2026-11-03')).toEqual(counted)
    expect((await direct.indices.getMapping({ index }))[index]?.mappings._meta).toEqual({ prowl: 2 })
  })

  describe('a layout that is another', () => {
    const all = async () => ({
      indices: await direct.indices.get({ index: `${prefix}-*` }),
      templates: await direct.indices.getIndexTemplate(),
    })
    const meta = (_meta: Record<string, unknown>) => ({ mappings: { _meta } })

    test.each<[string, () => Promise<unknown>]>([
      ['an index of a newer layout', () => remade(`${prefix}-runs`, { prowl: 3 })],
      ['an index that is not ours', () => remade(`${prefix}-incidents`, {})],
      ['a day of a newer layout', () => remade(`${prefix}-blocks-2026.11.04`, { prowl: 9 })],
      [
        'a template of a newer layout',
        () =>
          direct.indices.putIndexTemplate({
            name: `${prefix}-runs`,
            index_patterns: [`x${prefix}`],
            _meta: { prowl: 3 },
          }),
      ],
      [
        'a template that is not ours',
        () => direct.indices.putIndexTemplate({ name: `${prefix}-blocks`, index_patterns: [`x${prefix}`] }),
      ],
    ])('%s is refused, and nothing is touched', async (what, change) => {
      await putSample(store, run, TEXTS)
      await change()
      const before = await all()
      for (const mode of what.includes('template') ? (['write'] as const) : (['write', 'read'] as const)) {
        const opened = openElastic({ nodes: [node.url], prefix, mode })
        await expect(opened).rejects.toMatchObject({ code: 'STORE_LAYOUT' })
      }
      expect(await all()).toEqual(before)
    })

    async function remade(index: string, _meta: Record<string, unknown>): Promise<void> {
      await direct.indices.delete({ index, ignore_unavailable: true })
      // Or it would be made by our template.
      await direct.indices.deleteIndexTemplate({ name: `${prefix}-*` })
      await direct.indices.create({ index, ...meta(_meta) })
    }
  })
})

function answer(status: number, body: unknown = { error: { type: 'x', reason: 'x' }, status }) {
  const headers = { 'content-type': 'application/json', 'x-elastic-product': 'Elasticsearch' }
  return { kind: 'status', status, headers, body: JSON.stringify(body) } as const
}

async function textsOf(store: Store, blocks: readonly Candidate[]): Promise<(string | undefined)[]> {
  const read = await store.read(blocks.map(({ ref }) => ref))
  return read.map((bytes) => bytes && Buffer.from(bytes).toString())
}
