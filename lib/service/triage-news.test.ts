import { beforeAll, describe, expect, test } from 'vitest'
import { refreshIncidents } from '../incident/refresh.ts'
import { createReferenceStore } from '../store/reference.ts'
import type { Store } from '../store/store.ts'
import { makeContext } from '../testing/context.ts'
import { DAY, HOUR, MINUTE, makeHit, makeRun, makeSignature, publishRun } from '../testing/values.ts'
import { groupOf } from '../triage/fold.ts'
import { putIngestState } from './passes.ts'
import { triage } from './triage.ts'

const END = Date.UTC(2026, 11, 9, 10)
const START = END - 60 * DAY

const often = makeSignature({ id: 'often', title: 'Often', owner: 'net' })
const fresh = makeSignature({ id: 'fresh', title: 'Fresh', owner: 'net' })
const quiet = makeSignature({ id: 'quiet', title: 'Quiet', owner: 'storage' })
const nobodys = makeSignature({ id: 'nobodys', title: 'Nobody’s' })
const muted = makeSignature({ id: 'muted', status: { state: 'muted' } })
const retired = makeSignature({ id: 'retired', owner: 'gone', status: { state: 'retired' } })
const SIGNATURES = [often, fresh, quiet, nobodys, muted, retired]
const ALL = SIGNATURES.map(({ id }) => id)

let store: Store

/** Two runs an hour long that a failure struck in their midst. */
async function strike(id: string, at: number): Promise<void> {
  for (const job of ['e2e-aws', 'e2e-gcp']) {
    const run = makeRun({
      path: `logs/${job}/${id}-${at}`,
      startedAt: at - 30 * MINUTE,
      finishedAt: at + 5 * MINUTE,
      cluster: 'build02',
    })
    await publishRun(store, run, [makeHit({ at, signature: id })], ALL)
  }
}

/** A run that failed with a line that no signature knows. */
async function failWith(text: string, at: number): Promise<void> {
  const run = makeRun({ path: `logs/e2e-unknown/${at}`, startedAt: at - HOUR, finishedAt: at })
  const failure = { group: groupOf(text), text, log: 'build-log.txt', line: 1 }
  await publishRun(store, { ...run, failure }, [], [])
}

beforeAll(async () => {
  store = createReferenceStore()
  for (let day = 0; day < 60; day++) {
    const [startedAt, finishedAt] = [START + day * DAY, START + (day + 1) * DAY]
    const run = makeRun({ path: `logs/e2e-watch/${day}`, startedAt, finishedAt, result: 'success' })
    await publishRun(store, run, [], ALL)
  }
  for (let day = 1.5; day < 60; day += 2) await strike(often.id, START + day * DAY)
  for (let day = 0.5; day < 15; day++) await strike(quiet.id, START + day * DAY)
  await strike(quiet.id, END - 5 * HOUR)
  await strike(fresh.id, END - 10 * MINUTE)
  await strike(muted.id, END - 3 * HOUR)
  await failWith('error: the old one', START + 50 * DAY)
  for (const ago of [1, 2]) await failWith('error: the new one', END - ago * HOUR)
  for (const ago of [3, 4, 28]) await failWith('error: that of yesterday morning', END - ago * HOUR)
  await failWith('error: seen once', END - 5 * HOUR)
  await refreshIncidents(store, { signatures: SIGNATURES, problems: [] })
  const bucket = { bucket: 'gs://ci', passStartedAt: END, passFinishedAt: END, completeTo: END, done: 1, total: 1 }
  await putIngestState(store, bucket)
})

const view = (request = {}) => triage(makeContext(store, SIGNATURES, END), request)

describe('news', () => {
  test('since yesterday at nine: what is new, seen again after a quiet, and under way; no muted one', async () => {
    const { news } = await view()
    expect(news.since).toBe(Date.UTC(2026, 11, 8, 9))
    expect(news.struck.map(({ kind, signature, after }) => [signature.id, kind, after])).toEqual([
      [fresh.id, 'new', undefined],
      [fresh.id, 'under way', undefined],
      [quiet.id, 'again', 'quiet'],
    ])
    expect(news.struck[1]?.incident).toMatchObject({ runs: 2, clusters: ['build02'] })
  })

  test('a group is new that was not seen before then, of two runs or more', async () => {
    expect((await view()).news.groups).toMatchObject([{ text: 'error: the new one', runs: 2 }])
    const since = (await view({ since: '29h' })).news.groups.map(({ text }) => text)
    expect(since.sort()).toEqual(['error: that of yesterday morning', 'error: the new one'])
  })

  test('since later than they struck: nothing', async () => {
    const { news } = await view({ since: '9m' })
    expect(news).toMatchObject({ since: END - 9 * MINUTE, struck: [], groups: [] })
  })

  test('a moment that can’t be read is refused', async () => {
    await expect(view({ since: 'monday' })).rejects.toMatchObject({ code: 'QUERY_INVALID' })
  })
})

describe('owners', () => {
  test('are those of what is listed, nobody last', async () => {
    expect((await view()).owners).toEqual([
      { owner: 'net', signatures: 2 },
      { owner: 'storage', signatures: 1 },
      { owner: 'none', signatures: 2 },
    ])
  })

  test.each([
    ['net', [fresh.id, often.id], ['new', 'under way']],
    ['storage', [quiet.id], ['again']],
    ['none', [nobodys.id], []],
  ])('%s sees its own failures and their news', async (owner, ids, kinds) => {
    const { rows, news, muted: folded, owners } = await view({ owner })
    expect(rows.map(({ signature }) => signature.id).sort()).toEqual(ids)
    expect(news.struck.map(({ kind }) => kind)).toEqual(kinds)
    expect(news.groups).toEqual([])
    expect(folded).toHaveLength(owner === 'none' ? 1 : 0)
    expect(owners).toHaveLength(3)
  })

  test('one who owns nothing is refused, and those who do are named', async () => {
    await expect(view({ owner: 'gone' })).rejects.toMatchObject({
      code: 'QUERY_INVALID',
      message: 'owner: owns no signature; name one of net, storage, none',
    })
  })
})

test('the last day stands beside what is usual', async () => {
  const { rows } = await view()
  const row = (id: string) => rows.find(({ signature }) => signature.id === id)
  expect(row(often.id)).toMatchObject({ stateWord: 'active', usual24h: { low: 0, high: 2 } })
  expect(row(fresh.id)).toMatchObject({ hits24h: 2, usual24h: { low: 0, high: 0 } })
})
