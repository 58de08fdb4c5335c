import { expect, test } from 'vitest'
import type { Gap } from '../model/gap.ts'
import type { IngestState } from '../model/ingest-state.ts'
import { FILLING_KEY } from '../store/entries.ts'
import { createReferenceStore } from '../store/reference.ts'
import type { IndexStatus } from '../store/store.ts'
import { makeContext } from '../testing/context.ts'
import { HOUR, MINUTE } from '../testing/values.ts'
import { putGaps, putIngestState, putReevaluation } from './passes.ts'
import { dataReach, figuresReach, type Range } from './reach.ts'

const NOW = Date.UTC(2026, 10, 3, 9, 14)
const READ: IngestState = {
  bucket: 'gs://ci',
  passStartedAt: NOW - 2 * MINUTE,
  passFinishedAt: NOW - MINUTE,
  completeTo: NOW - 20 * MINUTE,
  done: 9,
  total: 9,
}
const { completeTo: _, ...INCOMPLETE } = READ
const { passFinishedAt: __, ...FIRST } = INCOMPLETE

async function reach(states: readonly IngestState[], index: Partial<IndexStatus> = {}) {
  const store = createReferenceStore()
  for (const state of states) await putIngestState(store, state)
  const status = await store.status()
  const whole = { ...status, index: { blocks: 1_234, indexed: 1_233, segments: 3, quarantined: 0, ...index } }
  return await dataReach(makeContext(Object.assign(store, { status: async () => whole }), [], NOW))
}

test.each<[string, readonly IngestState[], Partial<IndexStatus>, string]>([
  ['read', [READ], {}, 'complete for runs started before 3 Nov 2026 08:54 UTC; 99% of 1,234 blocks indexed'],
  ['all indexed', [READ], { indexed: 1_234 }, 'complete for runs started before 3 Nov 2026 08:54 UTC; 100% of'],
  ['the bucket furthest behind', [READ, { ...READ, bucket: 'gs://b', completeTo: NOW - HOUR }], {}, '3 Nov 2026 08:14'],
  ['not known to be complete', [INCOMPLETE], {}, 'read to 3 Nov 2026 09:13 UTC; '],
  ['a first pass', [FIRST], {}, 'the first pass of the worker is still reading; '],
  ['no worker', [], { blocks: 0, indexed: 0 }, 'no worker has reported how far it read; no text is kept'],
])('in words: %s', async (_, states, index, words) => {
  const { words: told, warnings } = await reach(states, index)
  expect(told).toContain(words)
  expect(warnings).toEqual([])
})

const GAP: Gap = { from: NOW - 5 * HOUR, to: NOW - 4 * HOUR, why: 'down', detail: 'no pass ended' }
const RANGE = { from: NOW - 6 * HOUR, to: NOW }

test.each<[string, readonly IngestState[], readonly Gap[], Partial<Range>, readonly string[]]>([
  ['nothing', [READ], [], {}, []],
  ['not known to be complete', [INCOMPLETE], [], {}, ['incomplete']],
  ['one bucket of two not', [READ, { ...FIRST, bucket: 'gs://b' }], [], {}, ['incomplete']],
  ['no worker', [], [], {}, ['incomplete']],
  ['a worker behind', [{ ...READ, followEverySeconds: 60, passFinishedAt: NOW - HOUR }], [], {}, ['late']],
  ['a gap', [READ], [GAP], {}, ['gap']],
  ['a gap before the range', [READ], [GAP], { from: GAP.to }, []],
  ['a gap after it', [READ], [GAP], { to: GAP.from }, []],
  ['a gap made up for', [READ], [{ ...GAP, filledAt: NOW }], {}, []],
])('lacks: %s', async (_, states, gaps, range, lacking) => {
  const store = createReferenceStore()
  for (const state of states) await putIngestState(store, state)
  await putGaps(store, READ.bucket, gaps)
  const told = await dataReach(makeContext(store, [], NOW), { ...RANGE, ...range })
  expect(told.lacking).toEqual(lacking)
  expect(told.warnings.some((text) => /runs may be missing from 3 Nov 2026 04:14 UTC/.test(text))).toBe(
    lacking.includes('gap'),
  )
})

test('lacks what a restore has not brought, and figures lack what is being looked for anew', async () => {
  const store = createReferenceStore()
  await putIngestState(store, READ)
  const reevaluation = { changed: { x: 'd' }, startedAt: NOW, done: 1, total: 2, expired: false }
  await putReevaluation(store, reevaluation)
  const ctx = makeContext(store, [], NOW)
  expect([(await dataReach(ctx)).lacking, (await figuresReach(ctx)).lacking]).toEqual([[], ['reevaluation']])
  await putReevaluation(store, { ...reevaluation, finishedAt: NOW })
  expect((await figuresReach(ctx)).lacking).toEqual([])
  await store.putState(FILLING_KEY, { from: 'backup' })
  expect((await dataReach(ctx)).lacking).toEqual(['filling'])
})

test('warns of a worker that is behind and of a damaged index', async () => {
  const late = { ...READ, followEverySeconds: 60, passFinishedAt: NOW - HOUR }
  const { state, index, warnings } = await reach([late], { quarantined: 2 })
  expect({ state, index }).toEqual({ state: 'late', index: { blocks: 1_234, indexed: 1_233, quarantined: 2 } })
  expect(warnings).toEqual([
    'the data is late: no pass of the worker has ended in time',
    expect.stringMatching(/^2 damaged parts of the index set aside/),
  ])
})
