import { describe, expect, test } from 'vitest'
import type { Gap } from '../model/gap.ts'
import type { IngestState } from '../model/ingest-state.ts'
import { FILLING_KEY } from '../store/entries.ts'
import { createReferenceStore } from '../store/reference.ts'
import { makeContext } from '../testing/context.ts'
import { DAY, HOUR, MINUTE, makeRun, publishRun } from '../testing/values.ts'
import { ingestStates, putBackfill, putGaps, putIngestState, putReevaluation } from './passes.ts'
import { ratesEnd } from './rates-end.ts'
import { freshness, freshnessOf, statusView } from './status.ts'

const NOW = Date.UTC(2026, 10, 3, 9, 14)
const status = await createReferenceStore().status()

function state(given: Partial<IngestState> = {}): IngestState {
  return {
    bucket: 'gs://ci',
    passStartedAt: NOW - 2 * MINUTE,
    passFinishedAt: NOW - MINUTE,
    done: 9,
    total: 9,
    ...given,
  }
}

function firstPass(given: Partial<IngestState> = {}): IngestState {
  const { passFinishedAt: _, ...rest } = state(given)
  return rest
}

describe('freshness', () => {
  test.each<[string, IngestState[], ReturnType<typeof freshnessOf>['state']]>([
    ['nothing read yet', [], 'never'],
    ['a first pass under way', [firstPass()], 'reading'],
    [
      'a first pass of a follower, however long',
      [firstPass({ followEverySeconds: 60, passStartedAt: NOW - DAY })],
      'reading',
    ],
    ['read once, long ago', [state({ passFinishedAt: NOW - 9 * DAY, passStartedAt: NOW - 10 * DAY })], 'fresh'],
    ['a follower in time', [state({ followEverySeconds: 300 })], 'fresh'],
    ['a follower in its next pass', [state({ followEverySeconds: 300, passStartedAt: NOW })], 'reading'],
    ['a follower that has stopped', [state({ followEverySeconds: 300, passFinishedAt: NOW - 26 * MINUTE })], 'late'],
    [
      'a follower stuck in its pass',
      [state({ followEverySeconds: 300, passFinishedAt: NOW - HOUR, passStartedAt: NOW - 55 * MINUTE })],
      'late',
    ],
    ['one of two buckets still new', [state(), firstPass({ bucket: 'gs://b' })], 'reading'],
  ])('%s', (_, states, expected) => {
    expect(freshnessOf(status, states, NOW).state).toBe(expected)
  })

  test('a store that is being filled says so, and not from where', async () => {
    const store = createReferenceStore()
    const context = makeContext(store, [], NOW)
    expect(await freshness(context)).not.toHaveProperty('filling')
    await store.putState(FILLING_KEY, { from: '/srv/old' })
    expect(await freshness(context)).toMatchObject({ filling: true })
    expect((await statusView(context)).freshness.filling).toBe(true)
  })

  test('of several buckets the one furthest behind counts, and none that is unknown', () => {
    const states = [
      state({ completeTo: NOW - HOUR }),
      state({ bucket: 'gs://b', completeTo: NOW - DAY, passFinishedAt: NOW }),
    ]
    expect(freshnessOf(status, states, NOW)).toMatchObject({ readTo: NOW - MINUTE, completeTo: NOW - DAY })
    expect(freshnessOf(status, [...states, firstPass()], NOW)).not.toHaveProperty('completeTo')
  })

  test('progress is of the passes under way', () => {
    const states = [firstPass({ done: 3, total: 10 }), state()]
    expect(freshnessOf(status, states, NOW).progress).toEqual({ done: 3, total: 10 })
    expect(freshnessOf(status, [state()], NOW)).not.toHaveProperty('progress')
  })

  test('a pass that ended early is a problem', () => {
    expect(freshnessOf(status, [state({ error: 'BUCKET_DENIED: …' })], NOW).problems).toBe(1)
  })
})

test('rates end where all runs are in, else at the newest run, never later than now', () => {
  expect(ratesEnd(status, [state({ completeTo: NOW - HOUR })], NOW)).toBe(NOW - HOUR)
  expect(ratesEnd({ ...status, newest: NOW - DAY }, [firstPass()], NOW)).toBe(NOW - DAY)
  expect(ratesEnd({ ...status, newest: NOW + DAY }, [], NOW)).toBe(NOW)
  expect(ratesEnd(status, [], NOW)).toBe(NOW)
})

test('the status page tells what is stored and how each bucket stands', async () => {
  const store = createReferenceStore()
  await publishRun(store, makeRun({ startedAt: NOW - DAY }))
  const traffic = { requests: 9, retries: 2, throttled: 1, failed: 0, bytes: 100 }
  const discovery = [{ kind: 'listing', runs: 4, from: NOW - DAY }]
  await putIngestState(
    store,
    state({
      worker: 'ci-1 7',
      completeTo: NOW - HOUR,
      discovery,
      cursors: { listing: NOW - HOUR },
      retrying: 1,
      givenUp: 2,
      traffic,
    }),
  )
  await putIngestState(store, state({ bucket: 'gs://b', error: 'BUCKET_DENIED: no', passStartedAt: NOW, done: 3 }))
  const gap: Gap = { from: NOW - DAY, to: NOW - HOUR, why: 'down', detail: 'no pass ended' }
  const older: Gap = { ...gap, from: NOW - 3 * DAY, to: NOW - 2 * DAY, filledAt: NOW - DAY }
  await putGaps(store, 'gs://ci', [older, gap])
  const backfill = { from: NOW - 9 * DAY, to: NOW - 8 * DAY, startedAt: NOW, done: 1, total: 2 }
  await putBackfill(store, { bucket: 'gs://ci', ...backfill })
  const reevaluation = { changed: { boom: 'x' }, startedAt: NOW, done: 1, total: 2, expired: false }
  await putReevaluation(store, reevaluation)
  const context = makeContext(store, [], NOW)
  const view = await statusView(context)
  expect(view.reevaluation).toEqual({ signatures: ['boom'], done: 1, total: 2 })
  await putReevaluation(store, { ...reevaluation, finishedAt: NOW })
  expect(await statusView(context)).not.toHaveProperty('reevaluation')
  expect(view.buckets).toEqual([
    {
      bucket: 'gs://ci',
      worker: 'ci-1 7',
      completeTo: NOW - HOUR,
      lag: HOUR,
      lastPass: NOW - MINUTE,
      queue: 0,
      retrying: 1,
      givenUp: 2,
      discovery,
      cursors: { listing: NOW - HOUR },
      traffic,
      backfill,
      gaps: [gap, older],
    },
    {
      bucket: 'gs://b',
      lastPass: NOW - MINUTE,
      error: 'BUCKET_DENIED: no',
      queue: 6,
      retrying: 0,
      givenUp: 0,
      discovery: [],
      cursors: {},
      gaps: [],
    },
  ])
  expect(view.store.runs.failure).toBe(1)
  expect(view.freshness).toEqual(await freshness(context))
})

test('problems are counted by code, the most frequent first', async () => {
  const store = createReferenceStore()
  for (const [at, code] of ['OBJECT_GONE', 'OBJECT_CUT', 'OBJECT_CUT'].entries())
    await store.fail({ bucket: 'gs://ci', path: `logs/e2e/${at}`, code, message: 'no', at })
  expect((await statusView(makeContext(store, [], NOW))).problemCodes).toEqual([
    { code: 'OBJECT_CUT', runs: 2 },
    { code: 'OBJECT_GONE', runs: 1 },
  ])
})

test('a state that is not of its form is passed over', async () => {
  const store = createReferenceStore()
  await putIngestState(store, state())
  await store.putState('ingest:gs://ci', { done: 'many' })
  expect(await ingestStates(store)).toEqual([])
  await store.putState('ingest', 'nonsense')
  expect(await ingestStates(store)).toEqual([])
})
