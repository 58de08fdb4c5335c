import type { estypes } from '@elastic/elasticsearch'
import { type Day, LOG_KINDS, type RunResult } from '../../model/run.ts'
import { noRuns } from '../record.ts'
import { compareRollups, hourOf } from '../rollup.ts'
import type {
  ExposedRuns,
  ExposureHour,
  FailureCount,
  FailureFilter,
  HitCount,
  HitFilter,
  Rollup,
  RunFilter,
  StoreStatus,
} from '../store.ts'
import type { Cluster, Query } from './cluster.ts'
import { type DayIndex, listDays } from './days.ts'
import { countEvidence } from './evidence.ts'
import { LAYOUT } from './layout.ts'
import { all, failureClauses, one, runClauses } from './query.ts'
import { newestProblems } from './state.ts'

const HOUR_MS = 3_600_000
/** Groups that one answer holds. */
const GROUPS = 1000
const SIGNATURES = 10_000
const KINDS = ['any', ...LOG_KINDS] as const

type Counted = { readonly doc_count: number }
type Value = { readonly value: number | null }
type Group<K, S> = Counted & { readonly key: K } & S
type Composite<K, S> = {
  readonly buckets: readonly Group<K, S>[]
  readonly after_key?: estypes.AggregationsCompositeAggregateKey
}

interface Grouping {
  readonly query: Query
  /** What groups are by, in order. */
  readonly by: Query
  readonly of?: Query
  /** Of nested documents, those that it finds. */
  readonly within?: { readonly path: string; readonly query: Query }
}

/** Counts by groups, all of them, page by page. */
async function* groups<K, S>(cluster: Cluster, { query, by, of, within }: Grouping): AsyncGenerator<Group<K, S>> {
  const sources = Object.entries(by).map(([name, source]) => ({ [name]: source }))
  for (let after: estypes.AggregationsCompositeAggregateKey | undefined; ; ) {
    const composite = { size: GROUPS, sources, ...(after ? { after } : {}) }
    const found = { composite, ...(of ? { aggs: of } : {}) }
    const inner = within && {
      nested: { path: within.path },
      aggs: { inner: { filter: within.query, aggs: { found } } },
    }
    const answer = await cluster.search(cluster.names.runs, { size: 0, query, aggs: inner ? { inner } : { found } })
    const page = composed<K, S>(answer.aggregations, within !== undefined)
    yield* page.buckets
    after = page.after_key
    if (!after || page.buckets.length < GROUPS) return
  }
}

function composed<K, S>(aggregations: unknown, nested: boolean): Composite<K, S> {
  type Found = { readonly found: Composite<K, S> }
  return nested
    ? (aggregations as { readonly inner: { readonly inner: Found } }).inner.inner.found
    : (aggregations as Found).found
}

export async function listJobs(cluster: Cluster): Promise<string[]> {
  const jobs: string[] = []
  const grouping = { query: all([]), by: { job: { terms: { field: 'job' } } } }
  for await (const { key } of groups<{ job: string }, unknown>(cluster, grouping)) jobs.push(key.job)
  return jobs
}

export async function countHits(cluster: Cluster, filter: HitFilter): Promise<HitCount[]> {
  const { signature } = filter
  const of = { last: { max: { field: 'hits.placed.latest' } }, runs: { reverse_nested: {} } }
  const found = { terms: { field: 'hits.signature', size: SIGNATURES, order: { _key: 'asc' as const } }, aggs: of }
  const { aggregations } = await cluster.search(cluster.names.runs, {
    size: 0,
    query: all([...runClauses(filter), ...one('signatures', signature)]),
    aggs: {
      hits: {
        nested: { path: 'hits' },
        aggs: { wanted: { filter: all(one('hits.signature', signature)), aggs: { found } } },
      },
    },
  })
  type Found = { readonly buckets: readonly Group<string, { readonly last: Value; readonly runs: Counted }>[] }
  const { hits } = aggregations as unknown as { readonly hits: { readonly wanted: { readonly found: Found } } }
  return hits.wanted.found.buckets.map(({ key, doc_count, runs, last }) => ({
    ...{ signature: key, hits: doc_count, runs: runs.doc_count, last: last.value ?? 0 },
  }))
}

export async function countRuns(cluster: Cluster, filter: RunFilter): Promise<number> {
  const { hits } = await cluster.search(cluster.names.runs, {
    size: 0,
    track_total_hits: true,
    query: all(runClauses(filter)),
  })
  return typeof hits.total === 'number' ? hits.total : (hits.total?.value ?? 0)
}

/** Runs have their decoded bytes by kind of log. */
export async function listRollups(cluster: Cluster, filter: RunFilter): Promise<Rollup[]> {
  const by = {
    job: { terms: { field: 'job' } },
    day: { terms: { field: 'date' } },
    result: { terms: { field: 'result' } },
  }
  const of = Object.fromEntries(KINDS.map((kind) => [kind, { stats: { field: `bytes.${kind}` } }]))
  type Key = Pick<Rollup, 'job' | 'day' | 'result'>
  type Sums = Record<(typeof KINDS)[number], { readonly count: number; readonly sum: number }>
  const rows: Rollup[] = []
  for await (const { key, ...sums } of groups<Key, Sums>(cluster, { query: all(runClauses(filter)), by, of })) {
    for (const kind of KINDS) {
      const { count, sum } = sums[kind]
      if (count > 0) rows.push({ job: key.job, day: key.day, result: key.result, kind, runs: count, bytes: sum })
    }
  }
  return rows.sort(compareRollups)
}

export async function exposureHours(
  cluster: Cluster,
  signature: string,
  from: number,
  to: number,
): Promise<ExposureHour[]> {
  const [first, end] = [hourOf(from) / HOUR_MS, to / HOUR_MS]
  const range = { gte: first, lt: end }
  const counted = async (field: string) => {
    const query = all([...one('exposures.signature', signature), { range: { [field]: range } }])
    const by = { hour: { histogram: { field, interval: 1 } } }
    const within = { path: 'exposures', query }
    const hours = new Map<number, number>()
    for await (const { key, doc_count } of groups<{ hour: number }, unknown>(cluster, {
      query: { nested: { path: 'exposures', query } },
      by,
      within,
    }))
      if (key.hour >= first && key.hour < end) hours.set(key.hour, doc_count)
    return hours
  }
  const [runs, starts] = await Promise.all([counted('exposures.hours'), counted('exposures.start')])
  return [...runs].map(([hour, count]) => ({ hour: hour * HOUR_MS, runs: count, starts: starts.get(hour) ?? 0 }))
}

export async function countExposed(cluster: Cluster, signature: string, from: Day, to: Day): Promise<ExposedRuns[]> {
  const exposed = { nested: { path: 'exposures', query: all(one('exposures.signature', signature)) } }
  const fields = ['job', 'type', 'result', 'cluster', 'branch'] as const
  const by = Object.fromEntries(fields.map((field) => [field, { terms: { field } }]))
  const query = all([{ range: { date: { gte: from, lte: to } } }, exposed])
  const rows: ExposedRuns[] = []
  for await (const { key, doc_count } of groups<Omit<ExposedRuns, 'runs'>, unknown>(cluster, { query, by }))
    rows.push({ ...key, runs: doc_count })
  return rows
}

export async function countFailures(cluster: Cluster, filter: FailureFilter): Promise<FailureCount[]> {
  const by = {
    group: { terms: { field: 'failure' } },
    job: { terms: { field: 'job' } },
    day: { terms: { field: 'date' } },
  }
  const rows: FailureCount[] = []
  const found = groups<Omit<FailureCount, 'runs'>, unknown>(cluster, { query: all(failureClauses(filter)), by })
  for await (const { key, doc_count } of found) rows.push({ ...key, runs: doc_count })
  return rows
}

export async function storeStatus(cluster: Cluster): Promise<StoreStatus> {
  const days = await listDays(cluster)
  const sums = ['log_count', 'truncated', 'broken', 'hit_count']
  const kept = { terms: { generation: days.map(({ generation }) => generation) } }
  const [{ aggregations }, problems, space, evidence] = await Promise.all([
    cluster.search(cluster.names.runs, {
      size: 0,
      aggs: {
        runs: { terms: { field: 'result', size: 100 } },
        ...Object.fromEntries(sums.map((field) => [field, { sum: { field } }])),
        oldest: { min: { field: 'time' } },
        newest: { max: { field: 'time' } },
        kept: { filter: kept, aggs: { bytes: { sum: { field: 'bytes.any' } } } },
      },
    }),
    newestProblems(cluster, 100),
    spaceOf(cluster, days),
    countEvidence(cluster),
  ])
  const found = aggregations as unknown as Record<string, Value> & {
    readonly runs: { readonly buckets: readonly Group<RunResult, unknown>[] }
    readonly kept: { readonly bytes: Value }
  }
  const [logs = 0, truncatedLogs = 0, brokenLogs = 0, hits = 0] = sums.map((field) => found[field]?.value ?? 0)
  const runs = Object.fromEntries(found.runs.buckets.map(({ key, doc_count }) => [key, doc_count]))
  const [oldest, newest] = [found.oldest?.value, found.newest?.value]
  return {
    ...{ kind: 'elasticsearch', layout: LAYOUT, runs: { ...noRuns(), ...runs } },
    ...{
      logs,
      truncatedLogs,
      brokenLogs,
      hits,
      rawBytes: found.kept.bytes.value ?? 0,
      ...space,
      ...problems,
      evidence,
    },
    days: days.map(({ day }) => day),
    ...(typeof oldest === 'number' && typeof newest === 'number' ? { oldest, newest } : {}),
  }
}

/** What the indices need, copies on other nodes left out; every block is indexed. */
async function spaceOf({ client, names, prefix }: Cluster, days: readonly DayIndex[]) {
  const { runs, tracks, incidents, state } = names
  const blocks = days.map(({ index }) => index)
  // All below the prefix: the names of a long time are too many for an address.
  const stats = await client.indices.stats({ index: `${prefix}-*`, metric: ['store', 'docs', 'segments'] })
  const of = (index: string) => stats.indices?.[index]?.primaries
  const ofBlocks = blocks.map(of)
  const storedBytes = [...[runs, tracks, incidents, state].map(of), ...ofBlocks].reduce(
    (sum, index) => sum + (index?.store?.size_in_bytes ?? 0),
    0,
  )
  const count = ofBlocks.reduce((sum, of) => sum + (of?.docs?.count ?? 0), 0)
  const segments = ofBlocks.reduce((sum, of) => sum + (of?.segments?.count ?? 0), 0)
  return { storedBytes, index: { blocks: count, indexed: count, segments, quarantined: 0 } }
}
