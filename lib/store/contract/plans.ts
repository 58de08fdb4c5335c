import { expect, test } from 'vitest'
import type { Plan } from '../../model/plan.ts'
import { blocksOf, putSample, SAMPLE_TIME, sampleRun } from '../../testing/records.ts'
import { gramsOf } from '../../text/grams.ts'
import type { CandidateFilter, CandidatePage, OrderKey, Page, Store } from '../store.ts'
import { all, type Given, HOUR, only, run } from './given.ts'

export function plans(given: Given): void {
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
