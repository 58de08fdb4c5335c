import fc from 'fast-check'
import { RE2JS } from 're2js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createReferenceStore } from '../store/reference.ts'
import { storeRun } from '../testing/stored-run.ts'
import { makeRun } from '../testing/values.ts'
import { matchText } from '../text/match-text.ts'
import { createPool, type Pool } from './pool.ts'
import { type FindOptions, runFind } from './run-find.ts'
import { bothStores } from './testing/both-stores.ts'
import { BUCKET, cutBlocks, query, runs, type TestRun, type World } from './testing/world.ts'

let pool: Pool
beforeAll(() => {
  pool = createPool(2)
})
afterAll(() => pool.close())

const plain = (text: string) => Buffer.from(text)
const NEAR = { log: 'build-log.txt', line: 1 }

async function find(world: World, pattern: string, number = 0, options: Partial<FindOptions> = {}) {
  const { store, dataDir, now } = world
  const { items } = await store.runs({ from: now - 1_800_000, to: now + 1 }, { limit: 1_000 })
  const run = items.find(({ buildId }) => buildId === String(number))
  if (!run) throw new Error(`no run ${number} of ${BUCKET}`)
  const given = { near: NEAR, deadlineMs: 30_000, ...options }
  return { run, found: await runFind({ store, pool, dataDir, width: 3 }, { run, pattern }, given) }
}

/** Numbers of matching lines by re2js, line by line, by the log's place among the run's. */
function bruteForce({ logs }: TestRun, pattern: string): number[][] {
  const re = RE2JS.compile(pattern, /[A-Z]/.test(pattern) ? 0 : RE2JS.CASE_INSENSITIVE)
  return logs.map((lines) =>
    lines.flatMap((line, i) => {
      const windows = cutBlocks([line]).map((block) => matchText(block.bytes, block.ascii))
      return windows.some((text) => re.test(text)) ? [i + 1] : []
    }),
  )
}

describe.each(bothStores())('finding in one run over the %s store', (_, build) => {
  test('gives what a scan of all its lines finds: counts, the lines of a stretch, the nearest beyond', async () => {
    const stretch = fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 0, max: 6 }))
    await fc.assert(
      fc.asyncProperty(runs, query, stretch, async (given, { patterns }, [from, more]) => {
        const [first] = given
        const [pattern = 'x'] = patterns
        if (!first) return
        const { run, found } = await find(await build(given), pattern, 0, { near: { ...NEAR, line: from } })
        expect(found.partial).toEqual([])
        const stored = bruteForce(first, pattern)
        expect(found.logs.map(({ lines }) => lines).sort()).toEqual(
          stored
            .map(({ length }) => length)
            .filter(Boolean)
            .sort(),
        )
        expect(run.path).toContain(first.job)
        for (const { log, lines } of found.logs) {
          const all = await found.around(log, 1, 1_000_000)
          expect(all.lines).toHaveLength(lines)
          expect(stored).toContainEqual(all.lines.map(({ line }) => line))
          const to = from + more
          const numbers = all.lines.map(({ line }) => line)
          const part = await found.around(log, from, to)
          expect(part.lines.map(({ line }) => line)).toEqual(numbers.filter((line) => line >= from && line <= to))
          expect(part.previous).toBe(numbers.findLast((line) => line < from))
          expect(part.next).toBe(numbers.find((line) => line > to))
        }
      }),
      { numRuns: 40 },
    )
  })

  test('a long line counts once, and the lines after it keep their numbers', async () => {
    const long = Buffer.from(`${'x needle '.repeat(30_000)}`)
    const world = await build([plainRun([plain('a'), long, plain('needle'), plain('b')])])
    const { found } = await find(world, 'needle')
    expect(found.logs).toEqual([expect.objectContaining({ lines: 2 })])
    const [log = ''] = found.logs.map((each) => each.log)
    const around = await found.around(log, 1, 4)
    expect(around.lines.map(({ line }) => line)).toEqual([2, 3])
    expect(await found.around(log, 3, 3)).toMatchObject({ previous: 2 })
    expect(await found.around(log, 1, 1)).toMatchObject({ lines: [], next: 2 })
  })

  test('a limit of bytes leaves the blocks nearest to the line, and says so', async () => {
    const lines = Array.from({ length: 30 }, () => plain('needle'))
    const world = await build([plainRun(lines)])
    const { found: all } = await find(world, 'needle')
    const [log = ''] = all.logs.map((each) => each.log)
    const { found } = await find(world, 'needle', 0, { maxBytes: 1, near: { log, line: 15 } })
    expect(found.partial).toEqual(['bytes'])
    expect(found.logs[0]?.lines).toBeLessThan(30)
    expect((await found.around(log, 15, 15)).lines).toHaveLength(1)
  })

  test('a faulty pattern is refused with its position, though no block could match', async () => {
    const world = await build([plainRun([plain('a')])])
    await expect(find(world, 'zz(')).rejects.toMatchObject({ code: 'REGEX_SYNTAX', position: expect.any(Number) })
  })
})

test('another run of the same job, build and time is left aside', async () => {
  const store = createReferenceStore()
  const run = makeRun({ startedAt: Date.UTC(2026, 10, 3), path: 'pr-logs/pull/1/job/8' })
  await storeRun(store, run, { 'build-log.txt': Buffer.from('needle\n') })
  await storeRun(store, { ...run, path: 'pr-logs/pull/2/job/8' }, { 'build-log.txt': Buffer.from('needle\nneedle\n') })
  const tools = { store, pool, dataDir: undefined, width: 3 }
  const found = await runFind(tools, { run, pattern: 'needle' }, { near: NEAR, deadlineMs: 30_000 })
  expect(found.logs).toEqual([{ log: 'build-log.txt', lines: 1 }])
})

function plainRun(lines: readonly Uint8Array[]): TestRun {
  return { job: 'job', minutesAgo: 1, logs: [lines] }
}
