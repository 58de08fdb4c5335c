import { COUNTED, type Counted, counts } from '../counts.ts'
import type { Context } from './context.ts'
import { statusView } from './status.ts'
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

/** Every queue, cache, retry, truncation and deadline: of this process what it counted, of the worker what it left in the store. */
export async function meters(ctx: Context): Promise<readonly Meter[]> {
  return [...counted(), ...metersOf(await statusView(ctx))]
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

export function metersOf({ searching, store, buckets }: StatusView): readonly Meter[] {
  const { threads, tasks, gate } = searching
  return [
    one('search_threads', 'Threads that run patterns', threads),
    one('search_tasks', 'Tasks of these threads, under way and waiting', tasks),
    one('searches', 'Searches under way', gate.underWay),
    one('searches_waiting', 'Searches that wait for their turn', gate.waiting),
    one('logs_truncated', 'Logs whose middle was left out', store.truncatedLogs),
    one('logs_broken', 'Logs whose bytes could not be decoded to their end', store.brokenLogs),
    one('runs_unread', 'Runs that could not be read', store.problemCount),
    one('blocks', 'Blocks of text that are kept', store.index.blocks),
    one('blocks_indexed', 'Of them those that the index knows; others are read by every search', store.index.indexed),
    ...OF_BUCKETS.map(({ name, help, kind = 'gauge', of }) => ({
      name: `prowl_${name}`,
      kind,
      help,
      values: buckets.flatMap((bucket) => {
        const value = of(bucket)
        return value === undefined ? [] : [{ labels: { bucket: bucket.bucket }, value }]
      }),
    })),
  ]
}

interface OfBucket {
  readonly name: string
  readonly kind?: Meter['kind']
  readonly help: string
  readonly of: (bucket: BucketStatus) => number | undefined
}

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
  { name: 'ingest_runs_waiting', help: 'Runs found and not yet dealt with', of: ({ queue }) => queue },
  { name: 'ingest_runs_retrying', help: 'Runs that are tried again in the next pass', of: ({ retrying }) => retrying },
  {
    name: 'ingest_runs_given_up',
    help: 'Runs that are tried no more until the worker begins anew',
    of: ({ givenUp }) => givenUp,
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
  { name: 'ingest_bytes_total', kind: 'counter', help: 'Bytes transferred', of: ({ traffic }) => traffic?.bytes },
]

function one(name: string, help: string, value: number): Meter {
  return { name: `prowl_${name}`, kind: 'gauge', help, values: [{ labels: {}, value }] }
}
