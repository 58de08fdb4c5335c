import { beforeAll, describe, expect, test } from 'vitest'
import { refreshIncidents } from '../incident/refresh.ts'
import type { RunResult } from '../model/run.ts'
import type { Signature } from '../model/signature.ts'
import { createReferenceStore } from '../store/reference.ts'
import type { Store } from '../store/store.ts'
import { makeContext } from '../testing/context.ts'
import { DAY, HOUR, MINUTE, makeHit, makeRun, makeSignature, publishRun } from '../testing/values.ts'
import { incidentView } from './incident.ts'
import { putIngestState } from './passes.ts'
import { signatureView } from './signature.ts'
import { triage } from './triage.ts'

const END = Date.UTC(2026, 11, 9)
const START = END - 120 * DAY
const CHANGE = {
  at: START + 62 * DAY,
  title: 'high priority class',
  link: 'https://example.com/1',
  datedByLink: true as const,
}
const STRUCK = [4.5, 9.9, 15.1, 19.2, 25.1, 28.1, 33.9, 38.8, 43.8, 47.8, 52, 57.5, 105.3]
const CAUSES = [
  { id: 'eof', title: 'EOF', regex: 'EOF' },
  { id: 'no_route', title: 'no route to host', regex: 'no route' },
]

const heartbeat = makeSignature({ causes: CAUSES, changes: [CHANGE], replaces: ['lease.heartbeat'] })
const eof = makeSignature({ id: 'boskos.eof', part: { of: heartbeat.id, causes: ['eof'] }, causes: CAUSES.slice(0, 1) })
const quota = makeSignature({ id: 'cloud.quota', kind: 'per-run' })
const muted = makeSignature({ id: 'muted', status: { state: 'muted', until: END + DAY, reason: 'vendor' } })
const unmuted = makeSignature({ id: 'unmuted', status: { state: 'muted', until: END - DAY } })
const retired = makeSignature({ id: 'retired', status: { state: 'retired' } })
const SIGNATURES: readonly Signature[] = [unmuted, heartbeat, eof, quota, muted, retired]
const ALL = SIGNATURES.map(({ id }) => id)

let store: Store

/** A run of every day, from its start to its end, that could have shown everything. */
async function watch(): Promise<void> {
  for (let day = 0; day < 120; day++) {
    const run = makeRun({
      path: `logs/e2e-watch/${day}`,
      startedAt: START + day * DAY,
      finishedAt: START + (day + 1) * DAY,
    })
    await publishRun(store, { ...run, result: 'success' }, [], ALL)
  }
}

/** Two runs lose their lease: first an EOF, then no route to host; one of them survives it. */
async function strike(day: number): Promise<void> {
  const at = START + day * DAY
  for (const [job, result] of [
    ['e2e-aws', 'failure'],
    ['e2e-gcp', 'success'],
  ] as const satisfies [string, RunResult][]) {
    const run = makeRun({ path: `logs/${job}/${day}`, startedAt: at - HOUR, finishedAt: at + HOUR, result })
    const hits = [makeHit({ at, cause: 'eof', line: 7 }), makeHit({ at: at + MINUTE, cause: 'no_route', line: 8 })]
    await publishRun(store, run, [...hits, makeHit({ at, cause: 'eof', line: 7, signature: eof.id })], ALL)
  }
}

async function exceedQuota(day: number): Promise<void> {
  const at = START + day * DAY
  const run = makeRun({ path: `logs/e2e-quota/${day}`, startedAt: at })
  await publishRun(store, run, [makeHit({ at, signature: quota.id })], ALL)
}

beforeAll(async () => {
  store = createReferenceStore()
  await watch()
  for (const day of STRUCK) await strike(day)
  for (let day = 1; day < 119.6; day += 3) await exceedQuota(day + 0.5)
  await exceedQuota(119.5)
  await refreshIncidents(store, { signatures: SIGNATURES, problems: [] })
  const bucket = { bucket: 'gs://ci', passStartedAt: END, passFinishedAt: END, completeTo: END, done: 1, total: 1 }
  await putIngestState(store, bucket)
})

describe('triage', () => {
  const view = () => triage(makeContext(store, SIGNATURES, END))

  test('says of the founding failure how often it struck and when again', async () => {
    const row = (await view()).rows.find(({ signature }) => signature.id === heartbeat.id)
    expect(row?.words).toBe(
      'before 12 Oct: on average every 5.2 days (95%: 3.0–10.0), 12 incidents; seen again once, 24 Nov, where about 11 were expected',
    )
    expect(row).toMatchObject({ hits24h: 0, runsHit: 14, lastSeen: START + 105.3 * DAY + MINUTE })
    expect(row?.incidents).toHaveLength(7)
    expect(row?.parts).toEqual([{ signature: eof, runsHit: 14 }])
  })

  test('lists what wants attention first, mutes apart, retired ones not at all', async () => {
    const { rows, muted: folded } = await view()
    expect(rows.map(({ signature }) => signature.id)).toEqual([heartbeat.id, quota.id, unmuted.id])
    expect(folded.map(({ signature }) => signature.id)).toEqual([muted.id])
    expect(rows[1]).toMatchObject({ hits24h: 1, cadence: { unit: 'runs' } })
    expect(rows[2]?.words).toBe('none in 120 days: at most one every 40 days')
  })

  test('counts the failed runs of two weeks and those that died of something known', async () => {
    // Day 105.3 is before the 14 days; the quota failed every run of its own.
    expect((await view()).coverage).toMatchObject({ failed: 5, died: 5, window: { days: 14 } })
    await publishRun(store, makeRun({ path: 'logs/other/1', startedAt: END - 2 * DAY }), [], [])
    await publishRun(store, makeRun({ path: 'logs/other/2', startedAt: END - 2 * DAY, result: 'aborted' }), [], [])
    expect((await view()).coverage).toMatchObject({ failed: 6, died: 5 })
  })

  test('of an empty store says that nothing was read', async () => {
    const empty = await triage(makeContext(createReferenceStore(), SIGNATURES, END))
    expect(empty.rows.map(({ words }) => words)).toEqual(Array(3).fill('no run could have shown it yet'))
    expect(empty.coverage).toMatchObject({ failed: 0, died: 0 })
    expect(empty.window.from).toBeLessThanOrEqual(empty.window.to)
  })
})

describe('signatureView', () => {
  const view = (id: string, options = {}) => signatureView(makeContext(store, SIGNATURES, END), id, options)

  test('answers in sentences, from the first run that could have shown it', async () => {
    const { sentences, window, incidents, days, changes, completeTo, parts } = await view(heartbeat.id)
    expect(sentences).toEqual([
      'Struck 12 times in the 62 days before 12 Oct, on average every 5.2 days (true average 3.0–10.0 at 95%; gaps 3.0–5.9 d).',
      'Since the change: seen again once, 24 Nov, where about 11 were expected (chance if nothing had changed: 0.2%).',
      'Gaps so far are regular.',
      'Last struck 24 Nov 07:12 UTC, 14 days ago.',
    ])
    expect(window).toEqual({ from: START, to: END })
    expect(incidents.map(({ at }) => (at - START) / DAY)).toEqual(STRUCK.map((day) => expect.closeTo(day, 6)))
    expect(days).toHaveLength(120)
    expect(days[4]).toEqual({ day: START + 4 * DAY, watchedHours: 24, runs: 4, runsHit: 2 })
    expect(changes).toEqual([CHANGE])
    expect(completeTo).toBe(END)
    expect(parts).toEqual([eof])
  })

  test('breaks the runs hit down by cause and end', async () => {
    const { causes, outcomes } = await view(heartbeat.id)
    expect(causes).toEqual([
      { id: 'eof', title: 'EOF', runs: 26 },
      { id: 'no_route', title: 'no route to host', runs: 26 },
    ])
    expect(outcomes).toEqual({ failed: 13, passed: 13, other: 0 })
  })

  test('pages through its hits, newest first, each with its run and links', async () => {
    const first = await view(heartbeat.id)
    expect(first.hits).toHaveLength(50)
    expect(first.hits[0]).toMatchObject({ hit: { cause: 'eof' }, run: { buildId: '105.3', result: 'failure' } })
    expect(first.hits[0]?.links.prowl).toContain('/runs/')
    expect(first.moreHits).toBe(true)
    const second = await view(heartbeat.id, { after: first.nextHits })
    expect(second.hits).toHaveLength(2)
    expect(second.moreHits).toBe(false)
  })

  test('a cause narrows the hits', async () => {
    const { hits } = await view(heartbeat.id, { cause: 'no_route' })
    expect(hits).toHaveLength(26)
    expect(new Set(hits.map(({ hit }) => hit.cause))).toEqual(new Set(['no_route']))
  })

  test('a part stands alone, and knows its parent', async () => {
    const { parent, cadence, hits } = await view(eof.id)
    expect(parent).toEqual(heartbeat)
    expect(cadence.incidents).toBe(13)
    expect(hits).toHaveLength(26)
  })

  test('is found by an id it had before; an unknown one is an error that says what to do', async () => {
    expect((await view('lease.heartbeat')).signature).toEqual(heartbeat)
    await expect(view('nonsense')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('incidentView', () => {
  const context = () => makeContext(store, SIGNATURES, END)

  test('has a lane for each run, with the hits that link to their lines', async () => {
    const [incident] = await store.incidents({ signature: heartbeat.id })
    const { lanes, signature, moreRuns } = await incidentView(context(), incident?.id ?? '')
    expect(signature).toEqual(heartbeat)
    expect(moreRuns).toBe(0)
    expect(lanes.map(({ run, hits }) => [run.job, run.result, hits.map(({ cause }) => cause)])).toEqual([
      ['e2e-aws', 'failure', ['eof', 'no_route']],
      ['e2e-gcp', 'success', ['eof', 'no_route']],
    ])
    expect(lanes[0]?.links.prowl).toContain('#L7')
  })

  test('an unknown id is an error', async () => {
    await expect(incidentView(context(), 'aaaaaaaa')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})
