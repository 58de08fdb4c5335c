import { expect, test } from 'vitest'
import { blocksOf, keyOf, putSample, SAMPLE_TIME, sampleHit, sampleRun } from '../../testing/records.ts'
import type { OrderKey } from '../store.ts'
import { all, type Given, only, run } from './given.ts'

export function paging(given: Given): void {
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
