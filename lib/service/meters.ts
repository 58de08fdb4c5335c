import { COUNTED, type Counted, counts } from '../counts.ts'
import type { BucketStatus, StatusView } from './views.ts'

/** One thing measured, as metrics show it. */
export interface Meter {
  /** e.g. `prowl_faults_total`. Prometheus' rules of naming: https://prometheus.io/docs/practices/naming/ */
  readonly name: string
  /** Counters only grow while the process that counts runs. */
  readonly kind: 'counter' | 'gauge'
  readonly help: string
  readonly values: readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[]
}

/** What this process counted; those that never happened are there with no values. */
export function counted(): readonly Meter[] {
  const all = counts()
  return (Object.keys(COUNTED) as Counted[]).map((name) => ({
    name: `prowl_${name}_total`,
    kind: 'counter',
    help: COUNTED[name],
    values: all.filter((each) => each.name === name).map(({ labels, value }) => ({ labels, value })),
  }))
}

/** The store, the searches of this process, and what each bucket's worker, a process of its own, last noted. */
export function metersOf(status: StatusView, now: number): readonly Meter[] {
  const runs = Object.entries(status.store.runs)
  return [
    ...OF_ALL.map(({ name, help, of }) => meter({ name, help }, told({}, of(status, now)))),
    meter(
      { name: 'runs', help: 'Runs by result' },
      runs.flatMap(([result, count]) => told({ result }, count)),
    ),
    ...OF_BUCKETS.map(({ of, ...named }) =>
      meter(
        named,
        status.buckets.flatMap((bucket) => told({ bucket: bucket.bucket }, of(bucket))),
      ),
    ),
  ]
}

type Named = Pick<Meter, 'help' | 'name'> & { readonly kind?: Meter['kind'] }

function meter({ name, help, kind = 'gauge' }: Named, values: Meter['values']): Meter {
  return { name: `prowl_${name}`, help, kind, values }
}

function told(labels: Readonly<Record<string, string>>, value: number | undefined): Meter['values'] {
  return value === undefined ? [] : [{ labels, value }]
}

type OfAll = Named & { readonly of: (status: StatusView, now: number) => number | undefined }

const since = (at: number | undefined, now: number) => at && Math.max(0, now - at) / 1000

const OF_ALL: readonly OfAll[] = [
  { name: 'search_threads', help: 'Threads that run patterns', of: ({ searching }) => searching.threads },
  {
    name: 'search_tasks',
    help: 'Tasks of these threads, under way and waiting',
    of: ({ searching }) => searching.tasks,
  },
  { name: 'searches', help: 'Searches under way', of: ({ searching }) => searching.gate.underWay },
  {
    name: 'searches_waiting',
    help: 'Searches that wait for their turn',
    of: ({ searching }) => searching.gate.waiting,
  },
  {
    name: 'data_age_seconds',
    help: 'Since the moment up to which all runs are in, of every bucket',
    of: ({ freshness }, now) => since(freshness.completeTo, now),
  },
  {
    name: 'pass_age_seconds',
    help: 'Since the last whole pass of the worker',
    of: ({ freshness }, now) => since(freshness.readTo, now),
  },
  {
    name: 'worker_late',
    help: 'The worker has not finished a pass within its time',
    of: ({ freshness }) => (freshness.state === 'late' ? 1 : 0),
  },
  { name: 'problems', help: 'Runs that could not be read', of: ({ store }) => store.problemCount },
  {
    name: 'catalogue_problems',
    help: 'Faults of signature files',
    of: ({ catalogueProblems }) => catalogueProblems.length,
  },
  { name: 'store_raw_bytes', help: 'Decoded bytes of the text that is kept', of: ({ store }) => store.rawBytes },
  { name: 'store_stored_bytes', help: 'What the store needs for them', of: ({ store }) => store.storedBytes },
  { name: 'store_blocks', help: 'Blocks of text that are kept', of: ({ store }) => store.index.blocks },
  {
    name: 'store_blocks_indexed',
    help: 'Of them those that the index knows; others are read by every search',
    of: ({ store }) => store.index.indexed,
  },
  {
    name: 'store_segments_quarantined',
    help: 'Damaged parts of the index that are set aside',
    of: ({ store }) => store.index.quarantined,
  },
  { name: 'store_hits', help: 'Hits of signatures', of: ({ store }) => store.hits },
  { name: 'store_evidence', help: 'Frozen answers', of: ({ store }) => store.evidence },
  { name: 'store_logs_truncated', help: 'Logs whose middle was left out', of: ({ store }) => store.truncatedLogs },
  {
    name: 'store_logs_broken',
    help: 'Logs whose bytes could not be decoded to their end',
    of: ({ store }) => store.brokenLogs,
  },
]

type OfBucket = Named & { readonly of: (bucket: BucketStatus) => number | undefined }

const OF_BUCKETS: readonly OfBucket[] = [
  {
    name: 'ingest_lag_seconds',
    help: 'How long ago all runs that had begun were in',
    of: ({ lag }) => lag && lag / 1000,
  },
  {
    name: 'ingest_last_pass_timestamp_seconds',
    help: 'End of the last whole pass',
    of: ({ lastPass }) => lastPass && lastPass / 1000,
  },
  { name: 'ingest_queue', help: 'Runs found and not yet dealt with', of: ({ queue }) => queue },
  { name: 'ingest_retrying', help: 'Runs that are tried again in the next pass', of: ({ retrying }) => retrying },
  {
    name: 'ingest_given_up',
    help: 'Runs that are tried no more until the worker begins anew',
    of: ({ givenUp }) => givenUp,
  },
  {
    name: 'ingest_failing',
    help: 'The last pass ended early',
    of: ({ error }) => (error === undefined ? 0 : 1),
  },
  {
    name: 'ingest_gaps_open',
    help: 'Times in which runs may be missing',
    of: ({ gaps }) => gaps.filter(({ filledAt }) => filledAt === undefined).length,
  },
  {
    name: 'ingest_requests_total',
    kind: 'counter',
    help: 'Requests to the bucket',
    of: ({ traffic }) => traffic?.requests,
  },
  {
    name: 'ingest_retries_total',
    kind: 'counter',
    help: 'Of them those sent again after a fault',
    of: ({ traffic }) => traffic?.retries,
  },
  {
    name: 'ingest_throttled_total',
    kind: 'counter',
    help: 'Answers of 429 and 503',
    of: ({ traffic }) => traffic?.throttled,
  },
  { name: 'ingest_failed_total', kind: 'counter', help: 'Requests given up', of: ({ traffic }) => traffic?.failed },
  { name: 'ingest_read_bytes_total', kind: 'counter', help: 'Bytes transferred', of: ({ traffic }) => traffic?.bytes },
]
