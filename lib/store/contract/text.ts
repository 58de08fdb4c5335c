import { expect, test } from 'vitest'
import { blocksOf, keyOf, logName, putSample, SAMPLE_TIME, sampleHit, sampleRun } from '../../testing/records.ts'
import { all, DAY, type Given, only, run, texts } from './given.ts'

export function blocks(given: Given): void {
  test('of a log are found by their lines', async () => {
    const { store } = given
    await putSample(store, run, { a: blocksOf(['1', '2', '3', '4', '5']), b: blocksOf(['x']) })
    const found = async (from: number, to: number) => texts(store, await store.blocks(run, 'a', from, to))
    expect(await found(2, 3)).toEqual(['1\n2', '3\n4'])
    expect(await found(5, 900)).toEqual(['5'])
    expect(await found(5, Number.MAX_SAFE_INTEGER)).toEqual(['5'])
    expect(await found(9_999_999_999, 9_999_999_999)).toEqual([])
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
    expect(found.map(({ size }) => size)).toEqual([0, 5, 200_000])
    const read = await store.read(found.map(({ ref }) => ref).toReversed())
    expect(read.map((each) => each?.length)).toEqual([200_000, 5, 0])
    expect([...(read[1] ?? [])]).toEqual([0, 10, 13, 0xff, 0xc3])
  })
}

export function upkeep(given: Given): void {
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
