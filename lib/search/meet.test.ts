import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SearchAnswer, SearchOptions } from './engine.ts'
import { type Meet, meetOf, meets, patternWords } from './meet.ts'
import { createPool, type Pool } from './pool.ts'
import type { SearchQuery } from './query.ts'
import { runCount } from './run-count.ts'
import { runSearch } from './run-search.ts'
import { bothStores } from './testing/both-stores.ts'
import { bruteForce, outline } from './testing/brute-force.ts'
import { NOW, pattern, plain, runs, type World, worldOf } from './testing/world.ts'

const QUERY: SearchQuery = { patterns: ['a', 'b'], range: { lastMs: 1_800_000 }, context: 1, groupBy: 'job' }

let pool: Pool
beforeAll(() => {
  pool = createPool(2)
})
afterAll(() => pool.close())

test.each<[Meet, readonly number[], boolean]>([
  ['any', [0, 2], true],
  ['any', [0, 0], false],
  ['all', [1, 2, 1], true],
  ['all', [1, 0, 1], false],
  ['without', [3, 0, 0], true],
  ['without', [3, 0, 1], false],
  ['without', [0, 0], false],
])('%s of %j: %s', (meet, lines, expected) => {
  expect(meets(meet, lines)).toBe(expected)
})

test('one pattern alone meets nothing', () => {
  expect(meetOf({ patterns: ['a'], meet: 'without' })).toBe('any')
  expect(meetOf({ patterns: ['a', 'b'], meet: 'without' })).toBe('without')
})

test.each<[Meet | undefined, readonly string[], string]>([
  [undefined, ['a', 'b'], 'a or b'],
  ['all', ['a', 'b', 'c'], 'a and b and c'],
  ['without', ['a', 'b', 'c'], 'a without b or c'],
  ['without', ['a'], 'a'],
])('%s of %j in words', (meet, patterns, words) => {
  expect(patternWords({ patterns, ...(meet && meet !== 'any' ? { meet } : {}) })).toBe(words)
})

const toolsOf = ({ store, dataDir }: World) => ({ store, pool, dataDir, width: 3 })

async function search(world: World, asked: Partial<SearchQuery>, limits: Partial<SearchOptions> = {}) {
  const all = { maxHits: 1_000, maxHitsPerLog: 5_000, deadlineMs: 30_000, now: world.now }
  return await runSearch(toolsOf(world), { ...QUERY, ...asked }, { ...all, ...limits })
}

async function pagesOf(world: World, asked: Partial<SearchQuery>, limits: Partial<SearchOptions>) {
  const pages: SearchAnswer[] = [await search(world, asked, limits)]
  for (let after = pages[0]?.next; after; after = pages.at(-1)?.next)
    pages.push(await search(world, asked, { ...limits, after }))
  return pages
}

const asked = fc.record({
  patterns: fc.array(pattern, { minLength: 1, maxLength: 3 }),
  excludes: fc.array(pattern, { maxLength: 1 }),
  meet: fc.constantFrom('all' as const, 'without' as const),
  context: fc.integer({ min: 0, max: 2 }),
})

describe.each(bothStores())('patterns that meet, over the %s store', (_, build) => {
  test('give the lines of just those runs that a scan finds, in pages of any size', async () => {
    await fc.assert(
      fc.asyncProperty(runs, asked, fc.integer({ min: 1, max: 4 }), async (given, query, maxHits) => {
        const world = await build(given)
        const expected = bruteForce(given, { ...query, ...(query.patterns.length > 1 ? {} : { meet: 'any' as const }) })
        const whole = await search(world, query)
        expect(whole.hits.map(outline)).toEqual(expected)
        expect(whole.partial).toEqual([])
        const pages = await pagesOf(world, query, { maxHits })
        expect(pages.flatMap(({ hits }) => hits)).toEqual(whole.hits)
      }),
      { numRuns: 40 },
    )
  })

  test('are counted by the same rule, and as they are without it', async () => {
    await fc.assert(
      fc.asyncProperty(runs, asked, fc.boolean(), async (given, query, firstOnly) => {
        const world = await build(given)
        const options = { deadlineMs: 30_000, now: world.now, firstOnly }
        const counted = await runCount(toolsOf(world), { ...QUERY, ...query }, options)
        const { meet: __, ...any } = query
        const all = await runCount(toolsOf(world), { ...QUERY, ...any }, options)
        expect(counted.seen ?? counted.runs).toEqual(all.runs)
        expect(counted.runs).toEqual(all.runs.filter(({ lines }) => meets(meetOf(query), lines)))
      }),
      { numRuns: 25 },
    )
  })
})

test('lines of the first pattern alone are shown where the others must be absent', async () => {
  const world = await worldOf([plain('both', 1, ['a', 'b']), plain('first', 2, ['a', 'c']), plain('other', 3, ['b'])])
  const answer = await search(world, { meet: 'without' })
  expect(answer.hits.map(({ job, text, patterns }) => [job, text, patterns])).toEqual([['first', 'a', [0]]])
  expect(answer.counted?.runs.map(({ job }) => job)).toEqual(['first'])
  expect(answer.counted?.seen?.map(({ job }) => job)).toEqual(['both', 'first', 'other'])
})

test('an excluded line counts for no pattern', async () => {
  const world = await worldOf([plain('e2e', 1, ['a', 'a retry', 'b retry'])])
  expect((await search(world, { excludes: ['RETRY', 'retry'] })).hits.map(({ text }) => text)).toEqual(['a'])
  expect((await search(world, { excludes: ['retry'], meet: 'all' })).hits).toEqual([])
})

test('cut by bytes, it tells of whole runs only, and the next page goes on below them', async () => {
  const jobs = ['1', '2', '3', '4', '5', '6']
  const world = await worldOf(jobs.map((job, at) => plain(job, at + 1, ['needle a', 'x', 'x', 'needle b'])))
  const limits = { maxBytes: 50 }
  const first = await search(world, { patterns: ['needle a', 'needle b'], meet: 'all' }, limits)
  expect(first.partial).toContain('bytes')
  expect(first.next).toBeDefined()
  const pages = await pagesOf(world, { patterns: ['needle a', 'needle b'], meet: 'all' }, limits)
  expect(pages.flatMap(({ hits }) => hits.map(({ job, line }) => `${job}:${line}`))).toEqual(
    jobs.flatMap((job) => [`${job}:1`, `${job}:4`]),
  )
  expect(first.counted?.countedFrom).toBeLessThanOrEqual(NOW)
})

test('a pattern to exclude that does not parse is named', async () => {
  const world = await worldOf([plain('a', 1, ['a'])])
  await expect(search(world, { excludes: ['fine', 'a('] })).rejects.toMatchObject({
    code: 'REGEX_SYNTAX',
    message: expect.stringContaining('excluded pattern `a(`: '),
    pattern: { parameter: 'exclude', index: 1 },
  })
})
