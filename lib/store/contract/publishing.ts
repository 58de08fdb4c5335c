import { expect, test } from 'vitest'
import {
  blocksOf,
  logName,
  putSample,
  SAMPLE_TIME,
  sampleHit,
  sampleLogs,
  sampleRecord,
  sampleRun,
} from '../../testing/records.ts'
import type { RunRecord } from '../store.ts'
import { type Given, only, run, texts } from './given.ts'

export function emptyStore(given: Given): void {
  test('answers everything with nothing', async () => {
    const { store } = given
    const page = { limit: 10 }
    expect(await store.run(run)).toBeUndefined()
    expect(await store.stamps(run.bucket, [run.path])).toEqual([])
    expect(await store.runs({}, page)).toEqual({ items: [] })
    expect(await store.candidates({}, page)).toEqual({ items: [], considered: 0 })
    expect(await store.hits({}, page)).toEqual({ items: [] })
    expect(await store.blocks(run, 'build-log.txt', 1, 9)).toEqual([])
    expect(await store.read([])).toEqual([])
    expect(await store.jobs()).toEqual([])
    expect(await store.countHits({})).toEqual([])
    expect(await store.rollups({})).toEqual([])
    expect(await store.incidents({})).toEqual([])
    expect(await store.tracks('any', [run])).toEqual([])
    expect(await store.exposure('any', 0, SAMPLE_TIME)).toEqual([])
    expect(await store.state('any')).toBeUndefined()
    expect(await store.states()).toEqual([])
    expect(await store.problems(page)).toEqual({ items: [] })
    expect(await store.maintain()).toEqual({ swept: 0, expiredDays: [] })
    const { runs, logs, hits, rawBytes, days, problems, index, ...status } = await store.status()
    expect(index).toEqual({ blocks: 0, indexed: 0, segments: 0, quarantined: 0 })
    expect(Object.values(runs)).toEqual([0, 0, 0, 0, 0, 0])
    expect({ logs, hits, rawBytes, days, problems }).toEqual({ logs: 0, hits: 0, rawBytes: 0, days: [], problems: [] })
    expect(status).not.toHaveProperty('oldest')
  })
}

export function publishing(given: Given): void {
  test('nothing is visible before it, all of it after', async () => {
    const { store } = given
    const version = await store.begin(run)
    expect(version.day).toBe('2026-11-03')
    await store.append(version, logName('build-log.txt'), blocksOf(['one', 'two', 'three']))
    expect((await store.candidates({}, { limit: 10 })).items).toEqual([])
    expect(await store.run(run)).toBeUndefined()
    const logs = [{ name: 'build-log.txt', kind: 'build-log', bytes: 13, lines: 3, truncatedFrom: 99 } as const]
    const hits = [sampleHit(run)]
    const cursor = { key: 'cursor', value: { seen: 'x' } }
    await store.publish(version, sampleRecord(run, { logs, hits, cursor }))
    const stored = await store.run(run)
    expect(stored).toEqual({
      run,
      fingerprint: 'f1',
      firstSeen: SAMPLE_TIME,
      logs,
      hits,
      tracks: [],
      exposures: [],
      expired: false,
    })
    expect(await texts(store, (await store.candidates({}, { limit: 10 })).items)).toEqual(['one\ntwo', 'three'])
    expect(await store.state('cursor')).toEqual({ seen: 'x' })
    expect(await store.stamps(run.bucket, ['logs/none', run.path, run.path])).toContainEqual({
      path: run.path,
      result: 'failure',
      fingerprint: 'f1',
      time: SAMPLE_TIME,
      firstSeen: SAMPLE_TIME,
    })
    const status = await store.status()
    expect(status).toMatchObject({ logs: 1, truncatedLogs: 1, hits: 1, rawBytes: 13, days: ['2026-11-03'] })
    expect(status.runs.failure).toBe(1)
    expect(status).toMatchObject({ oldest: SAMPLE_TIME, newest: SAMPLE_TIME })
  })

  test('a version can be published once, and only as the run it is of', async () => {
    const { store } = given
    const version = await store.begin(run)
    await expect(store.publish(version, sampleRecord(sampleRun({ path: 'logs/j/2' })))).rejects.toMatchObject({
      code: 'STORE_FAILED',
    })
    await store.publish(version, sampleRecord(run))
    await expect(store.publish(version, sampleRecord(run))).rejects.toMatchObject({ code: 'STORE_FAILED' })
    await expect(store.append(version, logName('a'), blocksOf(['x']))).rejects.toMatchObject({ code: 'STORE_FAILED' })
  })

  test('versions of several runs may be written at once', async () => {
    const { store } = given
    const other = sampleRun({ path: 'logs/j/2', time: SAMPLE_TIME - 1 })
    const first = await store.begin(run)
    const second = await store.begin(other)
    await store.append(first, logName('build-log.txt'), blocksOf(['a1'], 1))
    await store.append(second, logName('build-log.txt'), blocksOf(['b1'], 1))
    await store.append(first, logName('build-log.txt'), [{ ...only(blocksOf(['a2'])), firstLine: 2 }])
    const logs = [{ name: 'build-log.txt', kind: 'build-log', bytes: 2, lines: 1 } as const]
    await store.publish(second, sampleRecord(other, { logs }))
    await store.publish(first, sampleRecord(run, { logs }))
    expect(await texts(store, (await store.candidates({}, { limit: 10 })).items)).toEqual(['a1', 'a2', 'b1'])
  })

  test.each([Number.NaN, -1, 0.5, 1e300])('a run at time %d is refused', async (time) => {
    await expect(given.store.begin(sampleRun({ time }))).rejects.toMatchObject({ code: 'STORE_FAILED' })
  })

  test('a log that has blocks must be named', async () => {
    const { store } = given
    const version = await store.begin(run)
    await store.append(version, logName('build-log.txt'), blocksOf(['x']))
    await expect(store.publish(version, sampleRecord(run))).rejects.toMatchObject({ code: 'STORE_FAILED' })
  })

  test('a record must say what was begun and appended', async () => {
    const { store } = given
    const texts = { 'build-log.txt': blocksOf(['x']) }
    const logs = sampleLogs(texts)
    const others: Partial<RunRecord>[] = [
      ...[{ time: SAMPLE_TIME - 1 }, { job: 'other' }, { result: 'success' } as const].map((fact) => ({
        run: { ...run, ...fact },
      })),
      { run: { ...run, refs: { org: 'o', repo: 'r', pulls: [{ number: 7 }] } } },
      { logs: logs.map((log) => ({ ...log, kind: 'junit' as const })) },
    ]
    for (const other of others)
      await expect(putSample(store, run, texts, other)).rejects.toMatchObject({ code: 'STORE_FAILED' })
    expect(await store.run(run)).toBeUndefined()
    await putSample(store, run, texts, { run: { ...run, warnings: ['odd'] } })
    expect((await store.run(run))?.run.warnings).toEqual(['odd'])
  })

  test('a log named twice is refused, and the earlier version stands', async () => {
    const { store } = given
    await putSample(store, run, { 'build-log.txt': blocksOf(['kept']) })
    const log = { name: 'a', kind: 'build-log', bytes: 1, lines: 1 } as const
    const version = await store.begin(run)
    await expect(store.publish(version, sampleRecord(run, { logs: [log, log] }))).rejects.toMatchObject({
      code: 'STORE_FAILED',
    })
    expect((await store.run(run))?.logs.map(({ name }) => name)).toEqual(['build-log.txt'])
  })
}
