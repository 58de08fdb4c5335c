import { expect, test } from 'vitest'
import { blocksOf, keyOf, putSample, SAMPLE_TIME, sampleHit, sampleRun } from '../../testing/records.ts'
import { DAY, type Given, HOUR, run } from './given.ts'

export function hits(given: Given): void {
  test('take key, job and time of their run, and are counted by signature', async () => {
    const { store } = given
    const other = sampleRun({ path: 'logs/other/1', time: SAMPLE_TIME - HOUR })
    const stray = { bucket: 'x', path: 'y', job: 'z', time: 1 }
    const placed = { earliest: SAMPLE_TIME - 9, latest: SAMPLE_TIME - 5, source: 'line' } as const
    await putSample(
      store,
      run,
      {},
      { hits: [sampleHit(run, { ...stray, placed }), sampleHit(run, { resource: 'aws-2', placed })] },
    )
    await putSample(store, other, {}, { hits: [sampleHit(other), sampleHit(other, { signature: 'a', line: 2 })] })
    const found = await store.hits({ signature: 'boskos-lease' }, { limit: 10 })
    expect(found.items.map(({ path, job, time }) => ({ path, job, time }))).toEqual(
      [run, run, other].map(({ path, job, time }) => ({ path, job, time })),
    )
    expect(await store.countHits({})).toEqual([
      { signature: 'a', hits: 1, runs: 1, last: other.time },
      { signature: 'boskos-lease', hits: 3, runs: 2, last: SAMPLE_TIME - 5 },
    ])
    expect(await store.countHits({ from: SAMPLE_TIME, signature: 'a' })).toEqual([])
  })

  test('tracks are told run by run as asked', async () => {
    const { store } = given
    const other = sampleRun({ path: 'logs/other/1' })
    for (const each of [run, other]) {
      const track = { ...keyOf(each), signature: 's', log: 'l', marks: [] }
      const tracks = ['b', 'a'].map((resource) => ({ ...track, resource }))
      await putSample(store, each, {}, { tracks: [...tracks, { ...track, signature: 't', resource: 'c' }] })
    }
    const found = await store.tracks('s', [run, { ...run, path: 'none' }, other])
    expect(found.map(({ path, resource }) => `${path} ${resource}`)).toEqual(
      [run, other].flatMap(({ path }) => [`${path} a`, `${path} b`]),
    )
  })
}

export function counts(given: Given): void {
  test('rollups are exact whatever the range', async () => {
    const { store } = given
    const midnight = Date.UTC(2026, 10, 4)
    const times = [-DAY - 1, -DAY, -HOUR, -1, 0, 1, DAY - 1, DAY].map((ms) => midnight + ms)
    for (const [i, time] of times.entries()) {
      await putSample(store, sampleRun({ path: `logs/j/${i}`, time }), { 'build-log.txt': blocksOf(['12345']) })
    }
    for (const from of [undefined, ...times]) {
      for (const to of [undefined, ...times]) {
        const expected = times.filter((time) => time >= (from ?? 0) && time < (to ?? Infinity)).length
        const range = { ...(from ? { from } : {}), ...(to ? { to } : {}) }
        expect(await store.countRuns(range)).toBe(expected)
        const rows = await store.rollups(range)
        for (const kind of ['any', 'build-log']) {
          const sums = rows.filter((row) => row.kind === kind)
          expect(sums.reduce((sum, row) => sum + row.runs, 0)).toBe(expected)
          expect(sums.reduce((sum, row) => sum + row.bytes, 0)).toBe(expected * 5)
        }
      }
    }
  })

  test('exposure counts the runs in flight by hour', async () => {
    const { store } = given
    const hour = SAMPLE_TIME
    const spans: [number, number][] = [
      [hour, hour + 2 * HOUR],
      [hour + HOUR / 2, hour + HOUR + 1],
      [hour + HOUR, hour + HOUR],
    ]
    for (const [i, [from, to]] of spans.entries()) {
      const exposures = [{ signature: 's', from, to }]
      await putSample(store, sampleRun({ path: `logs/j/${i}` }), {}, { exposures })
    }
    expect(await store.exposure('s', hour + 1, hour + HOUR + 1)).toEqual([
      { hour, runs: 2, starts: 2 },
      { hour: hour + HOUR, runs: 3, starts: 1 },
    ])
    expect(await store.exposure('s', hour + HOUR, hour + HOUR)).toEqual([])
    expect(await store.exposure('t', 0, hour + DAY)).toEqual([])
  })

  test('an endless exposure is cut at 31 days', async () => {
    const exposures = [{ signature: 's', from: 0, to: SAMPLE_TIME }]
    await putSample(given.store, run, {}, { exposures })
    expect(await given.store.exposure('s', 0, SAMPLE_TIME)).toHaveLength(31 * 24)
  })

  test('exposed runs are counted by what they are, and follow what is published anew', async () => {
    const { store } = given
    const refs = { org: 'o', repo: 'r', baseRef: 'main', pulls: [] }
    const exposures = [{ signature: 's', from: SAMPLE_TIME - DAY, to: SAMPLE_TIME }]
    const known = { cluster: 'build01', refs }
    const runs = [
      sampleRun({ path: 'logs/j/1', ...known }),
      sampleRun({ path: 'logs/j/2', ...known }),
      sampleRun({ path: 'logs/j/3', ...known, result: 'success', type: 'postsubmit' }),
      sampleRun({ path: 'logs/j/4', time: SAMPLE_TIME + DAY }),
    ]
    for (const each of runs) await putSample(store, each, {}, { exposures })
    await putSample(store, sampleRun({ path: 'logs/j/5' }), {}, { exposures: [{ signature: 't', from: 0, to: 1 }] })
    const row = { job: 'j', type: 'periodic', result: 'failure', cluster: 'build01', branch: 'main' }
    const passed = { ...row, type: 'postsubmit', result: 'success', runs: 1 }
    const next = { ...row, cluster: '', branch: '', runs: 1 }
    expect(byText(await store.exposedRuns('s', '2026-11-03', '2026-11-03'))).toEqual(
      byText([{ ...row, runs: 2 }, passed]),
    )
    expect(await store.exposedRuns('s', '2026-11-04', '2026-11-09')).toEqual([next])
    await putSample(store, sampleRun({ path: 'logs/j/1', ...known, cluster: 'build02' }), {}, { exposures })
    await putSample(store, sampleRun({ path: 'logs/j/2', ...known }))
    await store.replaceFindings(['s'], [{ ...keyOf(sampleRun({ path: 'logs/j/3' })), fingerprint: 'f1', ...NOTHING }])
    expect(byText(await store.exposedRuns('s', '2026-11-03', '2026-11-04'))).toEqual(
      byText([{ ...row, cluster: 'build02', runs: 1 }, next]),
    )
  })

  test('lines that runs failed with are counted by group, job and day, and found by group', async () => {
    const { store } = given
    const failure = (group: string) => ({ log: 'build-log.txt', line: 3, text: `text of ${group}`, group })
    const runs = [
      sampleRun({ path: 'logs/j/1', failure: failure('a') }),
      sampleRun({ path: 'logs/j/2', failure: failure('a') }),
      sampleRun({ path: 'logs/k/3', failure: failure('b'), time: SAMPLE_TIME - DAY, type: 'postsubmit' }),
      sampleRun({ path: 'logs/k/4', result: 'success' }),
    ]
    await putSample(store, sampleRun({ path: 'logs/j/2', time: SAMPLE_TIME - DAY }))
    for (const each of runs) await putSample(store, each)
    const a = { group: 'a', job: 'j', day: '2026-11-03', runs: 2 }
    const b = { group: 'b', job: 'k', day: '2026-11-02', runs: 1 }
    expect(byText(await store.failures({}))).toEqual(byText([a, b]))
    expect(await store.failures({ types: ['postsubmit'] })).toEqual([b])
    expect(await store.failures({ from: SAMPLE_TIME, failures: ['a', 'b'] })).toEqual([a])
    expect(await store.failures({ failures: [] })).toEqual([])
    const found = await store.runs({ failures: ['a'] }, { limit: 9 })
    expect(found.items.map(({ path, failure: of }) => [path, of])).toEqual([
      ['logs/j/1', failure('a')],
      ['logs/j/2', failure('a')],
    ])
    await putSample(store, sampleRun({ path: 'logs/j/1', failure: failure('b') }))
    expect(byText(await store.failures({ from: SAMPLE_TIME }))).toEqual(
      byText([
        { ...a, runs: 1 },
        { ...a, group: 'b', runs: 1 },
      ]),
    )
  })
}

const NOTHING = { hits: [], tracks: [], exposures: [] }

function byText<T>(rows: readonly T[]): T[] {
  return rows.map((row) => ({ ...row })).sort((x, y) => (sortedText(x) < sortedText(y) ? -1 : 1))
}

function sortedText(row: unknown): string {
  return JSON.stringify(Object.entries(row as object).sort())
}
