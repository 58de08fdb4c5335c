import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { FakeGcs } from '#lib/testing/fake-gcs.ts'
import { type FaultProxy, type FaultProxyOptions, startFaultProxy } from '#lib/testing/fault-proxy.ts'
import { type GcsOptions, openGcs } from './gcs.ts'
import type { Source } from './source.ts'

export const BUCKET = 'faults'

const lines = (count: number) => Buffer.from(Array.from({ length: count }, (_, i) => `line ${i} ${i * i}\n`).join(''))
const gzip = gzipSync(lines(60_000))

export const TEXT = lines(20_000)
export const NEIGHBOUR = randomBytes(2_000_000)
export const ZIPPED = lines(60_000)

/** Of the bucket that faults are tried on, with its listing's two pages below `list/`. */
export async function fillBucket(gcs: FakeGcs): Promise<void> {
  await gcs.createBucket(BUCKET)
  const put = (name: string, bytes: Uint8Array, contentEncoding?: string) =>
    gcs.upload(BUCKET, { name, bytes, ...(contentEncoding ? { contentEncoding } : {}) })
  await put('text', TEXT)
  await put('neighbour', NEIGHBOUR)
  await put('empty', Buffer.alloc(0))
  await put('labelled', gzip, 'gzip')
  await put('unlabelled', gzip)
  await put('ends-early', gzip.subarray(0, gzip.length - 5000))
  for (const name of ['a/1', 'b/1', 'c', 'd']) await put(`list/${name}`, Buffer.from(name))
}

/** The same waits as in earnest, none of them waited for. */
export interface Waits {
  readonly retries: number
  readonly delayMs: number
  readonly maxDelayMs: number
  readonly waited: number[]
  wait(ms: number): Promise<void>
}

export function waits(): Waits {
  const waited: number[] = []
  const wait = async (ms: number) => void waited.push(ms)
  return { retries: 3, delayMs: 100, maxDelayMs: 1000, waited, wait }
}

export interface Faulty {
  readonly source: Source
  readonly proxy: FaultProxy
  readonly waited: readonly number[]
}

type Finished = (task: () => Promise<void>) => void

/** The bucket behind a proxy of its own, open and with no request counted yet; short limits. */
export async function openFaulty(
  gcs: FakeGcs,
  finished: Finished,
  options: GcsOptions & FaultProxyOptions = {},
): Promise<Faulty> {
  const proxy = await startFaultProxy(gcs.endpoint, options)
  const retries = waits()
  const limits = { headersTimeoutMs: 200, idleTimeoutMs: 200, requestTimeoutMs: 200, restMs: 50 }
  const source = await openGcs(BUCKET, { endpoint: proxy.endpoint, retries, ...limits, pageSize: 2, ...options })
  finished(async () => {
    await source.close()
    await proxy.close()
  })
  proxy.reset()
  return { source, proxy, waited: retries.waited }
}

/** What came, and the error that ended it. */
export async function readAll(
  chunks: AsyncIterable<Uint8Array>,
): Promise<{ readonly bytes: Buffer; readonly error?: unknown }> {
  const came: Uint8Array[] = []
  try {
    for await (const chunk of chunks) came.push(chunk)
  } catch (error) {
    return { bytes: Buffer.concat(came), error }
  }
  return { bytes: Buffer.concat(came) }
}
