import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Run } from '../model/run.ts'
import { createReferenceStore } from '../store/reference.ts'
import type { Store } from '../store/store.ts'
import { DAY, HOUR, MINUTE, makeHit, makeRun, makeSignature, publishRun } from '../testing/values.ts'
import { refreshIncidents } from './refresh.ts'

const START = Date.UTC(2026, 7, 1)
const SIGNATURE = makeSignature()
const CATALOGUE = { signatures: [SIGNATURE], problems: [] }
const refs = { org: 'openshift', repo: 'installer', pulls: [{ number: 2708 }] }

let store: Store
beforeEach(() => {
  store = createReferenceStore()
})

/** A run that began `day` days in and is hit at minute `at` of itself. */
async function struck(day: number, at: number, run: Partial<Run>, cause = 'eof'): Promise<void> {
  const startedAt = START + day * DAY
  await publishRun(store, makeRun({ ...run, startedAt }), [makeHit({ at: startedAt + at * MINUTE, cause })])
}

async function refreshed() {
  await refreshIncidents(store, CATALOGUE)
  return [...(await store.incidents({ signature: SIGNATURE.id }))].sort((a, b) => a.at - b.at)
}

describe('refreshIncidents', () => {
  test('gathers hits across runs and tells what the runs were', async () => {
    await struck(1, 10, { path: 'logs/e2e-aws/1', cluster: 'build01' })
    await struck(
      1,
      14,
      {
        path: 'pr-logs/pull/openshift_installer/2708/e2e-gcp/2',
        type: 'presubmit',
        refs,
        cluster: 'build02',
        result: 'success',
      },
      'no_route',
    )
    await struck(6, 10, { path: 'logs/e2e-aws/3' })
    const [first, second, ...more] = await refreshed()
    expect(more).toEqual([])
    expect(first).toMatchObject({
      signature: 'boskos.heartbeat',
      aliases: [],
      at: START + DAY + 10 * MINUTE,
      causes: ['eof', 'no_route'],
      jobs: ['e2e-aws', 'e2e-gcp'],
      pulls: ['openshift/installer#2708'],
      clusters: ['build01', 'build02'],
      votes: 2,
      runs: [
        { path: 'logs/e2e-aws/1', job: 'e2e-aws', buildId: '1', result: 'failure', causes: ['eof'] },
        { job: 'e2e-gcp', buildId: '2', result: 'success', causes: ['no_route'] },
      ],
    })
    expect(second).toMatchObject({ votes: 1, runs: [{ path: 'logs/e2e-aws/3' }] })
  })

  test.each([
    ['failure', [undefined], 'died'],
    ['error', [undefined], 'died'],
    ['failure', [true], 'later'],
    ['failure', [true, undefined], 'died'],
    ['success', [undefined], 'passed'],
    ['aborted', [undefined], 'other'],
    ['lost', [true], 'other'],
  ] as const)('a run that ended in %s, its hits recovered from: %j, %s', async (result, recovered, outcome) => {
    const hits = recovered.map((each, i) => ({
      ...makeHit({ at: START + i * MINUTE, cause: `c${i}` }),
      ...(each && { recovered: each }),
    }))
    await publishRun(store, makeRun({ result, startedAt: START, refs, cluster: 'build01' }), hits)
    const [incident] = await refreshed()
    const more = { type: 'periodic', cluster: 'build01', pulls: ['openshift/installer#2708'] }
    expect(incident?.runs).toMatchObject([{ result, outcome, ...more }])
  })

  test('an incident is at a whole millisecond, which is all that stores keep', async () => {
    const startedAt = START + DAY
    const placed = { earliest: startedAt, latest: startedAt + MINUTE + 1, source: 'neighbours' } as const
    await publishRun(store, makeRun({ path: 'logs/e2e-aws/1', startedAt }), [{ ...makeHit({ at: startedAt }), placed }])
    expect(await refreshed()).toMatchObject([{ at: startedAt + MINUTE / 2 }])
  })

  test('retries of one pull request are one vote, batch and rehearsal runs none', async () => {
    const pull = 'pr-logs/pull/openshift_installer/2708'
    await struck(1, 1, { path: `${pull}/e2e-gcp/1`, type: 'presubmit', refs })
    await struck(1, 2, { path: `${pull}/e2e-gcp/2`, type: 'presubmit', refs })
    await struck(1, 3, { path: 'pr-logs/pull/batch/e2e-gcp/3', type: 'batch', refs })
    await struck(1, 4, { path: `${pull}/rehearse-2708-e2e/4`, type: 'presubmit', refs })
    expect(await refreshed()).toMatchObject([{ votes: 1, pulls: ['openshift/installer#2708'] }])
  })

  test('an incident keeps its id as runs come in, whatever their order', async () => {
    await struck(1, 40, { path: 'logs/e2e-aws/2' })
    const [before] = await refreshed()
    await struck(1, 20, { path: 'logs/e2e-aws/1' })
    await struck(1, 60, { path: 'logs/e2e-aws/3' })
    const [after, ...more] = await refreshed()
    expect(more).toEqual([])
    expect(after?.id).toBe(before?.id)
    expect(after?.runs).toHaveLength(3)
  })

  test('a hit between two incidents makes them one, which answers to both ids', async () => {
    await struck(1, 0, { path: 'logs/e2e-aws/1' })
    await struck(1, 50, { path: 'logs/e2e-aws/2' })
    const [first, second] = await refreshed()
    await struck(1, 25, { path: 'logs/e2e-aws/3' })
    expect(await refreshed()).toMatchObject([{ id: first?.id, aliases: [second?.id] }])
  })

  test('a part has incidents of its own', async () => {
    const part = makeSignature({ id: 'boskos.eof', part: { of: SIGNATURE.id, causes: ['eof'] } })
    const startedAt = START
    const hits = [makeHit({ at: START + MINUTE, cause: 'eof' }), makeHit({ at: START + 2 * MINUTE, cause: 'no_route' })]
    await publishRun(store, makeRun({ startedAt }), [
      ...hits,
      makeHit({ at: START + MINUTE, cause: 'eof', signature: part.id }),
    ])
    await refreshIncidents(store, { signatures: [SIGNATURE, part], problems: [] })
    const [own] = await store.incidents({ signature: part.id })
    const [whole] = await store.incidents({ signature: SIGNATURE.id })
    expect(own).toMatchObject({ causes: ['eof'], runs: [{ causes: ['eof'] }] })
    expect(whole).toMatchObject({ causes: ['eof', 'no_route'] })
    expect(own?.id).not.toBe(whole?.id)
  })

  test('only the signatures named are refreshed, and only what changed is written', async () => {
    await struck(1, 0, { path: 'logs/e2e-aws/1' })
    await refreshIncidents(store, CATALOGUE, { signatures: ['other'] })
    expect(await store.incidents({})).toEqual([])
    const put = vi.spyOn(store, 'putIncidents')
    await refreshed()
    await refreshed()
    expect(put).toHaveBeenCalledTimes(1)
  })

  test('hits days apart are read with their runs', async () => {
    for (let i = 0; i < 60; i++) await struck(i / 2, 5, { path: `logs/e2e-aws/${i}`, cluster: `build${i}` })
    const found = await refreshed()
    expect(found).toHaveLength(60)
    expect(found.map(({ clusters }) => clusters)).toEqual(Array.from({ length: 60 }, (_, i) => [`build${i}`]))
  })

  test('a run that starts again keeps no hit that it lost', async () => {
    await struck(1, 0, { path: 'logs/e2e-aws/1' })
    await refreshed()
    await publishRun(store, makeRun({ startedAt: START + DAY, finishedAt: START + DAY + HOUR }))
    expect(await refreshed()).toEqual([])
  })
})
