import { describe, expect, it } from 'vitest'
import { chainDiscovery } from './chain.ts'
import { deckDiscovery } from './deck.ts'
import type { Discovery, Scope } from './discovery.ts'
import { indexDiscovery } from './index-objects.ts'
import { listingDiscovery } from './listing.ts'
import { deckServer } from './testing/deck-server.ts'
import { type MemorySource, memorySource } from './testing/memory-source.ts'
import { type BucketJob, deckItems, indexOf, objectsOf, runsOfJob } from './testing/prow-bucket.ts'

process.env.NO_PROXY = '127.0.0.1'

const NOW = Date.UTC(2026, 4, 1)
const HOUR = 3_600_000
const DAY = 24 * HOUR
const RUNS = 500

/** A run every five hours, for 104 days. */
const runs = Array.from({ length: RUNS }, (_, at) => ({ began: NOW - (RUNS - at) * 5 * HOUR, lasted: HOUR }))
const some = (count: number, name: string, job: Omit<BucketJob, 'name' | 'runs'>): BucketJob[] =>
  Array.from({ length: count }, (_, at) => ({ name: `${name}-${at}`, runs, ...job }))
/** 200 jobs: a hundred thousand runs. */
const JOBS = [
  ...some(100, 'periodic', { kind: 'periodic', sequential: false }),
  ...some(30, 'counted', { kind: 'periodic', sequential: true, first: 8000 }),
  ...some(40, 'presubmit', { kind: 'presubmit', sequential: false, labelled: true }),
  ...some(10, 'unlabelled', { kind: 'presubmit', sequential: false }),
  ...some(10, 'counted-presubmit', { kind: 'presubmit', sequential: true, first: 950, labelled: true }),
  ...some(10, 'batch', { kind: 'batch', sequential: false }),
]
const ALL = JOBS.flatMap(runsOfJob)
const OBJECTS = new Map([...objectsOf(JOBS), ...indexOf(ALL, NOW - 400 * DAY)])

type Kinds = (source: MemorySource) => Promise<readonly Discovery[]>
const deck = async (source: MemorySource) => {
  const body = JSON.stringify({ items: deckItems(ALL, NOW, 48 * HOUR) })
  const server = await deckServer((_, response) => void response.end(body))
  return deckDiscovery({ deck: server.address, source, now: () => NOW })
}
const index = (source: MemorySource) => indexDiscovery(source, { now: () => NOW })
const listing = (source: MemorySource) => listingDiscovery(source, { now: () => NOW })

/** A first pass over the last 14 days, and one right after it, which looks back for a day: runs found and requests. */
async function passes(kinds: Kinds) {
  const source = memorySource(OBJECTS)
  const chain = chainDiscovery(await kinds(source))
  const known = new Map<string, number>()
  const pass = async (from: number) => {
    const before = total(source)
    const scope: Scope = {
      jobs: () => true,
      from,
      knownTimes: async (paths) =>
        new Map(paths.flatMap((path) => (known.has(path) ? [[path, known.get(path) ?? 0]] : []))),
    }
    const found = await chain.find(scope)
    const wanted = ALL.filter(({ began }) => began >= from)
    const paths = new Set(found.runs.map((run) => run.path))
    expect(wanted.filter(({ path }) => !paths.has(path))).toEqual([])
    expect(found).toMatchObject({ from, gaps: [] })
    for (const { path, began } of ALL) if (paths.has(path)) known.set(path, began)
    return { runs: paths.size, requests: total(source) - before }
  }
  return { first: await pass(NOW - 14 * DAY), later: await pass(NOW - DAY) }
}

function total({ counts }: MemorySource): number {
  return counts.list + counts.stat + counts.read
}

describe('requests for 200 jobs of 500 runs each', () => {
  it.each<[string, Kinds, { first: number; later: number }]>([
    ['listing alone', async (source) => [listing(source)], { first: 1700, later: 260 }],
    ['the index', async (source) => [index(source), listing(source)], { first: 20, later: 5 }],
    ['Deck, then the index', async (source) => [await deck(source), index(source)], { first: 900, later: 5 }],
    ['Deck, then listing', async (source) => [await deck(source), listing(source)], { first: 2500, later: 5 }],
  ])('%s', async (_, kinds, bounds) => {
    const told = await passes(kinds)
    expect(told.first.requests).toBeLessThanOrEqual(bounds.first)
    expect(told.later.requests).toBeLessThanOrEqual(bounds.later)
  })

  it('against those for every name, and for every run', async () => {
    const source = memorySource(OBJECTS)
    let pageToken: string | undefined
    do pageToken = (await source.list({ prefix: '', ...(pageToken ? { pageToken } : {}) })).nextPageToken
    while (pageToken !== undefined)
    expect(source.counts.list).toBe(Math.ceil(OBJECTS.size / 1000))
    const found = await listing(source).find({ jobs: () => true, from: 0, knownTimes: async () => new Map() })
    expect(found.runs.length).toBe(ALL.length)
    expect(total(source) - source.counts.read).toBeLessThanOrEqual(Math.ceil(OBJECTS.size / 1000) + 300)
  })
})
