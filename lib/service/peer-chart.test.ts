import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSearcher, type Searcher } from '../search/engine.ts'
import { createReferenceStore } from '../store/reference.ts'
import { makeContext } from '../testing/context.ts'
import { storeRun } from '../testing/stored-run.ts'
import { HOUR, makeRun, makeSignature } from '../testing/values.ts'
import type { Context } from './context.ts'
import { type ChartView, chartQuery, chartView } from './peer-chart.ts'

const NOW = Date.UTC(2026, 11, 1, 12)
const store = createReferenceStore()
const SIGNATURES = [
  makeSignature({ id: 'a', regexes: ['EOF', 'never'] }),
  makeSignature({ id: 'b', regexes: ['quiet'], status: { state: 'muted', reason: 'noise' } as never }),
  makeSignature({ id: 'c', regexes: [] }),
]
let ctx: Context
let searcher: Searcher

beforeAll(async () => {
  searcher = createSearcher({ store, threads: 1 })
  ctx = { ...makeContext(store, SIGNATURES, NOW), searcher }
  const put = async (given: Partial<Parameters<typeof makeRun>[0]> & { path: string }, text: string) => {
    const run = makeRun({ startedAt: NOW - 3 * HOUR, ...given })
    await storeRun(store, run, { 'build-log.txt': Buffer.from(text) })
  }
  await put({ path: 'logs/aws-e2e-serial/1' }, 'EOF\nno route\n')
  await put({ path: 'logs/aws-e2e-serial/2', startedAt: NOW - 5 * HOUR, result: 'error' }, 'no route\n')
  await put({ path: 'logs/aws-e2e-serial/3', startedAt: NOW - 6 * HOUR, result: 'success' }, 'EOF\n')
  await put({ path: 'logs/aws-e2e-serial/4', startedAt: NOW - 7 * HOUR }, 'something else\n')
  await put({ path: 'logs/aws-e2e-serial/5', startedAt: NOW - 80 * HOUR }, 'EOF of old\n')
  await put({ path: 'logs/unit/6' }, 'EOF\n')
  const { startedAt: _, finishedAt: __, ...unknown } = makeRun({ path: 'logs/aws-e2e-x/7', startedAt: 0 })
  const time = NOW - HOUR
  await storeRun(
    store,
    { ...unknown, result: 'pending', time, timeSource: 'id' },
    { 'build-log.txt': Buffer.from('x') },
  )
})
afterAll(() => searcher.close())

async function chart(text: string): Promise<ChartView> {
  return await chartView(ctx, await chartQuery(ctx, new URLSearchParams(text)))
}

test('a failed run is of the first pattern that matches; all runs of the jobs are drawn, oldest first', async () => {
  const { runs, of, patterns, window, partial } = await chart('search=no+route&search=EOF')
  expect(runs.map(({ buildId, pattern, took }) => [buildId, pattern, took / HOUR])).toEqual([
    ['4', undefined, 1],
    ['3', undefined, 1],
    ['2', 0, 1],
    ['1', 0, 1],
    ['7', undefined, 1],
  ])
  expect(of).toEqual({ runs: 5, failed: 3 })
  expect(patterns).toEqual([
    { pattern: 'no route', failed: 2 },
    { pattern: 'EOF', failed: 0 },
  ])
  expect(window).toEqual({ from: NOW - 48 * HOUR, to: NOW })
  expect(partial).toEqual([])
  const turned = await chart('search=EOF&search=no+route')
  expect(turned.patterns.map(({ failed }) => failed)).toEqual([1, 1])
})

test('of other jobs, and further back', async () => {
  expect((await chart('search=EOF&name=')).of).toEqual({ runs: 6, failed: 4 })
  expect((await chart('search=EOF&name=^unit$')).patterns).toEqual([{ pattern: 'EOF', failed: 1 }])
  expect((await chart('search=EOF&name=nowhere')).of).toEqual({ runs: 0, failed: 0 })
  expect((await chart('search=EOF&maxAge=7d')).patterns).toEqual([{ pattern: 'EOF', failed: 2 }])
})

describe('without a pattern', () => {
  test.each(['', 'search=', 'name=x'])('%j draws those of known failures that are active', async (text) => {
    expect((await chartQuery(ctx, new URLSearchParams(text))).patterns).toEqual(['EOF'])
  })
})

test('what is wrong is told', async () => {
  await expect(chart('search=x&search=a(')).rejects.toMatchObject({ code: 'REGEX_SYNTAX', pattern: { index: 1 } })
  await expect(chart('search=x&maxAge=x')).rejects.toMatchObject({ code: 'QUERY_INVALID' })
})
