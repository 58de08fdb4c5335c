import fc from 'fast-check'
import { RE2JS } from 're2js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { matchText } from '../text/match-text.ts'
import type { CountAnswer, CountOptions } from './engine.ts'
import { createPool, type Pool } from './pool.ts'
import type { SearchQuery } from './query.ts'
import { runCount } from './run-count.ts'
import { bothStores } from './testing/both-stores.ts'
import { cutBlocks, NOW, plain, query, runs, type TestRun, type World, worldOf } from './testing/world.ts'

const QUERY: SearchQuery = { patterns: ['x'], range: { lastMs: 1_800_000 }, context: 0, groupBy: 'job' }

let pool: Pool
beforeAll(() => {
  pool = createPool(2)
})
afterAll(() => pool.close())

function count(world: World, asked: Partial<SearchQuery>, options: Partial<CountOptions> = {}): Promise<CountAnswer> {
  const { store, dataDir, now } = world
  return runCount({ store, pool, dataDir, width: 3 }, { ...QUERY, ...asked }, { deadlineMs: 30_000, now, ...options })
}

/** Matching lines of each run by re2js, line by line; runs without any left out. */
function bruteForce(given: readonly TestRun[], patterns: readonly string[]) {
  const matchers = patterns.map((pattern) => RE2JS.compile(pattern, /[A-Z]/.test(pattern) ? 0 : RE2JS.CASE_INSENSITIVE))
  return given
    .map(({ job, minutesAgo, logs }) => {
      const texts = logs.flat().map((line) => cutBlocks([line]).map((block) => matchText(block.bytes, block.ascii)))
      const found = texts.map((windows) => matchers.map((re) => windows.some((text) => re.test(text))))
      const lines = patterns.map((_, at) => found.filter((line) => line[at]).length)
      return { job, minutesAgo, lines, any: found.filter((line) => line.includes(true)).length }
    })
    .filter(({ any }) => any > 0)
}

function outline({ runs }: CountAnswer, now: number) {
  return runs.map(({ job, time, lines, any }) => ({ job, minutesAgo: (now - time) / 60_000, lines, any }))
}

const key = (run: object) => JSON.stringify(run)
const sorted = (of: readonly object[]) => of.map(key).sort()

describe.each(bothStores())('counting over the %s store', (_, build) => {
  test('gives each run the lines that a scan of all of them finds, newest first', async () => {
    await fc.assert(
      fc.asyncProperty(runs, query, async (given, { patterns }) => {
        const world = await build(given)
        const answer = await count(world, { patterns })
        const found = outline(answer, world.now)
        expect(sorted(found)).toEqual(sorted(bruteForce(given, patterns)))
        expect(found.map(({ minutesAgo }) => minutesAgo)).toEqual(
          found.map(({ minutesAgo }) => minutesAgo).sort((a, b) => a - b),
        )
        expect(answer).toMatchObject({ partial: [] })
        expect(answer).not.toHaveProperty('countedFrom')
      }),
      { numRuns: 40 },
    )
  })

  test('of first lines only it tells the same runs and patterns, and never more lines', async () => {
    await fc.assert(
      fc.asyncProperty(runs, query, async (given, { patterns }) => {
        const world = await build(given)
        const [all, first] = [await count(world, { patterns }), await count(world, { patterns }, { firstOnly: true })]
        const which = ({ runs: counted }: CountAnswer) =>
          counted.map(({ path, lines }) => ({ path, lines: lines.map((n) => n > 0) }))
        expect(which(first)).toEqual(which(all))
        for (const { any, lines } of first.runs) expect([any, Math.max(...lines)]).toEqual([1, 1])
        expect(first.searched.logs).toBeLessThanOrEqual(all.searched.logs)
        expect(first.searched.blocks).toBeLessThanOrEqual(all.searched.blocks)
      }),
      { numRuns: 30 },
    )
  })
})

test('of first lines only, the rest of a run is passed over', async () => {
  const many = Array.from({ length: 3000 }, () => 'x')
  const world = await worldOf([plain('e2e', 1, many)])
  const first = await count(world, {}, { firstOnly: true })
  expect(first.runs.map(({ any }) => any)).toEqual([1])
  expect(first.searched.blocks).toBe(1)
  expect((await count(world, {})).runs).toMatchObject([{ any: 3000, lines: [3000] }])
})

test('ends by bytes, and tells since when runs were counted', async () => {
  const world = await worldOf([plain('a', 1, ['needle']), plain('b', 2, ['needle']), plain('c', 3, ['needle'])])
  const answer = await count(world, { patterns: ['needle'] }, { maxBytes: 12 })
  expect(answer).toMatchObject({ runs: [{ job: 'a' }, { job: 'b' }], partial: ['bytes'], countedFrom: NOW - 120_000 })
  const whole = await count(world, { patterns: ['needle'] }, { maxBytes: 13 })
  expect(whole).toMatchObject({ runs: [{}, {}, {}], partial: [] })
})

test('a long line counts once, whichever of its windows match', async () => {
  const long = `needle${'y'.repeat(130_000)}needle`
  const world = await worldOf([plain('e2e', 1, [long, 'needle', long])])
  expect((await count(world, { patterns: ['needle', 'y'] })).runs).toMatchObject([{ lines: [3, 2], any: 3 }])
})

/** Backtracks without end on STUCK: V8's linear engine takes no such counts. */
const CATASTROPHE = 'needle|^(?:x+x+){17,40}y'
const STUCK = 'x'.repeat(60)

describe('a pattern that comes to no end', () => {
  test('on one block: all else is counted, and the answer says what was left out', async () => {
    const world = await worldOf([plain('a', 1, ['needle']), plain('b', 2, [STUCK]), plain('c', 3, ['needle'])])
    const { runs: counted, partial, searched } = await count(world, { patterns: [CATASTROPHE] }, { deadlineMs: 20_000 })
    expect(counted.map(({ job }) => job)).toEqual(['a', 'c'])
    expect({ partial, leftOut: searched.leftOut }).toEqual({ partial: ['deadline'], leftOut: 1 })
  })

  test('of first lines only: runs older than what was looked at whole are not counted on', async () => {
    const stuck = Array.from({ length: 40 }, (_, at) => plain('b', at + 2, [STUCK]))
    const world = await worldOf([plain('a', 1, ['needle']), ...stuck])
    const answer = await count(world, { patterns: [CATASTROPHE] }, { firstOnly: true, deadlineMs: 6_000 })
    expect(answer).toMatchObject({ partial: ['deadline'], countedFrom: answer.to })
  })

  test('on every block: at the deadline it tells since when runs were counted', async () => {
    const stuck = Array.from({ length: 40 }, (_, at) => plain('b', at + 2, [STUCK]))
    const world = await worldOf([plain('a', 1, ['needle']), ...stuck])
    const answer = await count(world, { patterns: [CATASTROPHE] }, { deadlineMs: 6_000 })
    expect(answer.runs.map(({ job }) => job)).toEqual(['a'])
    expect(answer.partial).toEqual(['deadline'])
    expect(answer.countedFrom).toBeGreaterThan(NOW - 41 * 60_000)
    expect(answer.countedFrom).toBeLessThanOrEqual(NOW - 60_000)
  })
})

test('a reader who leaves ends the count', async () => {
  const world = await worldOf([plain('a', 1, [STUCK])])
  const reader = new AbortController()
  const counting = count(world, { patterns: [CATASTROPHE] }, { signal: reader.signal })
  setTimeout(() => reader.abort(new Error('left')), 50)
  await expect(counting).rejects.toThrow('left')
})
