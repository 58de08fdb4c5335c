import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSearcher, type Searcher } from './engine.ts'
import type { SearchQuery } from './query.ts'
import { NOW, plain, worldOf } from './testing/world.ts'

/** Some milliseconds of backtracking a block, since V8's linear engine takes no such counts. */
const HEAVY = '^x+a?x+b?x+(?:z{17})?y'
const LINE = 'x'.repeat(200)

const BLOCKS = 2_000

let searcher: Searcher
/** Blocks that were sent to the threads. */
let sent = 0
beforeAll(async () => {
  const lines = Array.from({ length: 3 * BLOCKS }, () => LINE)
  const { store } = await worldOf([plain('heavy', 1, lines), plain('light', 2, ['a', 'needle', 'b'])])
  const read = store.read.bind(store)
  const counting = Object.assign(store, {
    read: (refs: Parameters<typeof read>[0]) => {
      sent += refs.length
      return read(refs)
    },
  })
  searcher = createSearcher({ store: counting, threads: 2 })
})
afterAll(() => searcher.close())

const query = (pattern: string, job: string): SearchQuery => ({
  patterns: [pattern],
  job,
  range: { lastMs: 1_800_000 },
  context: 1,
  groupBy: 'job',
})
const limits = { maxHits: 10, maxHitsPerLog: 5, deadlineMs: 600_000, now: NOW }

test.each<[string, (signal: AbortSignal) => Promise<unknown>]>([
  ['a search', (signal) => searcher.search(query(HEAVY, 'heavy'), { ...limits, signal })],
  ['a count', (signal) => searcher.count(query(HEAVY, 'heavy'), { ...limits, signal })],
])('%s of many blocks leaves the threads their turn for a light search that comes later', async (_, begin) => {
  const done: string[] = []
  sent = 0
  const reader = new AbortController()
  const heavy = begin(reader.signal).then(
    () => done.push('heavy'),
    () => done.push('heavy, left'),
  )
  // By then the heavy one has as many batches under way as it may.
  while (searcher.load().tasks < 3) await setTimeout(5)
  await setTimeout(100)
  const light = await searcher.search(query('needle', 'light'), limits)
  done.push('light')
  expect(sent).toBeLessThan(BLOCKS)
  expect(light.hits.map(({ line }) => line)).toEqual([2])
  reader.abort()
  await heavy
  expect(done).toEqual(['light', 'heavy, left'])
})
