import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { fakeGcsBinary, startFakeGcs } from '#lib/testing/fake-gcs.ts'
import { BUCKET, fillBucket, NEIGHBOUR, openFaulty, readAll, TEXT, waits } from './behind-proxy.ts'
import { openGcs } from './gcs.ts'
import { politeFor } from './host.ts'
import { HttpError } from './retry.ts'

delete process.env.STORAGE_EMULATOR_HOST
process.env.NO_PROXY = '127.0.0.1'

const binary = fakeGcsBinary()
const server = binary === undefined ? undefined : await startFakeGcs(binary)
afterAll(() => server?.stop())

const EVER = Number.POSITIVE_INFINITY

describe.skipIf(server === undefined)('a host', () => {
  const gcs = server as NonNullable<typeof server>
  beforeAll(() => fillBucket(gcs))

  it('has eight connections at most, of all its sources and kinds of requests together', async ({ onTestFinished }) => {
    const { source, proxy } = await openFaulty(gcs, onTestFinished, { requestTimeoutMs: 10_000 })
    const other = await openGcs(BUCKET, { endpoint: proxy.endpoint })
    onTestFinished(() => other.close())
    proxy.fault({ kind: { kind: 'drip', bytes: 200_000, pauseMs: 5 }, times: EVER })
    const kinds = [
      () => source.list({ prefix: 'list/' }),
      () => other.list({ prefix: 'list/', delimiter: '/' }),
      () => source.stat('text'),
      async () => expect((await readAll(source.read('text'))).bytes.equals(TEXT)).toBe(true),
      async () => expect((await readAll(other.read('neighbour'))).bytes.equals(NEIGHBOUR)).toBe(true),
    ]
    await Promise.all(Array.from({ length: 50 }, (_, i) => kinds[i % kinds.length]?.()))
    expect(proxy.most).toEqual({ connections: 8, requests: 8 })
    expect(proxy.requests.length).toBe(source.traffic().requests + other.traffic().requests - 1)
  })

  it('has no more when listings hang', async ({ onTestFinished }) => {
    const { source, proxy } = await openFaulty(gcs, onTestFinished, { requestTimeoutMs: 60 })
    proxy.fault({ kind: { kind: 'hang' }, times: EVER })
    const all = await Promise.allSettled(Array.from({ length: 20 }, () => source.list({ prefix: '' })))
    expect(all.every(({ status }) => status === 'rejected')).toBe(true)
    expect(source.traffic()).toMatchObject({ requests: 81, retries: 60, failed: 20 })
    expect(proxy.most.connections).toBeLessThanOrEqual(8)
    await vi.waitFor(() => expect(proxy.open).toEqual({ connections: 0, requests: 0 }))
  })

  it('keeps connections for the next object', async ({ onTestFinished }) => {
    const { source, proxy } = await openFaulty(gcs, onTestFinished)
    for (let i = 0; i < 5; i++) await readAll(source.read('text'))
    expect(new Set(proxy.requests.map(({ connection }) => connection)).size).toBe(1)
  })

  it('is not blocked by readers that wait for each other', async ({ onTestFinished }) => {
    const { source } = await openFaulty(gcs, onTestFinished)
    const readers = Array.from({ length: 12 }, () => source.read('neighbour')[Symbol.asyncIterator]())
    // All have begun before any goes on.
    const begun = await Promise.all(readers.map((reader) => reader.next()))
    await source.list({ prefix: 'list/' })
    const rests = await Promise.all(readers.map((reader) => readAll({ [Symbol.asyncIterator]: () => reader })))
    for (const [i, { bytes }] of rests.entries())
      expect(Buffer.concat([begun[i]?.value ?? Buffer.alloc(0), bytes]).equals(NEIGHBOUR)).toBe(true)
    expect(source.traffic()).toMatchObject({ retries: 0, failed: 0 })
  })

  it('lets go of those who give up waiting for it', async ({ onTestFinished }) => {
    const { source, proxy } = await openFaulty(gcs, onTestFinished, { requestTimeoutMs: 60_000 })
    const abort = new AbortController()
    proxy.fault({ kind: { kind: 'hang' }, times: 8 })
    const list = () => source.list({ prefix: 'list/', signal: abort.signal })
    const all = Array.from({ length: 12 }, list)
    setTimeout(() => abort.abort(), 50)
    for (const { reason } of (await Promise.allSettled(all)) as PromiseRejectedResult[])
      expect(reason).toMatchObject({ name: 'AbortError' })
    expect(proxy.requests.length).toBe(8)
    expect((await source.list({ prefix: 'list/' })).objects.length).toBeGreaterThan(0)
  })

  it('is told who asks, with every request, and no more', async ({ onTestFinished }) => {
    const { source, proxy } = await openFaulty(gcs, onTestFinished)
    await source.list({ prefix: '' })
    await source.stat('text')
    await readAll(source.read('text'))
    expect(proxy.requests.length).toBe(3)
    for (const { headers } of proxy.requests) {
      expect(headers['user-agent']).toMatch(/^prowl\/[\d.]+ \(.*\)/)
      expect(headers).not.toHaveProperty('authorization')
      expect(headers).not.toHaveProperty('cookie')
    }
  })

  it('sends no more than the bandwidth allows, all transfers together', async ({ onTestFinished }) => {
    const bandwidthBytesPerSecond = 2_000_000
    const { source } = await openFaulty(gcs, onTestFinished, { bandwidthBytesPerSecond })
    const start = performance.now()
    const reads = await Promise.all([1, 2].map(() => readAll(source.read('neighbour'))))
    for (const { bytes } of reads) expect(bytes.equals(NEIGHBOUR)).toBe(true)
    // A second's worth may have been saved up.
    expect(performance.now() - start).toBeGreaterThan(((2 * NEIGHBOUR.length) / bandwidthBytesPerSecond - 1) * 1000)
  })
})

describe('polite requests', () => {
  const URL_ = 'http://127.0.0.1:9/'

  it('are retried, counted and given up', async ({ onTestFinished }) => {
    const retries = waits()
    const host = politeFor(URL_, { retries })
    onTestFinished(() => host.close())
    const failing = () => host.run(() => Promise.reject(new HttpError(429, '3', Date.now())))
    await expect(failing()).rejects.toMatchObject({ status: 429 })
    expect(host.traffic).toEqual({ requests: 4, retries: 3, throttled: 4, bytes: 0, failed: 1 })
    expect(retries.waited.every((ms) => ms >= 3000)).toBe(true)
    await expect(host.run(() => Promise.reject(new HttpError(404, undefined, 0)))).rejects.toMatchObject({
      status: 404,
    })
    expect(host.traffic).toMatchObject({ requests: 5, failed: 1 })
  })

  it('wait longer each time, and never in step', async ({ onTestFinished }) => {
    const retries = { ...waits(), retries: 8 }
    const host = politeFor(URL_, { retries })
    onTestFinished(() => host.close())
    await Promise.allSettled([1, 2].map(() => host.run(() => Promise.reject(new Error('reset')))))
    expect(retries.waited.length).toBe(16)
    expect(new Set(retries.waited).size).toBe(16)
    expect(Math.max(...retries.waited)).toBeLessThanOrEqual(1000)
    for (const [i, ms] of retries.waited.entries()) {
      const longest = Math.min(100 * 2 ** Math.floor(i / 2), 1000)
      expect(ms).toBeGreaterThanOrEqual(longest / 2)
      expect(ms).toBeLessThanOrEqual(longest)
    }
  })

  it('share eight slots by host, whatever the path', async ({ onTestFinished }) => {
    const [a, b] = [politeFor(`${URL_}a`), politeFor(`${URL_}b`)]
    onTestFinished(() => a.close())
    onTestFinished(() => b.close())
    let [open, most] = [0, 0]
    const send = async () => {
      most = Math.max(most, ++open)
      await sleep(1)
      open--
    }
    await Promise.all(Array.from({ length: 40 }, (_, i) => (i % 2 ? a : b).run(send)))
    expect(most).toBe(8)
    expect([a.traffic.requests, b.traffic.requests]).toEqual([20, 20])
  })
})
