import { expect, test } from 'vitest'
import { COUNTED, count } from '../counts.ts'
import { createReferenceStore } from '../store/reference.ts'
import { makeContext } from '../testing/context.ts'
import { MINUTE } from '../testing/values.ts'
import { counted, metersOf } from './meters.ts'
import { putGaps, putIngestState } from './passes.ts'
import { statusView } from './status.ts'

const NOW = Date.UTC(2026, 10, 3, 9, 14)
const BUCKET = 'gs://ci'

test('tells of what this process counted, and of each bucket what its worker left in the store', async () => {
  const store = createReferenceStore()
  await putIngestState(store, {
    bucket: BUCKET,
    passStartedAt: NOW - MINUTE,
    passFinishedAt: NOW - 2 * MINUTE,
    completeTo: NOW - 3 * MINUTE,
    done: 4,
    total: 9,
    retrying: 2,
    givenUp: 1,
    traffic: { requests: 70, retries: 6, throttled: 5, failed: 3, bytes: 1000 },
  })
  const gap = { from: 0, to: NOW, why: 'down', detail: 'x' } as const
  await putGaps(store, BUCKET, [gap, { ...gap, filledAt: NOW }])
  count('faults', { code: 'SEARCH_BUSY' })
  count('faults', { code: 'SEARCH_BUSY' })
  count('faults', { code: 'STORE_UNREACHABLE' })
  const all = [...counted(), ...metersOf(await statusView(makeContext(store, [], NOW)), NOW)]
  const values = Object.fromEntries(all.map(({ name, values: given }) => [name, given]))
  const ofBucket = (value: number) => [{ labels: { bucket: BUCKET }, value }]
  expect(values.prowl_faults_total).toEqual([
    { labels: { code: 'SEARCH_BUSY' }, value: 2 },
    { labels: { code: 'STORE_UNREACHABLE' }, value: 1 },
  ])
  expect(values).toMatchObject({
    prowl_searches_waiting: [{ labels: {}, value: 0 }],
    prowl_ingest_lag_seconds: ofBucket(180),
    prowl_ingest_last_pass_timestamp_seconds: ofBucket((NOW - 2 * MINUTE) / 1000),
    prowl_data_age_seconds: [{ labels: {}, value: 180 }],
    prowl_ingest_queue: ofBucket(5),
    prowl_ingest_retrying: ofBucket(2),
    prowl_ingest_given_up: ofBucket(1),
    prowl_ingest_gaps_open: ofBucket(1),
    prowl_ingest_requests_total: ofBucket(70),
    prowl_ingest_retries_total: ofBucket(6),
    prowl_ingest_throttled_total: ofBucket(5),
    prowl_ingest_failed_total: ofBucket(3),
    prowl_ingest_read_bytes_total: ofBucket(1000),
  })
  expect(all.filter(({ kind }) => kind === 'counter').map(({ name }) => name)).toEqual(
    expect.arrayContaining(Object.keys(COUNTED).map((name) => `prowl_${name}_total`)),
  )
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
  for (const { name, kind } of all) expect(name.endsWith('_total')).toBe(kind === 'counter')
})
