import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ingestStateOf } from '#lib/service/passes.ts'
import { openElastic } from '#lib/store/elastic/elastic-store.ts'
import type { Store } from '#lib/store/store.ts'
import { type Elasticsearch, hasElasticsearch, startElasticsearch } from '#lib/testing/elasticsearch.ts'
import { type FaultProxy, type SeenRequest, startFaultProxy } from '#lib/testing/fault-proxy.ts'
import { generateSample } from '#lib/testing/sample/generate.ts'
import { catalogueOf } from './testing/catalogue-of.ts'

const BUCKET = 'dir://sample'
const LEASE = '2'
/** A pass is left off after so many requests that write. */
const SENT = 60

describe.skipIf(!hasElasticsearch())('workers on one cluster', () => {
  const root = mkdtempSync(join(tmpdir(), 'prowl-takeover-'))
  const bucket = join(root, 'sample')
  const session = Date.now().toString(36)
  const children = new Set<ChildProcess>()
  let node: Elasticsearch
  let proxy: FaultProxy
  let calm: Awaited<ReturnType<typeof read>>

  beforeAll(async () => {
    await generateSample({ dir: bucket, seed: 11, end: Date.now(), scale: 0.02 })
    node = await startElasticsearch()
    proxy = await startFaultProxy(node.url)
    expect(await start(node.url, 'calm', []).ended).toBe(0)
    calm = await read('calm')
    expect(calm.hits).toBeGreaterThan(0)
  })
  afterEach(() => {
    proxy.reset()
    for (const child of children) child.kill('SIGKILL')
  })
  afterAll(async () => {
    await proxy?.close()
    await node?.stop()
    rmSync(root, { recursive: true, force: true })
  })

  const prefixOf = (name: string) => `w${session}_${name}`

  function start(url: string, name: string, more = ['--follow', '--every', '1s']) {
    const env = {
      ...process.env,
      PROWL_STORE: 'elasticsearch',
      ELASTICSEARCH_URL: url,
      ELASTICSEARCH_PREFIX: prefixOf(name),
      ELASTICSEARCH_LEASE: LEASE,
    }
    const args = ['ingest/main.ts', '--bucket', bucket, '--since', 'all', ...more]
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    children.add(child)
    const said = { out: '', err: '' }
    child.stdout.on('data', (text) => {
      said.out += text
    })
    child.stderr.on('data', (text) => {
      said.err += text
    })
    const ended = once(child, 'close').then(([status]) => {
      children.delete(child)
      return status as number | null
    })
    const says = async (what: RegExp) => {
      while (!what.test(said.out + said.err)) {
        if (!children.has(child)) throw new Error(`ended: ${said.out}${said.err}`)
        await sleep(50)
      }
    }
    return { child, said, ended, says }
  }

  async function reading<T>(name: string, use: (store: Store) => Promise<T>): Promise<T> {
    const store = await openElastic({ nodes: [node.url], prefix: prefixOf(name), mode: 'read' })
    try {
      return await use(store)
    } finally {
      await store.close()
    }
  }

  const read = (name: string) =>
    reading(name, async (store) => {
      const { runs: _, ...status } = await store.status()
      const { runs, told } = await catalogueOf(store, BUCKET, ['signatures'])
      return { runs, told, hits: status.hits, logs: status.logs, problems: status.problemCount }
    })

  const stateOf = (name: string) => reading(name, (store) => ingestStateOf(store, BUCKET))

  const passed = async (name: string, { says }: ReturnType<typeof start>) => {
    await says(/runs found/)
    expect(await stateOf(name)).toMatchObject({ passFinishedAt: expect.any(Number) })
  }

  /** From the nth on, requests that write get no answer; `hung` resolves at the first. */
  const hang = () => {
    const hung = Promise.withResolvers<void>()
    let seen = 0
    const match = ({ url }: SeenRequest) => url.includes('_bulk') && ++seen > SENT
    proxy.fault({ kind: { kind: 'hang' }, match, times: 1e9, meanwhile: async () => hung.resolve() })
    return hung.promise
  }

  test('of two the second stands by, and takes over in the middle of a pass when the first is killed: nothing is lost or doubled', async () => {
    const hung = hang()
    const first = start(proxy.endpoint, 'killed')
    await hung
    const second = start(node.url, 'killed')
    await second.says(new RegExp(`standing by: another worker writes to .*: process ${first.child.pid} on `))
    expect((await stateOf('killed'))?.passFinishedAt).toBeUndefined()
    first.child.kill('SIGKILL')
    await passed('killed', second)
    second.child.kill('SIGTERM')
    expect(await second.ended).toBe(0)
    expect(second.said.out.match(/standing by/g)).toHaveLength(1)
    expect(await read('killed')).toEqual(calm)
  }, 120_000)

  test('one that ends hands over at once; what runs once is refused by name while another leads', async () => {
    const first = start(node.url, 'handed')
    await passed('handed', first)
    const once = start(node.url, 'handed', [])
    expect(await once.ended).toBe(2)
    expect(once.said.err).toMatch(/^prowl: STORE_LEASE_HELD: another worker writes to .*\n$/)
    const second = start(node.url, 'handed')
    await second.says(/standing by/)
    first.child.kill('SIGTERM')
    expect(await first.ended).toBe(0)
    await second.says(/runs found/)
    second.child.kill('SIGTERM')
    expect(await second.ended).toBe(0)
    expect(await read('handed')).toEqual(calm)
  }, 120_000)

  test('one that was stopped for longer than its lease goes back to standing by, and takes over in its turn', async () => {
    const hung = hang()
    const first = start(proxy.endpoint, 'stopped')
    await hung
    first.child.kill('SIGSTOP')
    const second = start(node.url, 'stopped')
    await passed('stopped', second)
    proxy.reset()
    first.child.kill('SIGCONT')
    await first.says(/STORE_LEASE_LOST: another worker took over/)
    await first.says(/standing by/)
    second.child.kill('SIGTERM')
    expect(await second.ended).toBe(0)
    await first.says(/runs found/)
    first.child.kill('SIGTERM')
    expect(await first.ended).toBe(0)
    expect(await read('stopped')).toEqual(calm)
  }, 120_000)

  test('while the cluster is away the worker waits, says so, and goes on; nothing is lost or doubled', async () => {
    const hung = Promise.withResolvers<void>()
    let seen = 0
    const match = ({ url }: SeenRequest) => url.includes('_bulk') && ++seen > SENT
    proxy.fault({
      kind: { kind: 'reset' },
      match,
      meanwhile: async () => {
        proxy.random({ seed: 1, share: 1, kinds: [{ kind: 'reset' }] })
        hung.resolve()
      },
    })
    const worker = start(proxy.endpoint, 'away')
    await hung.promise
    await worker.says(/"level":"warn".*"Elasticsearch does not answer \(.*\); waiting for it"/)
    expect((await stateOf('away'))?.passFinishedAt).toBeUndefined()
    proxy.random(undefined)
    await worker.says(/Elasticsearch answers again/)
    await passed('away', worker)
    worker.child.kill('SIGTERM')
    expect(await worker.ended).toBe(0)
    expect(await read('away')).toEqual(calm)
  }, 120_000)
})
