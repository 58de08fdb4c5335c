import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { median } from 'd3-array'
import type { IngestState } from '#lib/model/ingest-state.ts'
import { ingestStateOf } from '#lib/service/passes.ts'
import { openStore } from '#lib/store/open.ts'
import { type FakeGcs, startFakeGcs } from '#lib/testing/fake-gcs.ts'
import { type Fault, type FaultProxy, startFaultProxy } from '#lib/testing/fault-proxy.ts'
import { runIngest } from '../run-ingest.ts'
import { catalogueOf } from './catalogue-of.ts'
import { type Growth, growBucket } from './growing-bucket.ts'

export interface SoakOptions extends Growth {
  /** Of requests that fail, 0 to 1. */
  readonly share: number
  /** Faults that cost a whole time limit: no answer, and an answer that stops. */
  readonly hangs: boolean
  /** Of the worker. */
  readonly env: NodeJS.ProcessEnv
  readonly onProgress?: (line: string) => void
}

export interface SoakReport {
  readonly runs: number
  readonly objects: number
  readonly requests: number
  readonly faults: Readonly<Record<string, number>>
  readonly traffic: IngestState['traffic']
  /** The catalogue equals one that was read without faults. */
  readonly same: boolean
  /** Resident memory of the worker in MiB, over the middle third and the last third: medians. */
  readonly memory: { readonly middle: number; readonly last: number; readonly most: number }
}

const BUCKET = 'soak'
const CLOCK = './lib/testing/jumping-clock.ts'
const SIGNATURES = ['signatures']
const DIALS: Fault[] = [
  { kind: 'status', status: 503 },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 429, headers: { 'retry-after': '0' } },
  { kind: 'reset' },
  { kind: 'cut', after: 100 },
]
/** All requests are refused for so long, three times within the growth. */
const STORM: Fault = { kind: 'status', status: 429, headers: { 'retry-after': '1' } }
const STORM_MS = 1500
/** Objects that are replaced between being listed and being read. */
const REPLACED = 3
/** The worker's clock, in shares of the growth and ms: days ahead, set right, hours behind, and right in the end. */
const JUMPS: readonly (readonly [number, number])[] = [
  [0, 5 * 86_400_000],
  [0.6, 0],
  [0.75, -3 * 3_600_000],
  [0.95, 0],
]
/** Of bodies alone: a listing has no checksum, TLS guards it. */
const TRANSFERS: Fault[] = [
  { kind: 'corrupt', at: 10 },
  { kind: 'reset', after: 30_000 },
  { kind: 'cut', after: 50_000 },
  { kind: 'short', to: 20 },
  { kind: 'transcode' },
]
const HANGS: Fault[] = [{ kind: 'hang' }, { kind: 'stall', after: 1000 }]

/**
 * The worker follows a growing bucket through random faults, storms of 429, objects that are replaced as they are read, and
 * jumps of its clock; then the bucket is read anew without them.
 */
export async function soak(binary: string, options: SoakOptions): Promise<SoakReport> {
  const home = await mkdtemp(join(tmpdir(), 'prowl-soak-'))
  const gcs = await startFakeGcs(binary)
  const proxy = await startFaultProxy(gcs.endpoint)
  try {
    await gcs.createBucket(BUCKET)
    await gcs.upload(BUCKET, { name: 'readme.txt', bytes: Buffer.from('soak') })
    const kinds = [...repeat(DIALS, 4), ...repeat(TRANSFERS, 4), ...(options.hangs ? HANGS : [])]
    const calmly = () => proxy.random({ seed: options.seed, share: options.share, kinds })
    calmly()
    const objects = new Map<string, Uint8Array>()
    replaceRead(gcs, proxy, objects)
    const worker = startWorker(proxy.endpoint, join(home, 'faulty'), options)
    const storms = stormy(proxy, options, calmly)
    const written = await growBucket(gcs, BUCKET, options, (name, bytes) => objects.set(name, bytes))
    await storms
    options.onProgress?.('the bucket is whole; waiting for what is left to be read')
    // However late the worker was: all of it is read through faults.
    await passes(join(home, 'faulty'), 1)
    proxy.random(undefined)
    const state = await passes(join(home, 'faulty'), 2, ({ retrying }) => retrying === 0)
    await worker.end()
    const [faulty, calm] = [await told(join(home, 'faulty')), await readCalmly(gcs, join(home, 'calm'))]
    return {
      runs: calm.runs.length,
      objects: written,
      requests: proxy.requests.length,
      faults: proxy.faults,
      traffic: state.traffic,
      same: isDeepStrictEqual(faulty.told, calm.told),
      memory: memoryOf(worker.samples),
    }
  } finally {
    await proxy.close()
    gcs.stop()
    await rm(home, { recursive: true, force: true })
  }
}

function repeat<T>(items: readonly T[], times: number): T[] {
  return Array.from({ length: times }, () => items).flat()
}

/** Ends with `calmly`. */
async function stormy(proxy: FaultProxy, { runs, everyMs }: SoakOptions, calmly: () => void): Promise<void> {
  for (let storm = 0; storm < 3; storm++) {
    await sleep((runs * everyMs) / 4)
    proxy.random({ seed: storm, share: 1, kinds: [STORM] })
    await sleep(STORM_MS)
    calmly()
  }
}

/** Build logs become longer just before they are read: what is stored must be one of the two, and in the end the new one. */
function replaceRead(gcs: FakeGcs, proxy: FaultProxy, objects: ReadonlyMap<string, Uint8Array>): void {
  const name = (url: string) => decodeURIComponent(/\/o\/([^?]+)/.exec(url)?.[1] ?? '')
  let asked = ''
  proxy.fault({
    kind: { kind: 'none' },
    times: REPLACED,
    match: ({ url }) => {
      asked = name(url)
      return url.includes('alt=media') && asked.endsWith('/build-log.txt') && objects.get(asked)?.[0] === 0x6c
    },
    meanwhile: async () => {
      const bytes = Buffer.concat([objects.get(asked) ?? Buffer.alloc(0), Buffer.from('line after it was replaced\n')])
      await gcs.upload(BUCKET, { name: asked, bytes })
    },
  })
}

/** The real worker as a process, its memory looked at every second. */
function startWorker(endpoint: string, dataDir: string, { env: given, onProgress, runs, everyMs }: SoakOptions) {
  const args = ['--bucket', `gs://${BUCKET}`, '--data', dataDir, '--follow', '--every', '2s', '--since', 'all']
  const jumps = JUMPS.map(([share, by]) => [Math.round(share * runs * everyMs), by])
  const env = {
    ...given,
    PROWL_GCS_ENDPOINT: endpoint,
    NO_PROXY: '127.0.0.1',
    PROWL_TEST_JUMPS: JSON.stringify(jumps),
  }
  const child = spawn(process.execPath, ['--import', CLOCK, 'ingest/main.ts', ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const samples: number[] = []
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const timer = setInterval(() => samples.push(residentMiB(child.pid)), 1000)
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => onProgress?.(String(text).trimEnd()))
  return {
    samples,
    end: async () => {
      clearInterval(timer)
      if (child.exitCode !== null) throw new Error(`the worker ended with ${child.exitCode}`)
      child.kill('SIGTERM')
      const status = await ended
      if (status !== 0) throw new Error(`the worker ended with ${status}`)
    },
  }
}

function residentMiB(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024
}

/** Waits for so many whole passes of this kind that begin from now on. */
async function passes(dataDir: string, count: number, isOf = (_: IngestState) => true): Promise<IngestState> {
  const seen = new Set<number>()
  const since = Date.now()
  for (;;) {
    const state = await stateOf(dataDir)
    const ended = state?.passFinishedAt ?? 0
    if (state && state.passStartedAt > since && ended > state.passStartedAt && isOf(state))
      seen.add(state.passStartedAt)
    if (state && seen.size >= count) return state
    await sleep(200)
  }
}

async function stateOf(dataDir: string): Promise<IngestState | undefined> {
  const store = await openStore({ dataDir, mode: 'read' })
  const state = await ingestStateOf(store, `gs://${BUCKET}`)
  await store.close()
  return state
}

async function readCalmly(gcs: FakeGcs, dataDir: string) {
  const options = { bucket: `gs://${BUCKET}`, dataDir, signatureDirs: SIGNATURES, gcsEndpoint: gcs.endpoint }
  await runIngest(options)
  return await told(dataDir)
}

async function told(dataDir: string) {
  const store = await openStore({ dataDir, mode: 'read' })
  const catalogue = await catalogueOf(store, `gs://${BUCKET}`, SIGNATURES)
  await store.close()
  return catalogue
}

function memoryOf(samples: readonly number[]): SoakReport['memory'] {
  const third = Math.floor(samples.length / 3)
  return {
    middle: median(samples.slice(third, 2 * third)) ?? 0,
    last: median(samples.slice(2 * third)) ?? 0,
    most: Math.max(...samples),
  }
}
