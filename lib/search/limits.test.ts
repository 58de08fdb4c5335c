import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SearchAnswer, SearchOptions } from './engine.ts'
import { createPool, type Pool } from './pool.ts'
import type { SearchQuery } from './query.ts'
import { runSearch } from './run-search.ts'
import { bothStores } from './testing/both-stores.ts'
import { bruteForce, outline } from './testing/brute-force.ts'
import { plain, query, runs, type World, worldOf } from './testing/world.ts'

const UNLIMITED = Number.POSITIVE_INFINITY
const QUERY: SearchQuery = { patterns: ['x'], range: { lastMs: 1_800_000 }, context: 1, groupBy: 'job' }

let pool: Pool
beforeAll(() => {
  pool = createPool(2)
})
afterAll(() => pool.close())

function search(
  { store, dataDir, now }: World,
  asked: Partial<SearchQuery>,
  limits: Partial<SearchOptions> = {},
): Promise<SearchAnswer> {
  const all = { maxHits: 1_000, maxHitsPerLog: 5_000, deadlineMs: 30_000, now }
  return runSearch({ store, pool, dataDir, width: 3 }, { ...QUERY, ...asked }, { ...all, ...limits })
}

async function pagesOf(world: World, asked: Partial<SearchQuery>, limits: Partial<SearchOptions>) {
  const pages = [await search(world, asked, limits)]
  for (let after = pages[0]?.next; after; after = pages.at(-1)?.next)
    pages.push(await search(world, asked, { ...limits, after }))
  return pages
}
const limits = fc.record({
  maxHits: fc.integer({ min: 1, max: 5 }),
  maxHitsPerLog: fc.integer({ min: 1, max: 7 }),
  maxHitsPerRun: fc.oneof(fc.integer({ min: 1, max: 7 }), fc.constant(UNLIMITED)),
})

describe.each(bothStores())('over the %s store', (_, build) => {
  test('pages laid end to end are one answer, for any size of page and any limit a log and a run', async () => {
    await fc.assert(
      fc.asyncProperty(runs, query, limits, async (logs, asked, { maxHits, maxHitsPerLog, maxHitsPerRun }) => {
        const world = await build(logs)
        const perRun = maxHitsPerRun > maxHits ? UNLIMITED : maxHitsPerRun
        const perLog = maxHitsPerLog > maxHits ? 5_000 : maxHitsPerLog
        const whole = await search(world, asked, { maxHitsPerLog: perLog, maxHitsPerRun: perRun })
        const pages = await pagesOf(world, asked, { maxHits, maxHitsPerLog, maxHitsPerRun })
        for (const page of pages) {
          expect(page.hits.length).toBeLessThanOrEqual(maxHits)
          expect(page.partial).toEqual(page.next ? ['limit'] : [])
        }
        expect(pages.flatMap(({ hits }) => hits)).toEqual(whole.hits)
      }),
      { numRuns: 40 },
    )
  })

  test('a run gives its first lines, as many as it may, and says that it was looked at no further', async () => {
    await fc.assert(
      fc.asyncProperty(runs, query, fc.integer({ min: 1, max: 6 }), async (logs, asked, maxHitsPerRun) => {
        const { hits, partial } = await search(await build(logs), asked, { maxHitsPerRun })
        const byRun = Map.groupBy(bruteForce(logs, { ...QUERY, ...asked }), ({ path }) => path)
        const first = [...byRun.values()].flatMap((lines) => lines.slice(0, maxHitsPerRun))
        expect(hits.map(outline)).toEqual(first)
        expect(hits.filter(({ runFull }) => runFull)).toHaveLength(
          [...byRun.values()].filter((lines) => lines.length >= maxHitsPerRun).length,
        )
        expect(partial).toEqual([])
      }),
      { numRuns: 40 },
    )
  })

  test('pages that end by bytes say so, and are one answer where a log and a run are not limited', async () => {
    await fc.assert(
      fc.asyncProperty(runs, query, fc.integer({ min: 1, max: 400 }), async (logs, asked, maxBytes) => {
        const pages = await pagesOf(await build(logs), asked, { maxBytes })
        for (const page of pages) expect(page.partial).toEqual(page.next ? ['bytes'] : [])
        expect(pages.flatMap(({ hits }) => hits).map(outline)).toEqual(bruteForce(logs, { ...QUERY, ...asked }))
      }),
      { numRuns: 15 },
    )
  })

  test('whatever the limits, pages give each line once at most, and only lines that match', async () => {
    const all = fc.tuple(limits, fc.integer({ min: 1, max: 400 }))
    await fc.assert(
      fc.asyncProperty(runs, query, all, async (logs, asked, [limited, maxBytes]) => {
        const pages = await pagesOf(await build(logs), asked, { ...limited, maxBytes })
        const name = ({ path, log, line }: { path: string; log: string; line: number }) => `${path} ${log} ${line}`
        const given = pages.flatMap(({ hits }) => hits.map((hit) => name(outline(hit))))
        const matching = bruteForce(logs, { ...QUERY, ...asked }).map(name)
        expect(matching.filter((line) => given.includes(line))).toEqual(given)
      }),
      { numRuns: 15 },
    )
  })
})

describe('an answer', () => {
  test('gives a limited number of lines a log and counts the others', async () => {
    const world = await worldOf([plain('e2e', 1, ['x1', 'x2', '-', 'x3', 'x4'], ['x']), plain('e2e', 2, ['x'])])
    const { hits } = await search(world, { patterns: ['x'] }, { maxHitsPerLog: 2 })
    expect(hits.map(({ log, line, more }) => ({ log, line, more }))).toEqual([
      { log: 'artifacts/1.log', line: 1, more: 0 },
      { log: 'build-log.txt', line: 1, more: 0 },
      { log: 'build-log.txt', line: 2, more: 2 },
      { log: 'build-log.txt', line: 1, more: 0 },
    ])
  })

  test('gives a limited number of lines a run without reading the rest of it', async () => {
    const long = Array.from({ length: 3_000 }, () => 'x')
    const world = await worldOf([plain('e2e', 1, long, ['x', 'x', 'x']), plain('unit', 2, ['-', 'x'])])
    const { hits, searched } = await search(world, { patterns: ['x'] }, { maxHitsPerLog: 2, maxHitsPerRun: 3 })
    expect(hits.map(({ job, log, line, more, runFull }) => [job, log, line, more, runFull])).toEqual([
      ['e2e', 'artifacts/1.log', 1, 0, false],
      ['e2e', 'artifacts/1.log', 2, 1, false],
      ['e2e', 'build-log.txt', 1, 0, true],
      ['unit', 'build-log.txt', 2, 0, false],
    ])
    expect(searched.blocks).toBeLessThan(900)
  })

  test('that ended by bytes within a full run goes on after that run', async () => {
    const world = await worldOf([plain('e2e', 1, Array<string>(30).fill('x')), plain('unit', 2, ['x'])])
    const pages = await pagesOf(world, { patterns: ['x'] }, { maxHitsPerRun: 3, maxBytes: 1 })
    expect(pages.map(({ hits }) => hits.map(({ job, line }) => `${job} ${line}`))).toEqual([
      ['e2e 1', 'e2e 2', 'e2e 3'],
      ['unit 1'],
    ])
  })

  test('tells all patterns of a long line that fills its run', async () => {
    const long = `needle${'y'.repeat(3_000_000)}other`
    const world = await worldOf([plain('e2e', 1, [long, 'needle'])])
    const { hits } = await search(world, { patterns: ['ee', 'ot'] }, { maxHitsPerRun: 1 })
    expect(hits).toMatchObject([{ line: 1, patterns: [0, 1], runFull: true }])
  })

  test('ends by bytes with a whole long line, and goes on after it', async () => {
    const long = `${'y'.repeat(130_000)}needle${'y'.repeat(130_000)}other`
    const world = await worldOf([plain('e2e', 1, [long, 'a', 'b', 'needle'])])
    const asked = { patterns: ['needle', 'other'] }
    const first = await search(world, asked, { maxBytes: 1 })
    expect(first).toMatchObject({ hits: [{ line: 1, patterns: [0, 1] }], partial: ['bytes'], searched: { logs: 1 } })
    const rest = await search(world, asked, { ...(first.next && { after: first.next }) })
    expect(rest.hits.map(({ line }) => line)).toEqual([4])
    const past = await search(world, { patterns: ['^$'] }, { maxBytes: 1 })
    expect(past).toMatchObject({ partial: ['bytes'], next: { log: 'build-log.txt', line: 1 } })
  })
})
