import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { OPERATIONS } from '#lib/api/operations.ts'
import { counted, type Meter, metersOf } from '#lib/service/meters.ts'
import type { StatusView } from '#lib/service/views.ts'
import prowl from '../../package.json' with { type: 'json' }
import { type Ended, METHODS } from './reader.ts'

/** First parts of addresses: whatever else clients make up is `other`, so that labels stay few. */
const ROUTES = new Set(
  'search signatures incidents runs jobs bug e groups coverage status chart chart.png feed config known pr og healthz readyz metrics docs v2'.split(
    ' ',
  ),
)
const API = new Set(['openapi.json', ...Object.values(OPERATIONS).map(({ path }) => path.split('/')[1])])
const BUCKETS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

interface Metrics {
  readonly registry: Registry
  readonly requests: Histogram<'route' | 'method' | 'status'>
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
  return {
    registry,
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

/** `/`, `/search`, `/api/v1/runs`: no more of an address than says what is asked for. */
export function routeOf(url: string): string {
  const [first = '', second, third = ''] = url.split(/[?#]/)[0]?.split('/').slice(1) ?? []
  if (first === 'api' && second === 'v1') return API.has(third) ? `/api/v1/${third}` : 'other'
  if (first === '_next') return '/_next'
  return first === '' || ROUTES.has(first) ? `/${first}` : 'other'
}

function methodOf(method: string): string {
  return METHODS.includes(method) ? method : 'other'
}

/** In Prometheus' text format 0.0.4: what this process counted, and what the store tells; without a view, the first alone. */
export async function metricsText(status: StatusView | undefined, now: number): Promise<string> {
  const { registry } = metrics()
  const up: Meter = {
    ...{ name: 'prowl_store_up', kind: 'gauge', help: 'Whether the store could be asked' },
    values: [{ labels: {}, value: status ? 1 : 0 }],
  }
  const told = registryOf([up, ...counted(), ...(status ? metersOf(status, now) : [])])
  return `${await registry.metrics()}${await told.metrics()}`
}

export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE

/** Made anew at each scrape: what the store no longer tells is gone. */
function registryOf(meters: readonly Meter[]): Registry {
  const registry = new Registry()
  for (const { name, kind, help, values } of meters) {
    const options = { name, help, labelNames: Object.keys(values[0]?.labels ?? {}), registers: [registry] }
    if (kind === 'gauge') {
      const gauge = new Gauge(options)
      for (const { labels, value } of values) gauge.set(labels, value)
    } else {
      const counter = new Counter(options)
      for (const { labels, value } of values) counter.inc(labels, value)
    }
  }
  return registry
}
