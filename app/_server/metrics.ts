import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { StatusView } from '#lib/service/views.ts'
import prowl from '../../package.json' with { type: 'json' }
import type { Ended } from './reader.ts'

/** First parts of addresses: whatever else clients make up is `other`, so that labels stay few. */
const ROUTES = new Set(
  'search signatures incidents runs jobs bug e groups coverage status chart chart.png feed config known pr og healthz readyz metrics docs v2'.split(
    ' ',
  ),
)
const API = new Set(
  'search runs raw signatures incidents evidence bugs known triage coverage groups status prs openapi.json'.split(' '),
)
const BUCKETS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

interface Metrics {
  readonly registry: Registry
  readonly requests: Histogram<'route' | 'method' | 'status'>
  readonly lacking: Counter<'why'>
}

/** Next bundles this module several times over; the process still counts once. */
const shared: typeof globalThis & { prowlMetrics?: Metrics } = globalThis

function metrics(): Metrics {
  shared.prowlMetrics ??= create()
  return shared.prowlMetrics
}

function create(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  new Gauge({ name: 'prowl_build_info', help: 'What runs', labelNames: ['version', 'node'], registers }).set(
    { version: prowl.version, node: process.version },
    1,
  )
  const lacking = new Counter({
    name: 'prowl_searches_lacking_total',
    help: 'Searches of the API whose answer may lack lines, by why',
    labelNames: ['why'],
    registers,
  })
  for (const why of ['limit', 'deadline', 'bytes', 'expired', 'damaged']) lacking.inc({ why }, 0)
  return {
    registry,
    lacking,
    requests: new Histogram({
      name: 'prowl_http_request_duration_seconds',
      help: 'Requests by route, method and status, until the answer was sent or its reader left',
      labelNames: ['route', 'method', 'status'],
      buckets: BUCKETS,
      registers,
    }),
  }
}

/** Counts a request that has ended. 499: its reader left before. */
export function countEnded({ path, method, status, ms, left }: Ended): void {
  const labels = { route: routeOf(path), method: methodOf(method), status: String(left ? 499 : status) }
  metrics().requests.observe(labels, ms / 1000)
}

export function countLacking(partial: readonly string[]): void {
  for (const why of partial) metrics().lacking.inc({ why })
}

/** `/`, `/search`, `/api/v1/runs`: no more of an address than says what is asked for. */
export function routeOf(url: string): string {
  const [first = '', second, third = ''] = url.split(/[?#]/)[0]?.split('/').slice(1) ?? []
  if (first === 'api' && second === 'v1') return API.has(third) ? `/api/v1/${third}` : 'other'
  if (first === '_next') return '/_next'
  return first === '' || ROUTES.has(first) ? `/${first}` : 'other'
}

function methodOf(method: string): string {
  return ['GET', 'HEAD', 'POST', 'OPTIONS'].includes(method) ? method : 'other'
}

/** In Prometheus' text format 0.0.4: what this process counted, and what the store tells; without a view, the first alone. */
export async function metricsText(status: StatusView | undefined, now: number): Promise<string> {
  const { registry } = metrics()
  return `${await registry.metrics()}${await storeMetrics(status, now).metrics()}`
}

export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE

/** Made anew at each scrape: what the store no longer tells is gone. */
function storeMetrics(status: StatusView | undefined, now: number): Registry {
  const registry = new Registry()
  const gauge = (name: string, help: string, value: number | undefined) => {
    if (value !== undefined) new Gauge({ name: `prowl_${name}`, help, registers: [registry] }).set(value)
  }
  gauge('store_up', 'Whether the store could be asked', status ? 1 : 0)
  if (!status) return registry
  const { store, freshness, searching } = status
  const age = (at: number | undefined) => (at === undefined ? undefined : Math.max(0, now - at) / 1000)
  gauge('store_raw_bytes', 'Decoded bytes of the text that is kept', store.rawBytes)
  gauge('store_stored_bytes', 'What the store needs for them', store.storedBytes)
  gauge('store_blocks', 'Blocks of text', store.index.blocks)
  gauge('store_blocks_indexed', 'Blocks that the index covers', store.index.indexed)
  gauge('store_segments_quarantined', 'Damaged parts of the index that are set aside', store.index.quarantined)
  gauge('store_hits', 'Hits of signatures', store.hits)
  gauge('store_evidence', 'Frozen answers', store.evidence)
  gauge('store_logs_truncated', 'Logs whose middle was cut out', store.truncatedLogs)
  gauge('problems', 'Runs that could not be read', store.problemCount)
  gauge('catalogue_problems', 'Faults of signature files', status.catalogueProblems.length)
  gauge('data_age_seconds', 'Since the moment up to which all runs are in, of every bucket', age(freshness.completeTo))
  gauge('pass_age_seconds', 'Since the last whole pass of the worker', age(freshness.readTo))
  gauge('worker_late', 'The worker has not finished a pass within its time', freshness.state === 'late' ? 1 : 0)
  gauge('search_threads', 'Threads that run patterns', searching.threads)
  gauge('search_tasks', 'Tasks of searches under way or waiting for a thread', searching.tasks)
  runGauge(registry, store.runs)
  bucketGauges(registry, status.buckets)
  return registry
}

function runGauge(registry: Registry, runs: StatusView['store']['runs']): void {
  const gauge = new Gauge({ name: 'prowl_runs', help: 'Runs by result', labelNames: ['result'], registers: [registry] })
  for (const [result, count] of Object.entries(runs)) gauge.set({ result }, count)
}

function bucketGauges(registry: Registry, buckets: StatusView['buckets']): void {
  const gauge = (name: string, help: string, of: (bucket: StatusView['buckets'][number]) => number | undefined) => {
    const made = new Gauge({ name: `prowl_ingest_${name}`, help, labelNames: ['bucket'], registers: [registry] })
    for (const each of buckets) {
      const value = of(each)
      if (value !== undefined) made.set({ bucket: each.bucket }, value)
    }
  }
  gauge('lag_seconds', 'How long ago all runs that had started are in', ({ lag }) => lag && lag / 1000)
  gauge('queue', 'Runs that the pass under way has found and not yet dealt with', ({ queue }) => queue)
  gauge('retrying', 'Runs that are tried again', ({ retrying }) => retrying)
  gauge('given_up', 'Runs that are tried no more', ({ givenUp }) => givenUp)
  gauge('failing', 'The last pass ended early', ({ error }) => (error === undefined ? 0 : 1))
  gauge('gaps_open', 'Times in which runs may be missing', ({ gaps }) => gaps.filter(isOpen).length)
  gauge('requests', 'Requests sent to the bucket', ({ traffic }) => traffic?.requests)
  gauge('requests_throttled', 'Of them answered by 429 or 503', ({ traffic }) => traffic?.throttled)
  gauge('requests_failed', 'Given up after their retries', ({ traffic }) => traffic?.failed)
  gauge('read_bytes', 'Bytes of objects, as stored', ({ traffic }) => traffic?.bytes)
}

function isOpen({ filledAt }: StatusView['buckets'][number]['gaps'][number]): boolean {
  return filledAt === undefined
}
