import fc from 'fast-check'
import { RE2JS } from 're2js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { matchText } from '../text/match-text.ts'
import { createPool, type Pool } from './pool.ts'
import type { SearchQuery } from './query.ts'
import { runTally, type TallyOptions } from './run-tally.ts'
import { tallyGroups } from './tally-groups.ts'
import { bothStores } from './testing/both-stores.ts'
import { cutBlocks, NOW, pattern, plain, runs, type TestRun, type World, worldOf } from './testing/world.ts'
import { createValueCounts } from './value-counts.ts'

const QUERY: SearchQuery = { patterns: ['x'], range: { lastMs: 1_800_000 }, context: 0, groupBy: 'job' }

let pool: Pool
beforeAll(() => {
  pool = createPool(2)
})
afterAll(() => pool.close())

function tally({ store, dataDir, now }: World, asked: Partial<SearchQuery>, options: Partial<TallyOptions> = {}) {
  return runTally({ store, pool, dataDir, width: 3 }, { ...QUERY, ...asked }, { deadlineMs: 30_000, now, ...options })
}

describe('the group that is tallied', () => {
  test.each<[string, readonly string[], string | undefined, readonly number[]]>([
    ['the first', ['a(b)(c)'], undefined, [1]],
    ['the whole match without one', ['ab'], undefined, [0]],
    ['by number', ['a(b)(c)', '(d)'], '2', [2, -1]],
    ['by name', ['a(b)(?P<n>c)', '(?<n>d)', 'e'], 'n', [2, 1, -1]],
    ['the whole match by number', ['a(b)', 'c'], '0', [0, 0]],
    ['within others, as they open', ['((a)|(?:b(?P<in>c)))+'], 'in', [3]],
  ])('%s', (_, patterns, group, expected) => {
    expect(tallyGroups(patterns, group)).toEqual(expected)
  })

  test.each([
    [['a(b)(?P<n>c)'], 'm', 'group: no pattern has it; give one of 1, n, or 0 for the whole match'],
    [['ab'], '1', 'group: no pattern has it; put the part to tally in brackets, or 0 for the whole match'],
  ])('%j has no %s', (patterns, group, message) => {
    expect(() => tallyGroups(patterns, group)).toThrow(expect.objectContaining({ code: 'QUERY_INVALID', message }))
  })
})

/** What re2js catches, line by line, without blocks or threads. */
function bruteForce(given: readonly TestRun[], text: string) {
  const re = RE2JS.compile(text, /[A-Z]/.test(text) ? 0 : RE2JS.CASE_INSENSITIVE)
  const counts = new Map<string, { lines: number; runs: Set<number> }>()
  for (const [run, { logs }] of given.entries())
    for (const line of logs.flat()) {
      const values = new Set<string>()
      for (const block of cutBlocks([line])) {
        const matcher = re.matcher(matchText(block.bytes, block.ascii))
        for (let n = 0; n < 100 && matcher.find(); n++) {
          const value = matcher.group(1)
          if (value !== null) values.add(value.length > 200 ? `${cut(value)}…` : value)
        }
      }
      for (const value of values) {
        const count = counts.get(value) ?? { lines: 0, runs: new Set() }
        counts.set(value, { lines: count.lines + 1, runs: count.runs.add(run) })
      }
    }
  return new Map([...counts].map(([value, count]) => [value, [count.lines, count.runs.size]]))
}

function cut(value: string): string {
  const short = value.slice(0, 200)
  return short.isWellFormed() ? short : value.slice(0, 199)
}

describe.each(bothStores())('a tally over the %s store', (_, build) => {
  test('counts of each value the lines and runs that a scan of all finds', async () => {
    await fc.assert(
      fc.asyncProperty(runs, fc.tuple(pattern, pattern), async (given, [a, b]) => {
        const world = await build(given)
        const text = `${a}(${b})`
        const { values, partial } = await tally(world, { patterns: [text] })
        expect(new Map(values.map(({ value, lines, runs: of }) => [value, [lines, of]]))).toEqual(
          bruteForce(given, text),
        )
        expect(partial).toEqual([])
      }),
      { numRuns: 20 },
    )
  })
})

const REGIONS = [
  plain('a', 1, ['Azure region: westus', 'Azure region: eastus', 'Azure region: westus'], ['Azure region: westus']),
  plain('b', 2, ['Azure region: westus eastus? Azure region: eastus', 'no region']),
  plain('c', 3, ['Azure region: centralus', 'retry']),
]

test('by line and by run, in the order of counts, then of bytes', async () => {
  const world = await worldOf(REGIONS)
  const asked = { patterns: ['Azure region: (\\S+)'] }
  const rows = async (by: 'line' | 'run') =>
    (await tally(world, { ...asked, tally: { by } })).values.map(({ value, lines, runs: of }) => [value, lines, of])
  expect(await rows('line')).toEqual([
    ['westus', 4, 2],
    ['eastus', 2, 2],
    ['centralus', 1, 1],
  ])
  expect(await rows('run')).toEqual(await rows('line'))
  const { lines, runs: of } = await tally(world, asked)
  expect([lines, of]).toEqual([6, 3])
})

test('of runs in which patterns meet, without lines left out', async () => {
  const world = await worldOf(REGIONS)
  const patterns = ['Azure region: (\\S+)', 'retry']
  const values = async (asked: Partial<SearchQuery>) =>
    (await tally(world, { patterns, tally: { by: 'line', group: '1' }, ...asked })).values.map(({ value }) => value)
  expect(await values({ meet: 'all' })).toEqual(['centralus'])
  expect(await values({ meet: 'without' })).toEqual(['westus', 'eastus'])
  expect(await values({ excludes: ['west'] })).toEqual(['centralus', 'eastus'])
})

test('ends by bytes, and says down to where', async () => {
  const world = await worldOf([plain('a', 1, ['v1']), plain('b', 2, ['v2']), plain('c', 3, ['v3'])])
  const answer = await tally(world, { patterns: ['v(\\d)'] }, { maxBytes: 4 })
  expect(answer).toMatchObject({ runs: 2, partial: ['bytes'], countedFrom: NOW - 120_000 })
})

test('a log of ever other values takes no more room than the first of them', () => {
  const block = (path: string) =>
    ({ bucket: 'b', path, log: 'l', firstLine: 1, lineCount: 1, time: 0 }) as Parameters<
      ReturnType<typeof createValueCounts>['add']
    >[0]
  const counts = createValueCounts(3)
  const values = Array.from({ length: 1_000 }, (_, i) => [`v${i}`, 1] as const)
  counts.add(block('1'), { lines: 1_000, values })
  counts.add(block('2'), {
    lines: 2,
    values: [
      ['v2', 2],
      ['v999', 1],
    ],
  })
  expect(counts.counts('line')).toEqual({
    values: [
      { value: 'v2', lines: 3, runs: 2 },
      { value: 'v0', lines: 1, runs: 1 },
      { value: 'v1', lines: 1, runs: 1 },
    ],
    ...{ lines: 1_002, runs: 2, untold: 998 },
  })
})

test('a long line counts once, whichever of its windows hold the value', async () => {
  const world = await worldOf([plain('a', 1, [`v1 ${'y'.repeat(130_000)} v1 v2`, 'v2'])])
  const { values, lines } = await tally(world, { patterns: ['v(\\d)'] })
  expect([values, lines]).toEqual([
    [
      { value: '2', lines: 2, runs: 1 },
      { value: '1', lines: 1, runs: 1 },
    ],
    2,
  ])
})
