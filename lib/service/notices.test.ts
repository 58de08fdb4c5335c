import { beforeEach, expect, test } from 'vitest'
import { refreshIncidents } from '../incident/refresh.ts'
import type { Signature } from '../model/signature.ts'
import { noticeState } from '../notice/state.ts'
import { createReferenceStore } from '../store/reference.ts'
import type { Store } from '../store/store.ts'
import { makeContext } from '../testing/context.ts'
import { DAY, HOUR, makeHit, makeRun, makeSignature, publishRun } from '../testing/values.ts'
import { takeNotice } from './notices.ts'
import { putIngestState } from './passes.ts'

const START = Date.UTC(2026, 6, 1)
const change = { at: START + 62 * DAY, title: 'x', link: 'https://example.com/1', datedByLink: true as const }
const heartbeat = makeSignature({ changes: [change] })
const phase = makeSignature({ id: 'boskos.eof', part: { of: heartbeat.id, causes: ['eof'] }, changes: [change] })
const muted = makeSignature({ id: 'muted', changes: [change], status: { state: 'muted' } })
const retired = makeSignature({ id: 'retired', changes: [change], status: { state: 'retired' } })
const SIGNATURES: readonly Signature[] = [heartbeat, phase, muted, retired]
const ALL = SIGNATURES.map(({ id }) => id)

let store: Store

beforeEach(() => {
  store = createReferenceStore()
})

async function watch(from: number, to: number): Promise<void> {
  for (let day = from; day < to; day++) {
    const at = START + day * DAY
    const run = makeRun({ path: `logs/watch/${day}`, startedAt: at, finishedAt: at + DAY, result: 'success' })
    await publishRun(store, run, [], ALL)
  }
}

async function strike(day: number): Promise<void> {
  for (const job of ['e2e-aws', 'e2e-gcp']) {
    const at = START + day * DAY
    const run = makeRun({ path: `logs/${job}/${day}`, startedAt: at - HOUR, finishedAt: at + HOUR })
    const hits = ALL.map((signature) => makeHit({ at, signature, cause: 'eof' }))
    await publishRun(store, run, hits, ALL)
  }
}

/** A failed run that no signature knows. */
async function unknown(day: number, name: string, text: string): Promise<void> {
  const failure = { group: name, text, log: 'build-log.txt', line: 1 }
  const startedAt = START + day * DAY
  await publishRun(store, { ...makeRun({ path: `logs/e2e-x/${day}`, startedAt }), failure }, [], [])
}

/** What the worker does after a pass that ended on this day. */
async function pass(day: number, posted = false) {
  const at = START + day * DAY
  await refreshIncidents(store, { signatures: SIGNATURES, problems: [] })
  await putIngestState(store, {
    bucket: 'gs://ci',
    passStartedAt: at,
    passFinishedAt: at,
    completeTo: at,
    done: 1,
    total: 1,
  })
  return await takeNotice(makeContext(store, SIGNATURES, at), { posted })
}

test('one notice as it is seen again; phases, muted and retired ones give none', async () => {
  for (let day = 4.5; day < 60; day += 5) await strike(day)
  await watch(0, 100)
  expect(await pass(100, true)).toEqual([])
  await watch(100, 106)
  await strike(105.3)
  const told = await pass(106, true)
  expect(told.map(({ signature, kind }) => [signature, kind])).toEqual([[heartbeat.id, 'again']])
  expect(await pass(106.1, true)).toEqual([])
  expect(await noticeState(store)).toMatchObject({ from: START + 100 * DAY, notices: told, unsent: [told[0]?.id] })
  // Without a webhook nothing is kept for one.
  await pass(106.2, false)
  expect((await noticeState(store))?.unsent).toEqual([])
})

test('a group is told of with its third run, once', async () => {
  for (const day of [1, 5, 10, 15, 20]) await unknown(day, 'old', 'an old one')
  await unknown(25, 'new', 'disk <full>')
  expect(await pass(26)).toEqual([])
  await unknown(26, 'new', 'disk <full>')
  expect(await pass(27)).toEqual([])
  await unknown(27, 'new', 'disk <full>')
  const told = await pass(28)
  expect(told).toMatchObject([{ kind: 'group', group: 'new', title: expect.stringContaining('disk <full>') }])
  expect(await pass(28.1)).toEqual([])
})

test('the last 200 notices are kept', async () => {
  const [first] = [await pass(1)]
  expect(first).toEqual([])
  const state = await noticeState(store)
  const notice = { at: 0, kind: 'group' as const, title: 't', sentence: 's', link: '/' }
  const notices = Array.from({ length: 300 }, (_, i) => ({ ...notice, id: String(i) }))
  await store.putState('notices', { ...state, notices, unsent: ['5', '250'] })
  await pass(2, true)
  const kept = await noticeState(store)
  expect(kept?.notices.map(({ id }) => id)).toEqual(notices.slice(100).map(({ id }) => id))
  expect(kept?.unsent).toEqual(['250'])
})
