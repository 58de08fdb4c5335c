import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Candidate } from '../model/block.ts'
import type { Track } from '../model/hit.ts'
import type { Incident } from '../model/incident.ts'
import type { Plan } from '../model/plan.ts'
import {
  blocksOf,
  keyOf,
  logName,
  putSample,
  SAMPLE_TIME,
  sampleHit,
  sampleLogs,
  sampleRecord,
  sampleRun,
} from '../testing/records.ts'
import { gramsOf } from '../text/grams.ts'
import type { CandidateFilter, CandidatePage, OrderKey, Page, Paged, RunRecord, Store } from './store.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const run = sampleRun()

/** The laws of the port, as one suite that every store passes. `open` gives an empty store of its own. */
export function storeContract(name: string, open: () => Promise<Store>): void {
  describe(name, () => {
    let store: Store
    beforeEach(async () => {
      store = await open()
    })
    afterEach(() => store.close())
    const given: Given = {
      get store() {
        return store
      },
    }
    describe('an empty store', () => emptyStore(given))
    describe('publishing', () => publishing(given))
    describe('replacing a run', () => replacing(given))
    describe('findings of signatures', () => findings(given))
    describe('order and pages', () => paging(given))
    describe('filters', () => filters(given))
    describe('blocks', () => blocks(given))
    describe('plans', () => plans(given))
    describe('hits', () => hits(given))
    describe('counts', () => counts(given))
    describe('sweeps and retention', () => upkeep(given))
    describe('notes', () => notes(given))
  })
}

function findings(given: Given): void {
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

interface Given {
  readonly store: Store
}

function emptyStore(given: Given): void {
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

function publishing(given: Given): void {
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

function replacing(given: Given): void {
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

function paging(given: Given): void {
  /** In UTF-16 the emoji would come first. */
  const names = ['a', 'é', '\u{fffd}', '\u{1f600}']
  const runs = [SAMPLE_TIME, SAMPLE_TIME - 1].flatMap((time) =>
    ['gs://a', 'gs://\u{1f600}'].flatMap((bucket) =>
      names.map((name) => sampleRun({ bucket, path: `logs/j/${name}${time - SAMPLE_TIME}`, time })),
    ),
  )

  test('runs come by time descending, then bucket and path as bytes, and pages lose and double none', async () => {
    const { store } = given
    for (const each of runs.toReversed()) await putSample(store, each)
    for (const limit of [1, 3, 100]) {
      expect(await all((page) => store.runs({}, page), limit)).toEqual(runs)
    }
  })

  test('blocks and hits follow, by log as bytes and line', async () => {
    const { store } = given
    const texts = Object.fromEntries(names.toReversed().map((log) => [log, blocksOf(['1', '2', '3', '4', '5'])]))
    for (const each of runs.toReversed()) {
      const hits = [5, 1].flatMap((line) => names.toReversed().map((log) => sampleHit(each, { log, line })))
      await putSample(store, each, texts, { hits })
    }
    const places = runs.flatMap((each) => names.map((log) => ({ ...keyOf(each), log })))
    for (const limit of [1, 7, 1000]) {
      const blocks = await all((page) => store.candidates({}, page), limit)
      expect(blocks.map(({ bucket, path, log, firstLine }) => ({ bucket, path, log, firstLine }))).toEqual(
        places.flatMap((place) => [1, 3, 5].map((firstLine) => ({ ...place, firstLine }))),
      )
      const hits = await all((page) => store.hits({}, page), limit)
      expect(hits.map(({ bucket, path, log, line }) => ({ bucket, path, log, line }))).toEqual(
        places.flatMap((place) => [1, 5].map((line) => ({ ...place, line }))),
      )
    }
  })

  test('a run comes after a key amid its logs, as its own stands for its end', async () => {
    const { store } = given
    await putSample(store, run, {})
    const key = { time: run.time, bucket: run.bucket, path: run.path }
    const paths = async (after: OrderKey) => (await store.runs({}, { limit: 9, after })).items.map(({ path }) => path)
    expect(await paths({ ...key, log: 'build-log.txt', line: 1 })).toEqual([run.path])
    expect(await paths(key)).toEqual([])
  })

  test('a key within a block gives that block again, one without line or log leaves the rest of it out', async () => {
    const { store } = given
    await putSample(store, run, { a: blocksOf(['1', '2', '3', '4', '5']), b: blocksOf(['1']) })
    const from = async (after: Partial<OrderKey>) => {
      const page = await store.candidates({}, { limit: 10, after: { time: run.time, ...keyOf(run), ...after } })
      return page.items.map(({ log, firstLine }) => `${log}${firstLine}`)
    }
    expect(await from({ log: 'a', line: 0 })).toEqual(['a1', 'a3', 'a5', 'b1'])
    expect(await from({ log: 'a', line: 3 })).toEqual(['a3', 'a5', 'b1'])
    expect(await from({ log: 'a', line: 4 })).toEqual(['a5', 'b1'])
    expect(await from({ log: 'a' })).toEqual(['b1'])
    expect(await from({})).toEqual([])
  })

  test('a page never ends amid the windows of a line, nor the hits of one', async () => {
    const { store } = given
    const [block] = blocksOf(['x'])
    const windows = [0, 1, 2].flatMap((window) => (block ? [{ ...block, window }] : []))
    const hits = ['s1', 's2'].map((signature) => sampleHit(run, { signature }))
    const tail = { ...only(blocksOf(['y'])), firstLine: 2 }
    await putSample(
      store,
      run,
      { 'build-log.txt': [...windows, tail] },
      { hits: [...hits, sampleHit(run, { line: 2 })] },
    )
    const first = await store.candidates({}, { limit: 2 })
    expect(first.items.map(({ window }) => window)).toEqual([0, 1, 2])
    const second = await store.candidates({}, { limit: 2, ...(first.next ? { after: first.next } : {}) })
    expect(second.items.map(({ firstLine }) => firstLine)).toEqual([2])
    expect(second).not.toHaveProperty('next')
    expect((await store.hits({}, { limit: 1 })).items.map(({ signature }) => signature)).toEqual(['s1', 's2'])
  })
}

function filters(given: Given): void {
  test('hold together, `from` inclusive and `to` exclusive, and an empty list matches nothing', async () => {
    const { store } = given
    const refs = { org: 'o', repo: 'r', pulls: [{ number: 7 }, { number: 8 }] }
    const runs = [
      sampleRun({ path: 'pr-logs/pull/o_r/7/pull-e2e/3', type: 'presubmit', result: 'success', refs }),
      sampleRun({ path: 'logs/periodic-e2e/2', time: SAMPLE_TIME - 1 }),
      sampleRun({ bucket: 'gs://other', path: 'logs/periodic-e2e/1', time: SAMPLE_TIME - 2, result: 'aborted' }),
    ]
    for (const each of runs) {
      const texts = { 'build-log.txt': blocksOf(['x']), 'artifacts/lease.log': blocksOf(['y']) }
      await putSample(store, each, texts, { hits: [sampleHit(each)] })
    }
    const table: [Parameters<Store['runs']>[0], number[]][] = [
      [{}, [0, 1, 2]],
      [{ from: SAMPLE_TIME - 1, to: SAMPLE_TIME }, [1]],
      [{ bucket: 'gs://other' }, [2]],
      [{ jobs: ['periodic-e2e'] }, [1, 2]],
      [{ jobs: ['periodic-e2e', 'pull-e2e', 'none'] }, [0, 1, 2]],
      [{ jobs: [] }, []],
      [{ results: ['success', 'aborted'] }, [0, 2]],
      [{ results: [] }, []],
      [{ types: ['presubmit'] }, [0]],
      [{ types: [] }, []],
      [{ buildId: '2' }, [1]],
      [{ pull: { org: 'o', repo: 'r', number: 8 } }, [0]],
      [{ pull: { org: 'o', repo: 'x', number: 8 } }, []],
      [{ jobs: ['periodic-e2e'], results: ['failure'], to: SAMPLE_TIME }, [1]],
    ]
    for (const [filter, expected] of table) {
      const found = await all((page) => store.runs(filter, page), 10)
      expect(found.map((each) => each.path)).toEqual(expected.map((i) => runs[i]?.path))
      expect(await all((page) => store.candidates(filter, page), 10)).toHaveLength(2 * expected.length)
      expect(await all((page) => store.hits(filter, page), 10)).toHaveLength(expected.length)
      const counted = (await store.rollups(filter)).filter(({ kind }) => kind === 'any')
      expect(counted.reduce((sum, row) => sum + row.runs, 0)).toBe(expected.length)
    }
    const kinds = async (filter: Parameters<Store['candidates']>[0]) =>
      (await all((page) => store.candidates(filter, page), 10)).map(({ log }) => log)
    expect(await kinds({ kinds: ['container-log'], buildId: '2' })).toEqual(['artifacts/lease.log'])
    expect(await kinds({ kinds: [] })).toEqual([])
    expect(await store.jobs()).toEqual(['periodic-e2e', 'pull-e2e'])
  })
}

function blocks(given: Given): void {
  test('of a log are found by their lines', async () => {
    const { store } = given
    await putSample(store, run, { a: blocksOf(['1', '2', '3', '4', '5']), b: blocksOf(['x']) })
    const found = async (from: number, to: number) => texts(store, await store.blocks(run, 'a', from, to))
    expect(await found(2, 3)).toEqual(['1\n2', '3\n4'])
    expect(await found(5, 900)).toEqual(['5'])
    expect(await found(6, 9)).toEqual([])
    expect(await store.blocks(run, 'none', 1, 9)).toEqual([])
    expect(only(await store.blocks(run, 'a', 5, 5))).toMatchObject({
      ...keyOf(run),
      time: run.time,
      log: 'a',
      firstLine: 5,
      lineCount: 1,
      ascii: true,
    })
  })

  test('keep any bytes, none among them, and say whether they are ASCII', async () => {
    const { store } = given
    const bytes = [new Uint8Array(0), Uint8Array.from([0, 10, 13, 0xff, 0xc3]), new Uint8Array(200_000).fill(97)]
    const kept = bytes.map((each, i) => ({ firstLine: i + 1, lineCount: 1, bytes: each, ascii: i !== 1 }))
    await putSample(store, run, { 'build-log.txt': kept })
    const found = await store.blocks(run, 'build-log.txt', 1, 3)
    expect(found.map(({ ascii }) => ascii)).toEqual([true, false, true])
    const read = await store.read(found.map(({ ref }) => ref).toReversed())
    expect(read.map((each) => each?.length)).toEqual([200_000, 5, 0])
    expect([...(read[1] ?? [])]).toEqual([0, 10, 13, 0xff, 0xc3])
  })
}

function plans(given: Given): void {
  const gram = (text: string): Plan => ({ kind: 'gram', gram: only([...gramsOf(text)]) })
  /** Blocks by what they hold: the first letter alone is in all of them. */
  const held = ['aaa bbb', 'aaa ccc', 'aaa', 'aaa bbb ccc', 'aaa\u212a\u212a\u212a', '', 'aaa bbb']
  const table: [string, Plan, number[]][] = [
    ['all', { kind: 'all' }, [0, 1, 2, 3, 4, 5, 6]],
    ['none', { kind: 'none' }, []],
    ['a gram of many', gram('aaa'), [0, 1, 2, 3, 4, 6]],
    ['a gram of few', gram('ccc'), [1, 3]],
    ['a gram of none', gram('zzz'), []],
    ['a folded gram', gram('KKK'), [4]],
    ['and', { kind: 'and', of: [gram('aaa'), gram('bbb')] }, [0, 3, 6]],
    ['or', { kind: 'or', of: [gram('ccc'), gram('kkk')] }, [1, 3, 4]],
    ['nested', { kind: 'and', of: [{ kind: 'or', of: [gram('ccc'), gram('zzz')] }, gram('bbb')] }, [3]],
  ]

  /** Spread over runs, logs and days; every other run is sealed, the rest not, where a store does such. */
  async function stored(store: Store): Promise<void> {
    for (const [i, text] of held.entries()) {
      const each = sampleRun({ path: `logs/j/${i}`, time: SAMPLE_TIME - i * 5 * HOUR })
      const kept = { firstLine: 1, lineCount: 1, bytes: Buffer.from(text), ascii: !text.includes('\u212a') }
      await putSample(store, each, { 'build-log.txt': [kept], 'artifacts/lease.log': blocksOf(['lease']) })
      if (i === 3) await store.maintain()
    }
  }

  test.each(table)('%s: no block that satisfies it is left out, whatever else is in', async (_, plan, wanted) => {
    const { store } = given
    await stored(store)
    for (const sealed of [false, true]) {
      if (sealed) await store.maintain()
      for (const limit of [1, 3, 100]) {
        const filter: CandidateFilter = { plan, kinds: ['build-log'] }
        const found = await all((page) => store.candidates(filter, page), limit)
        const paths = found.map(({ path }) => path)
        expect(paths).toEqual([...new Set(paths)].sort())
        expect(paths).toEqual(expect.arrayContaining(wanted.map((i) => `logs/j/${i}`)))
        expect(await considered(store, filter, limit)).toBe(held.length)
        expect(await considered(store, { plan }, limit)).toBe(2 * held.length)
      }
    }
  })

  test('the other conditions hold, and pages go on from any key', async () => {
    const { store } = given
    await stored(store)
    const plan = gram('bbb')
    const after = { time: SAMPLE_TIME - 3 * 5 * HOUR, bucket: run.bucket, path: 'logs/j/3' }
    const paths = async (filter: CandidateFilter, key?: OrderKey) =>
      (await store.candidates(filter, { limit: 9, ...(key ? { after: key } : {}) })).items.map(({ path }) => path)
    for (const sealed of [false, true]) {
      if (sealed) await store.maintain()
      expect(await paths({ plan, buildId: '3' })).toEqual(expect.arrayContaining(['logs/j/3']))
      expect(await paths({ plan, buildId: '3', jobs: [] })).toEqual([])
      expect(await paths({ plan, from: SAMPLE_TIME })).toEqual(expect.arrayContaining(['logs/j/0']))
      expect(await paths({ plan, kinds: ['build-log'] }, { ...after, log: 'build-log.txt', line: 0 })).toContain(
        'logs/j/3',
      )
      expect(await paths({ plan, kinds: ['build-log'] }, after)).toContain('logs/j/6')
      expect(await paths({ plan, kinds: ['build-log'] }, after)).not.toContain('logs/j/3')
    }
  })

  test('text that is replaced or expires is left out, and what comes in its place is found', async () => {
    const { store } = given
    await stored(store)
    await store.maintain()
    const found = async (text: string) =>
      (await all((page) => store.candidates({ plan: gram(text), kinds: ['build-log'] }, page), 2)).map(
        ({ path }) => path,
      )
    await putSample(store, sampleRun({ path: 'logs/j/1', time: SAMPLE_TIME }), {
      'build-log.txt': blocksOf(['new ddd']),
    })
    for (const sealed of [false, true]) {
      if (sealed) await store.maintain()
      expect(await found('ddd')).toContain('logs/j/1')
      expect(await found('ccc')).toContain('logs/j/3')
    }
    await store.maintain({ expireBefore: '2026-11-03' })
    expect(await found('bbb')).toEqual(expect.not.arrayContaining(['logs/j/6']))
    expect(await found('ddd')).toContain('logs/j/1')
  })
}

async function considered(store: Store, filter: CandidateFilter, limit: number): Promise<number> {
  let sum = 0
  for (let page: Page | undefined = { limit }; page; ) {
    const found: CandidatePage = await store.candidates(filter, page)
    expect(found.considered).toBeGreaterThanOrEqual(found.items.length)
    sum += found.considered
    page = found.next && { limit, after: found.next }
  }
  return sum
}

function hits(given: Given): void {
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

function counts(given: Given): void {
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
        const rows = await store.rollups({ ...(from ? { from } : {}), ...(to ? { to } : {}) })
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
}

function upkeep(given: Given): void {
  test('sweeps what was replaced or never published, and ends what is open', async () => {
    const { store } = given
    await putSample(store, run, { 'build-log.txt': blocksOf(['old']) })
    const old = only((await store.candidates({}, { limit: 1 })).items).ref
    await putSample(store, run, { 'build-log.txt': blocksOf(['new']) })
    const open = await store.begin(sampleRun({ path: 'logs/j/2' }))
    await store.append(open, logName('build-log.txt'), blocksOf(['never']))
    expect(await store.maintain()).toEqual({ swept: 2, expiredDays: [] })
    expect(await store.maintain()).toEqual({ swept: 0, expiredDays: [] })
    expect(await store.read([old])).toEqual([undefined])
    expect(await texts(store, (await store.candidates({}, { limit: 10 })).items)).toEqual(['new'])
    await expect(store.append(open, logName('build-log.txt'), blocksOf(['x']))).rejects.toMatchObject({
      code: 'STORE_FAILED',
    })
  })

  test('retention takes whole days of text, and nothing else', async () => {
    const { store } = given
    const later = sampleRun({ path: 'logs/j/2', time: SAMPLE_TIME + DAY })
    for (const each of [run, later]) {
      await putSample(store, each, { 'build-log.txt': blocksOf(['text']) }, { hits: [sampleHit(each)] })
    }
    const refs = (await store.candidates({}, { limit: 10 })).items.map(({ ref }) => ref)
    expect(await store.maintain({ expireBefore: '2026-11-04' })).toEqual({ swept: 0, expiredDays: ['2026-11-03'] })
    expect(await store.run(run)).toMatchObject({ expired: true, hits: [{}], logs: [{}] })
    expect(await store.run(later)).toMatchObject({ expired: false })
    expect((await store.read(refs)).map((bytes) => bytes && Buffer.from(bytes).toString())).toEqual(['text', undefined])
    expect(await store.blocks(run, 'build-log.txt', 1, 1)).toEqual([])
    expect((await all((page) => store.candidates({}, page), 1)).map(({ path }) => path)).toEqual([later.path])
    expect(await all((page) => store.runs({}, page), 1)).toHaveLength(2)
    expect(await all((page) => store.hits({}, page), 1)).toHaveLength(2)
    expect(await store.status()).toMatchObject({ logs: 2, rawBytes: 4, days: ['2026-11-04'] })
  })

  test('a run read again after its day expired has text again, under other block ids', async () => {
    const { store } = given
    const other = sampleRun({ path: 'logs/j/2' })
    for (const each of [run, other]) await putSample(store, each, { 'build-log.txt': blocksOf(['old']) })
    const refs = (await store.candidates({}, { limit: 10 })).items.map(({ ref }) => ref)
    await store.maintain({ expireBefore: '2026-11-04' })
    await putSample(store, run, { 'build-log.txt': blocksOf(['new']) })
    expect(await store.read(refs)).toEqual([undefined, undefined])
    expect(await texts(store, (await store.candidates({}, { limit: 10 })).items)).toEqual(['new'])
    expect(await store.run(run)).toMatchObject({ expired: false })
    expect(await store.run(other)).toMatchObject({ expired: true })
  })
}

function notes(given: Given): void {
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

async function texts(store: Store, blocks: readonly Candidate[]): Promise<(string | undefined)[]> {
  const read = await store.read(blocks.map(({ ref }) => ref))
  return read.map((bytes) => bytes && Buffer.from(bytes).toString())
}

async function all<T>(read: (page: Page) => Promise<Paged<T>>, limit: number): Promise<T[]> {
  const items: T[] = []
  for (let page: Page | undefined = { limit }; page; ) {
    const { items: more, next }: Paged<T> = await read(page)
    items.push(...more)
    page = next && { limit, after: next }
  }
  return items
}

function only<T>(items: readonly T[]): T {
  const [item] = items
  if (items.length !== 1 || item === undefined) throw new Error(`${items.length} items where one was expected`)
  return item
}
