import { expect, test } from 'vitest'
import type { Incident } from '../../model/incident.ts'
import { keyOf, putSample, SAMPLE_TIME } from '../../testing/records.ts'
import type { Store } from '../store.ts'
import { type Given, HOUR, run } from './given.ts'

export function notes(given: Given): void {
  test('a problem stands until its run is published', async () => {
    const { store } = given
    const problem = { ...keyOf(run), code: 'OBJECT_UNREADABLE', message: 'cut', at: SAMPLE_TIME }
    await store.fail({ ...problem, message: 'first' })
    await store.fail(problem)
    await store.fail({ ...problem, path: 'logs/j/2', at: SAMPLE_TIME + 1 })
    expect(await store.status()).toMatchObject({
      problems: [{ path: 'logs/j/2' }, problem],
      problemCount: 2,
    })
    await putSample(store, run)
    expect(await store.status()).toMatchObject({ problems: [{ path: 'logs/j/2' }], problemCount: 1 })
  })

  test('state keeps JSON values', async () => {
    const { store } = given
    for (const value of [{ a: [1, null, 'é'] }, false, null, 'text']) {
      await store.putState('key', value)
      expect(await store.state('key')).toEqual(value)
    }
    expect(await store.state('other')).toBeUndefined()
  })

  test('incidents are replaced by signature, and found by id, alias and time', async () => {
    const { store } = given
    const ids = async (filter: Parameters<Store['incidents']>[0]) => (await store.incidents(filter)).map(({ id }) => id)
    const first = incident('s', 'i1', SAMPLE_TIME)
    await store.putIncidents('s', [first, incident('s', 'i2', SAMPLE_TIME + HOUR, ['i0'])])
    await store.putIncidents('t', [incident('t', 'i3', SAMPLE_TIME)])
    expect(await store.incidents({ id: 'i1' })).toEqual([first])
    expect(await ids({})).toEqual(['i2', 'i1', 'i3'])
    expect(await ids({ signature: 's' })).toEqual(['i2', 'i1'])
    expect(await ids({ id: 'i0' })).toEqual(['i2'])
    expect(await ids({ id: 'i0', signature: 't' })).toEqual([])
    expect(await ids({ from: SAMPLE_TIME, to: SAMPLE_TIME + HOUR })).toEqual(['i1', 'i3'])
    await store.putIncidents('s', [incident('s', 'i2', SAMPLE_TIME)])
    expect(await ids({ signature: 's' })).toEqual(['i2'])
    expect(await ids({ id: 'i0' })).toEqual([])
    await store.putIncidents('s', [])
    expect(await ids({})).toEqual(['i3'])
  })
}

function incident(signature: string, id: string, at: number, aliases: string[] = []): Incident {
  const span = { earliest: at - 1, latest: at + 1 }
  const none = { causes: [], runs: [], jobs: [], pulls: [], clusters: [], votes: 1 }
  return { id, aliases, signature, from: span, to: span, at, ...none }
}
