import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SearchAnswer, SearchOptions } from './engine.ts'
import { createPool, type Pool } from './pool.ts'
import type { SearchQuery } from './query.ts'
import { runSearch } from './run-search.ts'
import { bothStores } from './testing/both-stores.ts'
import { bruteForce, outline } from './testing/brute-force.ts'
import { NOW, plain, query, runs, type World, worldOf } from './testing/world.ts'

const QUERY: SearchQuery = { patterns: ['x'], range: { lastMs: 86_400_000 }, context: 1, groupBy: 'job' }
const OPTIONS: SearchOptions = { maxHits: 1_000, maxHitsPerLog: 5_000, deadlineMs: 30_000, now: NOW }

let pool: Pool
beforeAll(() => {
  pool = createPool(2)
})
afterAll(() => pool.close())

function search(
  { store, dataDir, now }: World,
  query: Partial<SearchQuery>,
  options: Partial<SearchOptions> = {},
): Promise<SearchAnswer> {
  return runSearch({ store, pool, dataDir, width: 3 }, { ...QUERY, ...query }, { ...OPTIONS, now, ...options })
}

describe.each(bothStores())('over the %s store', (_, build) => {
  const range = { lastMs: 1_800_000 }

  test('hits are what a scan of every line finds, in the total order, with context over block borders', async () => {
    await fc.assert(
      fc.asyncProperty(runs, query, async (logs, asked) => {
        const { hits, partial, next } = await search(await build(logs), { ...asked, range })
        expect(hits.map(outline)).toEqual(bruteForce(logs, { ...QUERY, ...asked }))
        expect({ partial, next }).toEqual({ partial: [], next: undefined })
      }),
      { numRuns: 60 },
    )
  })
})

describe('an answer', () => {
  test('keeps to the jobs, kinds, results and range asked for', async () => {
    const world = await worldOf([
      plain('e2e-aws', 1, ['x'], ['x']),
      plain('e2e-gcp', 2, ['x']),
      plain('unit', 3, ['x']),
      plain('e2e-aws', 2_000, ['x']),
    ])
    const jobs = async (asked: Partial<SearchQuery>) =>
      (await search(world, asked)).hits.map((hit) => `${hit.job} ${hit.log}`)
    expect(await jobs({ job: '^E2E', kinds: ['build-log'] })).toEqual([])
    expect(await jobs({ job: '^e2e', kinds: ['build-log'] })).toEqual([
      'e2e-aws build-log.txt',
      'e2e-gcp build-log.txt',
    ])
    expect(await jobs({ job: 'e2e', excludeJob: 'gcp' })).toEqual(['e2e-aws artifacts/1.log', 'e2e-aws build-log.txt'])
    expect(await jobs({ results: ['success'] })).toEqual([])
    expect(await jobs({ range: { from: 0, to: NOW - 86_400_000 } })).toEqual(['e2e-aws build-log.txt'])
  })

  test('shows 2,000 characters of a line round the first match', async () => {
    const world = await worldOf([plain('e2e', 1, [`${'😀'.repeat(2_001)}needle${'z'.repeat(5_000)}`])])
    const [hit] = (await search(world, { patterns: ['needle'] })).hits
    expect(hit?.text.length).toBeLessThanOrEqual(2_000)
    expect(hit?.spans.map(({ from, to }) => hit.text.slice(from, to))).toEqual(['needle'])
    expect(hit?.text.isWellFormed()).toBe(true)
  })

  test('finds a match amid a line of windows once, and says that the line was cut', async () => {
    const world = await worldOf([
      plain('e2e', 1, ['a', `${'y'.repeat(130_000)}needle needle${'y'.repeat(130_000)}needle`, 'b']),
    ])
    const { hits } = await search(world, { patterns: ['needle'] })
    expect(hits).toEqual([expect.objectContaining({ line: 2, cut: true, before: ['a'], after: ['b'] })])
  })
})

test('the first 100 spans of a line that takes a scan to its end for each of its matches', async () => {
  const world = await worldOf([plain('e2e', 1, ['cé'.repeat(20_000)])])
  const { hits, partial } = await search(world, { patterns: ['[^a]*a|[^a]'] })
  expect(partial).toEqual([])
  expect(hits.map(({ line }) => line)).toEqual([1])
  expect(hits[0]?.spans).toEqual(Array.from({ length: 100 }, (_, at) => ({ from: at, to: at + 1, pattern: 0 })))
})

describe('a pattern that does not parse', () => {
  test.each<[string, Partial<SearchQuery>]>([
    ['pattern', { patterns: ['fine', 'a('] }],
    ['job', { job: '[' }],
    ['excluded job', { excludeJob: '*' }],
  ])('%s: REGEX_SYNTAX, also when nothing is stored', async (_, asked) => {
    const refusal = search(await worldOf([]), asked)
    await expect(refusal).rejects.toMatchObject({ code: 'REGEX_SYNTAX', position: expect.any(Number) })
  })
})

/** Backtracks without end on STUCK: V8's linear engine takes no such counts. */
const CATASTROPHE = 'needle|^(?:x+x+){17,40}y'
const STUCK = 'x'.repeat(60)

describe('a pattern that comes to no end', () => {
  test('on one block: its thread is ended, the block left out, all else answered', async () => {
    const world = await worldOf([
      plain('a', 1, ['needle']),
      plain('b', 2, ['needle', '1', '2', STUCK, 'needle', '5', 'needle']),
      plain('c', 3, ['needle']),
    ])
    const { hits, partial, searched, next } = await search(world, { patterns: [CATASTROPHE] }, { deadlineMs: 20_000 })
    expect(hits.map(({ job, line }) => `${job} ${line}`)).toEqual(['a 1', 'b 1', 'b 7', 'c 1'])
    expect({ partial, leftOut: searched.leftOut, next }).toEqual({ partial: ['deadline'], leftOut: 1, next: undefined })
  })

  test('on every block: a partial answer at the deadline, that goes on past what was left out', async () => {
    const world = await worldOf(Array.from({ length: 40 }, (_, index) => plain('a', index + 1, [STUCK, STUCK])))
    const first = await search(world, { patterns: [CATASTROPHE] }, { deadlineMs: 1_500 })
    expect(first).toMatchObject({ hits: [], partial: ['deadline'] })
    const time = first.next?.time ?? 0
    let next = first.next
    for (let page = 0; page < 10 && next && next.time >= time; page++) {
      next = (await search(world, { patterns: [CATASTROPHE] }, { deadlineMs: 1_500, after: next })).next
    }
    expect(next?.time).toBeLessThan(time)
    expect((await search(world, { patterns: ['x$'] })).hits).toHaveLength(80)
  })

  test('in a job regex: SEARCH_DEADLINE, and the next search is answered', async () => {
    const world = await worldOf([plain(STUCK, 1, ['x'])])
    const stuck = search(world, { job: CATASTROPHE }, { deadlineMs: 3_000 })
    await expect(stuck).rejects.toMatchObject({ code: 'SEARCH_DEADLINE' })
    expect((await search(world, { job: 'x' })).hits).toHaveLength(1)
  })
})

test('a reader who leaves ends the work', async () => {
  const world = await worldOf([plain('a', 1, [STUCK]), plain('b', 2, [STUCK]), plain('c', 3, [STUCK])])
  const reader = new AbortController()
  const left = search(world, { patterns: [CATASTROPHE] }, { signal: reader.signal })
  setTimeout(() => reader.abort(), 200)
  await expect(left).rejects.toMatchObject({ name: 'AbortError' })
  expect((await search(world, { patterns: ['x'] })).hits).toHaveLength(3)
})

test('searches side by side each get their answer', async () => {
  const world = await worldOf(Array.from({ length: 30 }, (_, index) => plain('a', index + 1, ['needle', 'x'])))
  const patterns = ['needle', 'x', CATASTROPHE, 'nothing']
  const answers = await Promise.all(patterns.map((pattern) => search(world, { patterns: [pattern] })))
  expect(answers.map(({ hits }) => hits.length)).toEqual([30, 30, 30, 0])
})
