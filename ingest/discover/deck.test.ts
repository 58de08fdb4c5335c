import { describe, expect, it } from 'vitest'
import { askDeckOf, bucketOf, DAY, HOUR, ID, idOf, itemsOf, NOW, SCOPE, sends } from './testing/ask-deck.ts'
import { memorySource } from './testing/memory-source.ts'
import { type ProwJobOptions, prowJob } from './testing/prow-job.ts'

process.env.NO_PROXY = '127.0.0.1'

describe('a run of Deck', () => {
  const pull = { type: 'presubmit', org: 'org', repo: 'repo', pull: 7 }
  const batch = { type: 'batch', org: 'org', repo: 'repo' }
  const view = (path: string, host = 'https://prow.example/view/gs/memory/') => `${host}${path}`
  it.each<[string, Partial<ProwJobOptions>]>([
    [`logs/job/${ID}`, {}],
    [`logs/job/${ID}`, { type: 'postsubmit', org: 'org', repo: 'repo' }],
    [`logs/job/${ID}`, { url: view(`logs/org_repo/job/${ID}`) }],
    [`logs/job/${ID}`, { url: view(`logs/job/${idOf(7)}`) }],
    [`logs/job/${ID}`, { url: 'https://jenkins.example/job/7/' }],
    [`pr-logs/pull/org_repo/7/job/${ID}`, pull],
    [`pr-logs/pull/7/job/${ID}`, pull],
    [`pr-logs/pull/repo/7/job/${ID}`, pull],
    [`pr-logs/pull/review.example_a_b/7/job/${ID}`, { ...pull, org: 'https://review.example', repo: 'a/b' }],
    [`pr-logs/pull/batch/job/${ID}`, batch],
    [`pr-logs/pull/org_repo/batch/job/${ID}`, batch],
    [`pr-logs/pull/repo/batch/job/${ID}`, batch],
    [`pr-logs/pull/elsewhere/7/job/${ID}`, { ...pull, url: view(`pr-logs/pull/elsewhere/7/job/${ID}/`) }],
    [
      `pr-logs/pull/elsewhere/7/job/${ID}`,
      { url: view(`pr-logs/pull/elsewhere/7/job/${ID}`, 'https://x/view/alias/') },
    ],
  ])('lies in %s, as in the bucket (%j)', async (path, options) => {
    const source = memorySource(bucketOf(path, `logs/job/${idOf(7)}`, `pr-logs/pull/9/job/${ID}`))
    const item = prowJob({ job: 'job', id: ID, startTime: NOW - HOUR, state: 'failure', ...options })
    const { asked } = await askDeckOf([sends(itemsOf(item))], { source, aliases: ['alias'] })
    expect((await asked).runs).toMatchObject([{ path, job: 'job', buildId: ID, failed: true }])
  })

  it('that ended in the scope and began long before is found', async () => {
    const run = idOf(15 * 24)
    const times = { startTime: NOW - 15 * DAY, completionTime: NOW - 13 * DAY }
    const source = memorySource(bucketOf(`logs/job/${run}`))
    const { asked } = await askDeckOf([sends(itemsOf(prowJob({ job: 'job', id: run, ...times })))], { source })
    expect((await asked).runs).toMatchObject([{ buildId: run }])
  })

  it.each([undefined, '', 'postsubmit', '__proto__', 'constructor'])('of the type %j lies in logs', async (type) => {
    const item = prowJob({ job: 'job', id: ID })
    const { asked } = await askDeckOf([sends(itemsOf({ ...item, spec: { ...item.spec, type } }))])
    expect((await asked).runs).toMatchObject([{ path: `logs/job/${ID}` }])
  })

  it('that ended and lies elsewhere, as all do: the Deck of another bucket, DISCOVERY_FAILED', async () => {
    const list = [5, 6].map((hours) => prowJob({ job: 'job', id: idOf(hours), completionTime: NOW - HOUR }))
    const { asked, server } = await askDeckOf([sends(itemsOf(...list))], { source: memorySource(new Map()) })
    await expect(asked).rejects.toMatchObject({
      code: 'DISCOVERY_FAILED',
      message: `${server.address}: none of its ProwJobs lies in gs://memory; check that this is the bucket's Deck`,
    })
  })

  it('is not taken from an address of another bucket', async () => {
    const path = `pr-logs/pull/elsewhere/7/job/${ID}`
    const item = prowJob({ job: 'job', id: ID, url: view(path, 'https://prow.example/view/gs/another/') })
    const { asked } = await askDeckOf([sends(itemsOf(item))], { source: memorySource(bucketOf(path)) })
    expect((await asked).runs).toEqual([])
  })

  it.each(['a%2Fb', 'a#b', 'a b+é🙂', '%'])('of a job named %j is found', async (job) => {
    const path = `logs/${job}/${ID}`
    const url = `https://prow.example/view/gs/memory/logs/${encodeURIComponent(job)}/${ID}`
    for (const item of [prowJob({ job, id: ID, url }), prowJob({ job, id: ID })]) {
      const { asked } = await askDeckOf([sends(itemsOf(item))], { source: memorySource(bucketOf(path)) })
      expect((await asked).runs).toMatchObject([{ path, job }])
    }
  })

  it.each([
    ['success', undefined],
    ['pending', undefined],
    ['triggered', undefined],
    ['failure', true],
    ['error', true],
    ['aborted', true],
  ])('that ended as %s', async (state, failed) => {
    const { asked } = await askDeckOf([sends(itemsOf(prowJob({ job: 'job', id: ID, state })))])
    expect((await asked).runs[0]?.failed).toBe(failed)
  })

  it.each([
    ['its id is a day ahead', -24, NOW],
    ['its id is a day behind the scope', 15 * 24, NOW - 13.9 * DAY],
    ['its start is a day behind the scope', 13.9 * 24, NOW - 15 * DAY],
    ['its start is a day ahead', 1, NOW + DAY],
    ['it has no start', 1, undefined],
  ])('is found where %s', async (_, hoursAgo, startTime) => {
    const run = idOf(hoursAgo)
    const item = prowJob({ job: 'job', id: run, ...(startTime === undefined ? {} : { startTime }) })
    const { asked } = await askDeckOf([sends(itemsOf(item))], { source: memorySource(bucketOf(`logs/job/${run}`)) })
    expect((await asked).runs).toMatchObject([{ buildId: run }])
  })

  it('is looked for where the last one of its job was, and never where it is known', async () => {
    const ids = Array.from({ length: 30 }, (_, at) => idOf(at + 1))
    const paths = ids.map((each, at) => `pr-logs/pull/repo/${at + 1}/job/${each}`)
    const source = memorySource(bucketOf(...paths))
    const list = itemsOf(...ids.map((each, at) => prowJob({ ...pull, job: 'job', id: each, pull: at + 1 })))
    const { asked, deck } = await askDeckOf([sends(list)], { source })
    expect((await asked).runs.map((run) => run.path).sort()).toEqual([...paths].sort())
    expect(source.counts).toEqual({ list: 3 + 29, stat: 0, read: 0 })
    const knownTimes = async (some: readonly string[]) =>
      new Map(some.filter((path) => paths.includes(path)).map((path) => [path, NOW]))
    expect((await deck.find({ ...SCOPE, knownTimes })).runs.length).toBe(30)
    expect(source.counts.list).toBe(32)
  })

  it('is looked for together with those beside it', async () => {
    const there = Array.from({ length: 40 }, (_, at) => idOf(at + 1))
    const missing = Array.from({ length: 10 }, (_, at) => idOf(at + 0.5))
    const source = memorySource(bucketOf(...there.map((each) => `logs/job/${each}`)), { pageSize: 15 })
    const list = itemsOf(...[...there, ...missing].map((each) => prowJob({ job: 'job', id: each })))
    const { asked } = await askDeckOf([sends(list)], { source })
    expect((await asked).runs.length).toBe(40)
    expect(source.counts.list).toBeLessThanOrEqual(5)
  })
})

it('two runs far apart are not looked for through all that lies between', async () => {
  const there = Array.from({ length: 500 }, (_, at) => idOf(at))
  const source = memorySource(bucketOf(...there.map((each) => `logs/job/${each}`)), { pageSize: 10 })
  const list = itemsOf(
    ...[idOf(0), idOf(250.5), idOf(499)].map((each) => prowJob({ job: 'job', id: each, startTime: NOW })),
  )
  const { asked } = await askDeckOf([sends(list)], { source, scope: { from: 0 } })
  expect((await asked).runs.map((run) => run.buildId).sort()).toEqual([idOf(499), idOf(0)])
  expect(source.counts.list).toBeLessThanOrEqual(1 + 2 + 2)
})

describe('an answer reaches back', () => {
  const run = (type: string, beganHoursAgo: number, endedHoursAgo: number | undefined, job = 'job') =>
    prowJob({
      job,
      type,
      id: ID,
      startTime: NOW - beganHoursAgo * HOUR,
      ...(endedHoursAgo === undefined ? {} : { completionTime: NOW - endedHoursAgo * HOUR }),
    })
  it.each<[string, number, readonly unknown[]]>([
    ['nowhere without entries', 0, []],
    ['nowhere without ended runs', 0, [run('postsubmit', 40, undefined)]],
    ['to the first end', 20, [run('postsubmit', 22, 20), run('postsubmit', 9, 8)]],
    ['not to the start of a long run, which outlives those that began with it', 20, [run('postsubmit', 60, 20)]],
    ['not to the latest of a periodic, which is spared', 0, [run('periodic', 700, 699)]],
    ['not to what was a periodic’s latest until now', 1, [run('periodic', 700, 699), run('periodic', 2, 1)]],
    ['to the second of a periodic', 30, [run('periodic', 31, 30), run('periodic', 700, 699), run('periodic', 2, 1)]],
    [
      'to the first that any job tells',
      30,
      [run('batch', 31, 30), run('periodic', 700, 699), run('periodic', 9, 8, 'b')],
    ],
    ['never before the scope', 14 * 24, [run('postsubmit', 500, 499)]],
  ])('%s', async (_, hours, list) => {
    const { asked } = await askDeckOf([sends(itemsOf(...list))])
    expect((NOW - (await asked).from) / HOUR).toBe(hours)
  })
})
