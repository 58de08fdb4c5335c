import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { chainDiscovery } from './chain.ts'
import { deckDiscovery } from './deck.ts'
import type { Discovery, Scope } from './discovery.ts'
import { indexDiscovery } from './index-objects.ts'
import { listingDiscovery } from './listing.ts'
import { memorySource } from './testing/memory-source.ts'
import { type BucketJob, type BucketRun, deckItems, indexOf, objectsOf, runsOfJob } from './testing/prow-bucket.ts'

process.env.NO_PROXY = '127.0.0.1'

const NOW = Date.UTC(2026, 4, 1)
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

let body = ''
const server = createServer((_, response) => void response.end(body))
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => void server.close())
const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

/** Minutes ago, and how many minutes it took: some are still running. */
const run = fc.record({
  ago: fc.integer({ min: 1, max: 60 * 24 * 60 }),
  lasted: fc.integer({ min: 1, max: 24 * 60 }),
  failed: fc.boolean(),
})
const job = fc.record({
  kind: fc.constantFrom('periodic' as const, 'presubmit' as const, 'batch' as const),
  sequential: fc.boolean(),
  labelled: fc.boolean(),
  first: fc.integer({ min: 1, max: 1100 }),
  runs: fc.uniqueArray(run, { maxLength: 40, selector: ({ ago }) => ago }),
})
const bucket = fc.array(job, { maxLength: 5 }).map((jobs) =>
  jobs.map(({ runs, ...rest }, at): BucketJob => {
    const inOrder = [...runs].sort((a, b) => b.ago - a.ago)
    const times = inOrder.map(({ ago, lasted, failed }) => ({
      began: NOW - ago * MINUTE,
      ...(lasted < ago ? { lasted: lasted * MINUTE } : {}),
      failed,
    }))
    return { name: `job-${at}`, runs: times, ...rest }
  }),
)
const setting = fc.record({
  jobs: bucket,
  days: fc.integer({ min: 1, max: 50 }),
  maxAgeHours: fc.integer({ min: 12, max: 240 }),
  sweptMinutesAgo: fc.integer({ min: 0, max: 120 }),
  deck: fc.constantFrom('whole', 'broken', 'none'),
  indexDays: fc.integer({ min: 0, max: 60 }),
  index: fc.constantFrom('whole', 'none'),
  pageSize: fc.integer({ min: 2, max: 50 }),
})

it('a chain finds what lies in the bucket since the scope’s start', async () => {
  await fc.assert(
    fc.asyncProperty(setting, async ({ jobs, days, deck, index, pageSize, ...more }) => {
      const runs = jobs.flatMap(runsOfJob)
      body = JSON.stringify({ items: deckItems(runs, NOW - more.sweptMinutesAgo * MINUTE, more.maxAgeHours * HOUR) })
      if (deck === 'broken') body = body.slice(0, -3)
      const indexed = index === 'none' ? [] : indexOf(runs, NOW - more.indexDays * DAY)
      const source = memorySource(new Map([...objectsOf(jobs), ...indexed]), { pageSize })
      const options = { now: () => NOW, retries: { retries: 0, delayMs: 0, maxDelayMs: 0 } }
      const kinds: Discovery[] = [indexDiscovery(source, options), listingDiscovery(source, options)]
      if (deck !== 'none') kinds.unshift(deckDiscovery({ deck: address(), source, ...options }))
      const from = NOW - days * DAY
      const scope: Scope = { jobs: () => true, from, knownTimes: async () => new Map() }
      const found = await chainDiscovery(kinds).find(scope)

      const paths = new Set(found.runs.map((each) => each.path))
      // An index does not tell of runs that have not ended.
      const blind = deck !== 'whole' && found.attempts.some(({ kind, from }) => kind === 'index' && from !== undefined)
      const told = (each: BucketRun) => each.began >= from && !(blind && each.ended === undefined)
      expect(runs.filter((each) => told(each) && !paths.has(each.path))).toEqual([])
      expect([...paths].filter((path) => !runs.some((each) => each.path === path))).toEqual([])
      expect(found.runs.length).toBe(paths.size)
      expect(found).toMatchObject({ from, gaps: [] })

      const listed = await listingDiscovery(source, options).find(scope)
      const expected = runs.filter((each) => each.began >= from).map((each) => each.path)
      expect(listed.runs.map((each) => each.path).sort()).toEqual(expected.sort())
    }),
    { numRuns: 400 },
  )
})
