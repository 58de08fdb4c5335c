import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunResult } from '../model/run.ts'
import { createSearcher, type Searcher } from '../search/engine.ts'
import { parseQuery } from '../search/query.ts'
import { createReferenceStore } from '../store/reference.ts'
import { makeContext } from '../testing/context.ts'
import { storeRun } from '../testing/stored-run.ts'
import { DAY, HOUR, makeRun } from '../testing/values.ts'
import type { Context } from './context.ts'
import { searchView } from './search.ts'
import type { SearchView } from './views.ts'

const NOW = Date.UTC(2026, 11, 1, 12)
const store = createReferenceStore()
let searcher: Searcher

beforeAll(async () => {
  searcher = createSearcher({ store, threads: 1 })
  const put = async (path: string, daysAgo: number, result: RunResult, text: string, pull?: number) => {
    const startedAt = NOW - daysAgo * DAY - HOUR
    const refs = { org: 'o', repo: 'r', pulls: [{ number: pull ?? 0 }] }
    const run = makeRun({ path, startedAt, result, ...(pull ? { refs } : {}) })
    await storeRun(store, run, { 'build-log.txt': Buffer.from(text), 'lease.log': Buffer.from('beat\n') })
  }
  await put('logs/e2e-aws/1', 1, 'failure', 'EOF\nEOF\n', 7)
  await put('logs/e2e-aws/2', 2, 'success', 'EOF\n', 7)
  await put('logs/e2e-aws/3', 3, 'failure', 'fine\n')
  await put('logs/unit/4', 4, 'aborted', `${'EOF\n'.repeat(9)}`)
  await put('logs/unit/5', 5, 'error', 'fine\n')
  await put('logs/unit/6', 60, 'failure', 'EOF\nonce upon a time\n')
})
afterAll(() => searcher.close())

function view(text: string, ctx: Partial<Context> = {}): Promise<SearchView> {
  const { query, after } = parseQuery(new URLSearchParams(text))
  return searchView({ ...makeContext(store, [], NOW), searcher, ...ctx }, query, { after })
}

test('by job, with impact over the runs of the range whatever their result', async () => {
  const { headline, found, of, groups } = await view('search=EOF')
  expect(groups.map(({ key, impact, hits }) => [key, impact?.words, hits.length])).toEqual([
    ['e2e-aws', '3 runs, 67% failed, 50% of failures match = 33% impact', 3],
    ['unit', '2 runs, 50% failed, 0% of failures match = 0% impact', 5],
  ])
  expect(found).toEqual({
    lines: 8,
    runs: 3,
    failedRuns: 1,
    jobs: 2,
    pulls: 1,
    patterns: [{ pattern: 'EOF', runs: 3, failedRuns: 1 }],
    days: [
      { day: '2026-11-30', runs: 1, failedRuns: 1 },
      { day: '2026-11-29', runs: 1, failedRuns: 0 },
      { day: '2026-11-27', runs: 1, failedRuns: 0 },
    ],
  })
  expect(of).toEqual({ runs: 5, failed: 3, jobs: 2 })
  expect(headline).toMatch(
    /^Found in 60\.00% of runs \(33\.33% of failures\) across 5 total runs and 2 jobs \(60\.00% failed\) in /,
  )
})

test('by run, and not grouped: then every line', async () => {
  expect((await view('search=EOF&groupBy=run')).groups.map(({ key, hits }) => [key, hits.length])).toEqual([
    ['gs://ci/logs/e2e-aws/1', 2],
    ['gs://ci/logs/e2e-aws/2', 1],
    ['gs://ci/logs/unit/4', 5],
  ])
  expect((await view('search=EOF&groupBy=none')).groups.map(({ key, hits }) => [key, hits.length])).toEqual([['', 12]])
})

test('several patterns are counted apart and together', async () => {
  const { found } = await view('search=EOF&search=fine')
  expect(found).toMatchObject({
    runs: 5,
    failedRuns: 3,
    patterns: [
      { pattern: 'EOF', runs: 3, failedRuns: 1 },
      { pattern: 'fine', runs: 2, failedRuns: 2 },
    ],
  })
})

test('job filters hold for the denominators too', async () => {
  expect((await view('search=EOF&name=unit')).of).toEqual({ runs: 2, failed: 1, jobs: 1 })
  expect((await view('search=EOF&name=nothing')).of).toEqual({ runs: 0, failed: 0, jobs: 0 })
})

describe('a search without a range that finds nothing in 14 days', () => {
  test('shows the nearest evidence there is', async () => {
    const { hits, widened, range, of } = await view('search=once+upon')
    expect(hits.map(({ hit }) => hit.buildId)).toEqual(['6'])
    expect({ widened, range }).toEqual({ widened: expect.any(String), range: { from: NOW - 60 * DAY, to: NOW + 1 } })
    expect(of.runs).toBe(6)
  })

  test('with a range, says nothing was found in it', async () => {
    const { hits, widened, of } = await view('search=once+upon&maxAge=14d')
    expect({ hits, widened, runs: of.runs }).toEqual({ hits: [], widened: undefined, runs: 5 })
  })
})

test('pages of lines, and words for what an answer lacks', async () => {
  const many = createReferenceStore()
  const run = makeRun({ path: 'logs/e2e-aws/1', startedAt: NOW - 2 * HOUR })
  await storeRun(many, run, { 'build-log.txt': Buffer.from('x\n'.repeat(450)) })
  const ctx = { store: many, searcher: createSearcher({ store: many, threads: 1 }) }
  const pages = [await view('search=x&groupBy=none', ctx)]
  for (let next = pages[0]?.next; next; next = pages.at(-1)?.next) pages.push(await view(next, ctx))
  await ctx.searcher.close()
  expect(pages.map(({ found, cut }) => [found.lines, found.runs, cut])).toEqual([
    [200, 1, 'first 200 lines; more exist'],
    [200, 1, 'first 200 lines; more exist'],
    [50, 1, undefined],
  ])
  expect(new Set(pages.flatMap(({ hits }) => hits.map(({ hit }) => hit.line))).size).toBe(450)
})

test('an answer and its counts go through so many bytes of log at most, and say where they ended', async () => {
  const bytes: unknown[] = []
  const counting: Searcher = {
    ...searcher,
    search: (query, options) => {
      bytes.push(options.maxBytes)
      return searcher.search(query, { ...options, maxBytes: 5 })
    },
    count: (query, options) => {
      bytes.push(options.maxBytes)
      return searcher.count(query, { ...options, maxBytes: 5 })
    },
  }
  const { hits, cut, partial, next, found } = await view('search=[E]OF&groupBy=none', { searcher: counting })
  expect({ lines: hits.length, partial }).toEqual({ lines: 2, partial: ['bytes'] })
  expect(cut).toMatch(/^stopped after \d+ B of log; older lines may exist$/)
  expect(next).toMatch(/after=/)
  expect(found.countedFrom).toBeGreaterThan(NOW - 2 * DAY)
  expect(bytes).toEqual([4 * 2 ** 30, 4 * 2 ** 30])
})

test('what is wrong with a query is told in the view', async () => {
  expect(await view('search=a(')).toMatchObject({
    error: { code: 'REGEX_SYNTAX', position: expect.any(Number) },
    groups: [],
  })
  expect(await view('')).toMatchObject({ headline: '', groups: [], hits: [] })
})

test('a page by job names the jobs whose lines come on later pages, too', async () => {
  const searchFew: Searcher = {
    ...searcher,
    search: (query, limits) => searcher.search(query, { ...limits, maxHits: 2, maxHitsPerLog: 2 }),
  }
  const first = await view('search=EOF', { searcher: searchFew })
  expect(first.groups.map(({ key }) => key)).toEqual(['e2e-aws'])
  expect(first.others?.map(({ key, impact }) => [key, impact.words])).toEqual([
    ['unit', '2 runs, 50% failed, 0% of failures match = 0% impact'],
  ])
  expect((await view(first.next ?? '', { searcher: searchFew })).others).toBeUndefined()
  expect((await view('search=EOF&groupBy=run')).others).toBeUndefined()
})
