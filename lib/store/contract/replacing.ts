import { expect, test } from 'vitest'
import type { Track } from '../../model/hit.ts'
import { blocksOf, keyOf, putSample, SAMPLE_TIME, sampleHit, sampleRun } from '../../testing/records.ts'
import { DAY, type Given, HOUR, run, texts } from './given.ts'

export function replacing(given: Given): void {
  test('takes out all that the earlier version added', async () => {
    const { store } = given
    const exposures = [{ signature: 's', from: SAMPLE_TIME - HOUR, to: SAMPLE_TIME }]
    const track = { ...keyOf(run), signature: 's', resource: 'r', log: 'build-log.txt', marks: [] }
    await putSample(
      store,
      { ...run, result: 'pending', refs: { org: 'o', repo: 'r', pulls: [{ number: 7 }] } },
      { 'build-log.txt': blocksOf(['old']), 'artifacts/lease.log': blocksOf(['lease']) },
      { hits: [sampleHit(run)], tracks: [track], exposures, firstSeen: 1 },
    )
    await putSample(store, run, { 'build-log.txt': blocksOf(['new', 'text']) }, { fingerprint: 'f2' })
    const stored = await store.run(run)
    expect(stored).toMatchObject({ fingerprint: 'f2', firstSeen: 1, hits: [], tracks: [] })
    expect(stored?.logs.map(({ name }) => name)).toEqual(['build-log.txt'])
    expect(await texts(store, (await store.candidates({}, { limit: 10 })).items)).toEqual(['new\ntext'])
    expect((await store.hits({}, { limit: 10 })).items).toEqual([])
    expect(await store.countHits({})).toEqual([])
    expect(await store.tracks('s', [run])).toEqual([])
    expect(await store.exposure('s', 0, SAMPLE_TIME)).toEqual([])
    expect((await store.runs({ pull: { org: 'o', repo: 'r', number: 7 } }, { limit: 10 })).items).toEqual([])
    const row = { job: run.job, day: '2026-11-03', result: 'failure', runs: 1, bytes: 8 }
    expect(await store.rollups({})).toEqual([
      { ...row, kind: 'any' },
      { ...row, kind: 'build-log' },
    ])
    expect(await store.status()).toMatchObject({ logs: 1, hits: 0, rawBytes: 8 })
  })

  test('leaves it in its day, but orders and counts it by its new time', async () => {
    const { store } = given
    const later = { ...run, time: SAMPLE_TIME + DAY }
    await putSample(store, run, { 'build-log.txt': blocksOf(['old']) })
    await putSample(store, sampleRun({ path: 'logs/j/2', time: SAMPLE_TIME + HOUR }), {
      'build-log.txt': blocksOf(['between']),
    })
    expect((await store.begin(later)).day).toBe('2026-11-03')
    await putSample(store, later, { 'build-log.txt': blocksOf(['new']) })
    expect(await texts(store, (await store.candidates({}, { limit: 10 })).items)).toEqual(['new', 'between'])
    expect((await store.rollups({ from: later.time })).map(({ day }) => day)).toEqual(['2026-11-04', '2026-11-04'])
    expect((await store.status()).days).toEqual(['2026-11-03'])
  })
}

export function findings(given: Given): void {
  const hit = (signature: string, line: number) => ({ ...sampleHit(run), signature, line })
  const track = (signature: string): Track => ({ ...run, signature, resource: 'r', log: 'build-log.txt', marks: [] })
  const exposure = (signature: string, hours: number) => ({
    signature,
    from: SAMPLE_TIME - hours * HOUR,
    to: SAMPLE_TIME,
  })
  const put = async () => {
    const record = {
      hits: [hit('a', 1), hit('b', 2)],
      tracks: [track('a'), track('b')],
      exposures: [exposure('a', 0), exposure('b', 0)],
    }
    await putSample(given.store, run, { 'build-log.txt': blocksOf(['one', 'two', 'three']) }, record)
    return (await given.store.run(run))?.fingerprint ?? ''
  }

  test('of the named signatures are replaced, and nothing else', async () => {
    const { store } = given
    const fingerprint = await put()
    const found = { hits: [hit('a', 3)], tracks: [track('c')], exposures: [exposure('a', 2)] }
    expect(await store.replaceFindings(['a', 'c'], [{ ...run, fingerprint, ...found }])).toBe(1)
    const stored = await store.run(run)
    expect(stored?.hits.map(({ signature, line }) => [signature, line])).toEqual([
      ['b', 2],
      ['a', 3],
    ])
    expect(stored?.tracks.map(({ signature }) => signature)).toEqual(['b', 'c'])
    expect(stored?.logs.map(({ name }) => name)).toEqual(['build-log.txt'])
    expect((await store.hits({ signature: 'a' }, { limit: 9 })).items).toMatchObject([{ line: 3, job: run.job }])
    expect(await store.countHits({})).toMatchObject([{ signature: 'a' }, { signature: 'b' }])
    const hours = async (id: string) => (await store.exposure(id, 0, SAMPLE_TIME + HOUR)).map(({ runs }) => runs)
    expect({ a: await hours('a'), b: await hours('b') }).toEqual({ a: [1, 1], b: [1] })
    expect(await store.replaceFindings(['a'], [{ ...run, fingerprint, hits: [], tracks: [], exposures: [] }])).toBe(1)
    expect({ a: await hours('a'), b: await hours('b') }).toEqual({ a: [], b: [1] })
  })

  test('of another version, or of a run that is gone, are passed over', async () => {
    const { store } = given
    const fingerprint = await put()
    const nothing = { hits: [], tracks: [], exposures: [] }
    const others = [
      { ...run, fingerprint: `${fingerprint}x`, ...nothing },
      { ...run, path: 'none', fingerprint, ...nothing },
    ]
    expect(await store.replaceFindings(['a', 'b'], others)).toBe(0)
    expect((await store.run(run))?.hits).toHaveLength(2)
  })

  test('go with the run when it is replaced', async () => {
    const { store } = given
    const fingerprint = await put()
    await store.replaceFindings(
      ['c'],
      [{ ...run, fingerprint, hits: [hit('c', 1)], tracks: [], exposures: [exposure('c', 1)] }],
    )
    await putSample(store, run, {}, { fingerprint: 'f2' })
    expect(await store.hits({}, { limit: 9 })).toEqual({ items: [] })
    expect(await store.exposure('c', 0, SAMPLE_TIME + HOUR)).toEqual([])
  })
}
