import { describe, expect, it } from 'vitest'
import { ProwlError } from '#lib/errors.ts'
import { jobFilter, type Scope } from './discovery.ts'
import { type ListingOptions, listingDiscovery } from './listing.ts'
import { type MemoryObject, type MemorySource, memorySource } from './testing/memory-source.ts'
import { type BucketJob, objectsOf, runsOfJob } from './testing/prow-bucket.ts'

const NOW = Date.UTC(2026, 4, 1)
const HOUR = 3_600_000
const DAY = 24 * HOUR
const FROM = NOW - 14 * DAY
const SCOPE: Scope = { jobs: jobFilter(undefined, undefined), from: FROM, knownTimes: async () => new Map() }

/** A run an hour, up to now. */
function hourly(count: number, job: Partial<BucketJob> = {}): BucketJob {
  const runs = Array.from({ length: count }, (_, at) => ({ began: NOW - (count - at) * HOUR, lasted: HOUR }))
  return { name: 'job', kind: 'periodic', sequential: true, runs, ...job }
}

const find = (source: MemorySource, options: ListingOptions = {}, scope: Partial<Scope> = {}) =>
  listingDiscovery(source, { now: () => NOW, ...options }).find({ ...SCOPE, ...scope })

const pathsOf = (runs: readonly { readonly path: string }[]) => runs.map((run) => run.path).sort()
const recentOf = (...jobs: readonly BucketJob[]) =>
  pathsOf(jobs.flatMap(runsOfJob).filter(({ began }) => began >= FROM))

function bucketOf(jobs: readonly BucketJob[], changes: Readonly<Record<string, string | undefined>> = {}) {
  const objects = objectsOf(jobs)
  for (const [name, text] of Object.entries(changes))
    if (text === undefined) objects.delete(name)
    else objects.set(name, { text })
  return objects
}

describe('sequential numbers', () => {
  const LATEST = 'logs/job/latest-build.txt'
  it.each<[string, BucketJob, Readonly<Record<string, string | undefined>>, number]>([
    ['are counted down from the latest', hourly(5000), {}, 40],
    ['are counted up a little, as the latest is not the greatest', hourly(5000), { [LATEST]: '4870\n' }, 40],
    ['are counted over a number of digits', hourly(300, { first: 850 }), { [LATEST]: '1149' }, 40],
    ['are counted from one', hourly(3), {}, 10],
    ['are listed where there is no latest', hourly(2000), { [LATEST]: undefined }, 60],
    ['are listed where the latest is none', hourly(2000), { [LATEST]: 'x'.repeat(100) }, 60],
    ['are listed where the latest leads nowhere', hourly(2000), { [LATEST]: '999999' }, 60],
    ['are listed where the latest is empty', hourly(2000), { [LATEST]: '' }, 60],
    ['of presubmits are counted', hourly(5000, { kind: 'presubmit', labelled: true }), {}, 40],
    ['of batches are counted', hourly(5000, { kind: 'batch' }), {}, 40],
  ])('%s', async (_, job, changes, requests) => {
    const source = memorySource(bucketOf([job], changes), { pageSize: 100 })
    expect(pathsOf((await find(source)).runs)).toEqual(recentOf(job))
    expect(source.counts.list + source.counts.stat + source.counts.read).toBeLessThanOrEqual(requests)
  })

  it('of which some are missing are counted past them', async () => {
    const job = hourly(1000)
    const objects = objectsOf([job])
    const gone = runsOfJob(job).slice(700, 790)
    for (const name of [...objects.keys()])
      if (gone.some(({ path }) => name.startsWith(`${path}/`))) objects.delete(name)
    const left = recentOf(job).filter((path) => !gone.some((run) => run.path === path))
    expect(pathsOf((await find(memorySource(objects))).runs)).toEqual(left)
  })

  it('that give way to snowflakes within the scope are all found', async () => {
    const before = hourly(2000)
    const runs = Array.from({ length: 20 }, (_, at) => ({ began: NOW - at * 60_000, lasted: HOUR }))
    const after = { ...before, sequential: false, runs }
    const source = memorySource(new Map([...objectsOf([before]), ...objectsOf([after])]))
    expect(pathsOf((await find(source)).runs)).toEqual(recentOf(before, after))
  })

  it('are counted at once the next time', async () => {
    const source = memorySource(objectsOf([hourly(5000)]))
    const discovery = listingDiscovery(source, { now: () => NOW })
    await discovery.find(SCOPE)
    const before = source.asked.length
    await discovery.find({
      ...SCOPE,
      from: NOW - DAY,
      knownTimes: async (paths) => new Map(paths.map((path) => [path, NOW - 2 * DAY])),
    })
    const asked = source.asked.slice(before).filter((name) => name.startsWith('logs/job/'))
    expect(asked).toEqual(['logs/job/latest-build.txt', 'logs/job/', 'logs/job/'].slice(0, asked.length))
  })
})

describe('snowflakes', () => {
  it('of years are not listed', async () => {
    const job = hourly(20_000, { sequential: false })
    const source = memorySource(objectsOf([job]), { pageSize: 100 })
    expect(pathsOf((await find(source)).runs)).toEqual(recentOf(job))
    expect(source.counts).toEqual({ list: 1 + 4 + 1 + 1 + 1, stat: 0, read: 0 })
  })

  it('of a day ahead are found', async () => {
    const job = hourly(0, { sequential: false, runs: [{ began: NOW + DAY }, { began: NOW + 30 * DAY }] })
    expect((await find(memorySource(objectsOf([job])))).runs.length).toBe(2)
  })

  it('after the scope’s end are left out', async () => {
    const job = hourly(1000, { sequential: false })
    const source = memorySource(objectsOf([job]), { pageSize: 100 })
    const { runs } = await find(source, {}, { to: NOW - 13 * DAY })
    expect(runs.length).toBe(24)
    expect(source.counts.list).toBe(5)
  })
})

describe('what a listing lacks is told', () => {
  const jobs = Array.from({ length: 30 }, (_, at) => hourly(400, { name: `job-${at}`, sequential: false }))

  it('where a cap cuts it off', async () => {
    const source = memorySource(objectsOf([hourly(5000, { sequential: false })]), { pageSize: 100 })
    const { runs, gaps } = await find(source, { maxPages: 2 })
    expect(runs.length).toBe(200)
    expect(gaps).toEqual(['logs/job/: listing stopped after 2 pages; runs may be missing'])
  })

  it('where a job can’t be listed', async () => {
    const error = new ProwlError('BUCKET_UNREACHABLE', 'gs://memory: HTTP 503; check the network and try again')
    const source = memorySource(objectsOf(jobs), { fault: (name) => (name === 'logs/job-7/' ? error : undefined) })
    const { runs, gaps } = await find(source)
    expect(gaps).toEqual([`logs/job-7/: not listed (${error.message}); runs may be missing`])
    expect(pathsOf(runs)).toEqual(recentOf(...jobs.filter((job) => job.name !== 'job-7')))
  })

  it.each(['BUCKET_DENIED', 'BUCKET_NOT_FOUND', 'STORE_FAILED'] as const)('but %s ends it', async (code) => {
    const error = new ProwlError(code, 'no')
    const source = memorySource(objectsOf(jobs), { fault: (name) => (name === 'logs/job-7/' ? error : undefined) })
    await expect(find(source)).rejects.toBe(error)
  })

  it('but many jobs that can’t be listed end it', async () => {
    const error = new ProwlError('BUCKET_UNREACHABLE', 'no')
    const source = memorySource(objectsOf(jobs), {
      fault: (name) => (name.startsWith('logs/job-') ? error : undefined),
    })
    await expect(find(source)).rejects.toBe(error)
  })

  it('where a pointer can’t be read', async () => {
    const job = hourly(20, { kind: 'presubmit', sequential: false })
    const [first, second] = runsOfJob(job).map(({ id }) => `pr-logs/directory/job/${id}.txt`)
    const codes = new Map([
      [first, 'OBJECT_UNREADABLE' as const],
      [second, 'OBJECT_NOT_FOUND' as const],
    ])
    const fault = (name: string) => {
      const code = codes.get(name)
      return code && new ProwlError(code, `${name}: ${code}`)
    }
    const { runs, gaps } = await find(memorySource(objectsOf([job]), { fault }))
    expect(runs.length).toBe(18)
    expect(gaps).toEqual([`${first}: OBJECT_UNREADABLE`])
  })

  it('where there are pull requests without pointers: the greatest numbers are looked at', async () => {
    const job = hourly(300, { kind: 'presubmit', sequential: false })
    const objects = [...objectsOf([job])].filter(([name]) => !name.startsWith('pr-logs/directory/'))
    const source = memorySource(new Map<string, MemoryObject>(objects))
    const { runs, gaps } = await find(source, { maxPages: 100 })
    expect(gaps).toEqual(['pr-logs/pull/: listing stopped after 100 pages; runs may be missing'])
    const newest = runsOfJob(job).slice(-runs.length)
    expect(pathsOf(runs)).toEqual(pathsOf(newest))
    expect(runs.length).toBeGreaterThan(20)
  })
})

it.each(['a%2Fb', 'a#b', 'a b', '%', '1'])('a job named %j is found', async (name) => {
  const jobs = (['periodic', 'presubmit', 'batch'] as const).map((kind) =>
    hourly(40, { name, kind, sequential: false }),
  )
  expect(pathsOf((await find(memorySource(objectsOf(jobs)))).runs)).toEqual(recentOf(...jobs))
})

it('a run known by its pointer is not read for again', async () => {
  const source = memorySource(objectsOf([hourly(40, { kind: 'presubmit', sequential: false })]))
  const discovery = listingDiscovery(source, { now: () => NOW })
  expect((await discovery.find(SCOPE)).runs.length).toBe(40)
  const { read } = source.counts
  expect((await discovery.find(SCOPE)).runs.length).toBe(40)
  expect(source.counts.read).toBe(read)
})
