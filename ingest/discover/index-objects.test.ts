import { afterAll, describe, expect, it } from 'vitest'
import { snowflakeAt } from '#lib/model/build-id.ts'
import { fakeGcsBinary, startFakeGcs } from '#lib/testing/fake-gcs.ts'
import { openDirectory } from '../source/directory.ts'
import { openGcs } from '../source/gcs.ts'
import type { Source } from '../source/source.ts'
import { temporaryDirectory, writeFiles } from '../testing/bucket.ts'
import { jobFilter, type Scope } from './discovery.ts'
import { indexDiscovery } from './index-objects.ts'
import { type MemoryObject, memorySource } from './testing/memory-source.ts'

delete process.env.STORAGE_EMULATOR_HOST
process.env.NO_PROXY = '127.0.0.1'

const NOW = Date.UTC(2026, 4, 1, 12)
const HOUR = 3_600_000
const DAY = 24 * HOUR
const SCOPE: Scope = { jobs: jobFilter(undefined, undefined), from: NOW - 14 * DAY, knownTimes: async () => new Map() }
const id = (hoursAgo: number) => snowflakeAt(NOW - hoursAgo * HOUR)

interface EntryOptions {
  readonly path: string
  readonly endedHoursAgo: number
  readonly state?: string
  readonly link?: string
}

/** As openshift/ci-search-functions writes it. */
function entry({ path, endedHoursAgo, state = 'success', link }: EntryOptions): [string, MemoryObject] {
  const at = new Date(NOW - endedHoursAgo * HOUR)
  const fields = {
    link: link ?? new URL(`gs://bucket/${path.replaceAll('%', '%25').replaceAll('#', '%23')}`).href,
    state,
  }
  const name = `index/job-state/${at.toISOString().slice(0, 19)}Z/${path.split('/').slice(-2).join('/')}`
  const text = JSON.stringify({ ...fields, completed_at: at.getTime() / 1000 })
  return [name, { text, metadata: { ...fields, completed: `${at.getTime() / 1000}` } }]
}

const PATHS = {
  early: `logs/early/${id(900)}`,
  before: `logs/job/${id(14 * 24 + 5)}`,
  first: `logs/job/${id(14 * 24 - 1)}`,
  long: `logs/job/${id(14 * 24 + 3)}`,
  slow: `logs/job/${id(10.5 * 24)}`,
  pull: `pr-logs/pull/org_repo/7/pull-job/${id(30)}`,
  batch: `pr-logs/pull/batch/batch-job/${id(20)}`,
  odd: `logs/a#b%2Fc/${id(10)}`,
  future: `logs/job/${id(2)}`,
}
const INDEX: ReadonlyMap<string, MemoryObject> = new Map([
  entry({ path: PATHS.early, endedHoursAgo: 899 }),
  entry({ path: PATHS.before, endedHoursAgo: 14 * 24 + 1 }),
  entry({ path: PATHS.first, endedHoursAgo: 14 * 24 - 2, state: 'failed' }),
  entry({ path: PATHS.long, endedHoursAgo: 14 * 24 - 3, state: 'error' }),
  entry({ path: PATHS.slow, endedHoursAgo: 9 * 24 }),
  entry({ path: PATHS.pull, endedHoursAgo: 29 }),
  entry({ path: PATHS.batch, endedHoursAgo: 19 }),
  entry({ path: PATHS.odd, endedHoursAgo: 9 }),
  entry({ path: PATHS.future, endedHoursAgo: -24 }),
  entry({ path: `logs/unwanted/${id(9)}`, endedHoursAgo: 8 }),
  entry({ path: `logs/x/${id(9)}`, endedHoursAgo: 8, link: 'gs://bucket/index/job-metrics/x' }),
  entry({ path: `logs/x/${id(8)}`, endedHoursAgo: 8, link: 'no link' }),
  ['index/job-state/2026-05-01T10:00:00Z/x/1', { text: 'no JSON' }],
  ['index/job-state/2026-05-01T10:00:00Z/x/2', { text: '{"link":7}' }],
  ['index/job-state/when/x/3', { text: '[]' }],
  ['index/job-metrics/2026-05-01T10:00:00Z/x/4', { text: 'of another index' }],
])

const binary = fakeGcsBinary()
const server = binary === undefined ? undefined : await startFakeGcs(binary)
afterAll(() => server?.stop())

async function onFakeGcs(metadata: boolean): Promise<Source> {
  const bucket = metadata ? 'with-metadata' : 'without'
  await server?.createBucket(bucket)
  for (const [name, object] of INDEX) {
    const labels = metadata && object.metadata ? { metadata: object.metadata } : {}
    await server?.upload(bucket, { name, bytes: Buffer.from(object.text), ...labels })
  }
  return await openGcs(bucket, { endpoint: server?.endpoint })
}

async function onDirectory(): Promise<Source> {
  const root = temporaryDirectory()
  writeFiles(root, Object.fromEntries([...INDEX].map(([name, { text }]) => [name, text])))
  return await openDirectory(root)
}

describe.each<[string, () => Promise<Source>]>([
  ['a directory', onDirectory],
  ['fake-gcs-server, links in metadata', () => onFakeGcs(true)],
  ['fake-gcs-server, links in the text alone', () => onFakeGcs(false)],
])('the index on %s', (name, open) => {
  it.skipIf(server === undefined && name !== 'a directory')('tells of the runs that ended in the scope', async () => {
    const source = await open()
    const find = (scope: Partial<Scope>) =>
      indexDiscovery(source, { now: () => NOW }).find({ ...SCOPE, jobs: jobFilter(undefined, 'unwanted'), ...scope })
    const found = await find({})
    expect(found.from).toBe(SCOPE.from)
    expect(new Map(found.runs.map((run) => [run.path, run.failed]))).toEqual(
      new Map([
        [PATHS.first, true],
        [PATHS.long, true],
        [PATHS.slow, undefined],
        [PATHS.pull, undefined],
        [PATHS.batch, undefined],
        [PATHS.odd, undefined],
        [PATHS.future, undefined],
      ]),
    )
    // The name that is no time sorts after every time, and is looked at.
    expect(found.skipped).toEqual({ 'of another job': 1, 'without a run': 5 })
    const older = await find({ to: NOW - 10 * DAY })
    expect(older.runs.map((run) => run.path).sort()).toEqual([PATHS.first, PATHS.long, PATHS.slow].sort())
    const all = await find({ from: 0 })
    expect(all.from).toBe(NOW - 899 * HOUR)
    expect(all.runs.map((run) => run.path)).toEqual(expect.arrayContaining([PATHS.early, PATHS.before]))
    await source.close()
  })
})

describe('the index', () => {
  it('that is none: DISCOVERY_FAILED', async () => {
    const source = memorySource(new Map([['index/job-metrics/x', { text: '' }]]))
    await expect(indexDiscovery(source).find(SCOPE)).rejects.toMatchObject({
      code: 'DISCOVERY_FAILED',
      message: 'gs://memory: no index, index/job-state/ holds nothing; find runs by Deck or by listing',
    })
  })

  it('begins with the first entry whose clock was right', async () => {
    const entries = [
      entry({ path: `logs/job/${id(10)}`, endedHoursAgo: 9000 }),
      entry({ path: `logs/job/${id(101)}`, endedHoursAgo: 100 }),
      entry({ path: 'logs/job/77', endedHoursAgo: 50 }),
    ]
    const find = (some: [string, MemoryObject][]) =>
      indexDiscovery(memorySource(new Map(some)), { now: () => NOW }).find(SCOPE)
    expect((await find(entries)).from).toBe(NOW - 100 * HOUR)
    expect((await find(entries.slice(0, 1))).from).toBe(NOW)
    expect((await find(entries.slice(2))).from).toBe(NOW - 50 * HOUR)
  })

  it('goes back as far as its pages last, the newest first', async () => {
    const runs = Array.from({ length: 14 * 24 }, (_, hours) => ({
      path: `logs/job/${id(hours + 1)}`,
      endedHoursAgo: hours,
    }))
    const source = memorySource(new Map(runs.map(entry)), { pageSize: 10 })
    const { runs: found, from } = await indexDiscovery(source, { now: () => NOW, maxPages: 10 }).find(SCOPE)
    expect((NOW - from) / DAY).toBe(3)
    const since = runs.filter(({ endedHoursAgo }) => endedHoursAgo * HOUR <= NOW - from)
    expect(found.map((run) => run.path)).toEqual(expect.arrayContaining(since.map((run) => run.path)))
    expect(source.counts.list).toBeLessThanOrEqual(11)
    const none = await indexDiscovery(source, { now: () => NOW, maxPages: 1 }).find(SCOPE)
    expect(none.from).toBe(NOW)
  })

  it('passes on that the bucket can’t be listed', async () => {
    const error = Object.assign(new Error('denied'), { code: 'BUCKET_DENIED' })
    const source = memorySource(INDEX, { fault: () => error })
    await expect(indexDiscovery(source).find(SCOPE)).rejects.toBe(error)
  })
})
