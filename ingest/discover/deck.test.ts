import { execFile } from 'node:child_process'
import type { RequestListener } from 'node:http'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { snowflakeAt } from './build-id.ts'
import { type DeckOptions, deckDiscovery } from './deck.ts'
import { jobFilter, type Scope } from './discovery.ts'
import { deckServer } from './testing/deck-server.ts'
import { type MemoryObject, memorySource } from './testing/memory-source.ts'
import { type ProwJobOptions, prowJob } from './testing/prow-job.ts'

process.env.NO_PROXY = '127.0.0.1'

const NOW = Date.UTC(2026, 4, 1)
const HOUR = 3_600_000
const DAY = 24 * HOUR
const id = (hoursAgo: number) => snowflakeAt(NOW - hoursAgo * HOUR)
const [ID, OTHER] = [id(5), id(7)]
const RETRIES = { retries: 2, delayMs: 1, maxDelayMs: 5 }
const SCOPE: Scope = { jobs: jobFilter(undefined, undefined), from: NOW - 14 * DAY, knownTimes: async () => new Map() }

function bucketOf(...paths: readonly string[]): Map<string, MemoryObject> {
  return new Map(paths.flatMap((path) => ['started.json', 'x/y'].map((name) => [`${path}/${name}`, { text: '{}' }])))
}

const sends =
  (body: string | Buffer, headers: Record<string, string> = {}): RequestListener =>
  (_, response) => {
    response.writeHead(200, headers).end(body)
  }
const fails =
  (status: number, headers: Record<string, string> = {}): RequestListener =>
  (_, response) => {
    response.writeHead(status, headers).end('<html>no</html>')
  }
const cuts =
  (body: string, length: number): RequestListener =>
  (_, response) => {
    response.writeHead(200, { 'content-length': length })
    response.write(body, () => response.destroy())
  }

const items = (...jobs: readonly unknown[]) => JSON.stringify({ items: jobs })
const ONE = items(prowJob({ job: 'job', id: ID, startTime: NOW - 5 * HOUR, completionTime: NOW - 4 * HOUR }))

async function ask(
  answers: readonly RequestListener[],
  options: Partial<DeckOptions> & { scope?: Partial<Scope> } = {},
) {
  const server = await deckServer(...answers)
  const { scope, source = memorySource(bucketOf(`logs/job/${ID}`)), ...others } = options
  const deck = deckDiscovery({ deck: server.address, source, retries: RETRIES, now: () => NOW, ...others })
  const asked = deck.find({ ...SCOPE, ...scope })
  return { server, asked, deck, source }
}

describe('Deck answers', () => {
  it.each<[string, readonly RequestListener[]]>([
    ['its list', [sends(ONE)]],
    ['a script', [sends(`var allBuilds = ${ONE};`)]],
    ['a script with spaces', [sends(`\n var  all_1 =\n${ONE} ;\n`)]],
    ['a list after a byte order mark', [sends(`\uFEFF${ONE}`)]],
    ['gzip', [sends(gzipSync(ONE), { 'content-encoding': 'gzip' })]],
    ['503, then its list', [fails(503), sends(ONE)]],
    ['429 with a wait, then its list', [fails(429, { 'retry-after': '0' }), sends(ONE)]],
    ['half of it, then all', [cuts(ONE.slice(0, 80), ONE.length), sends(ONE)]],
    ['gzip cut short, then all', [sends(gzipSync(ONE).subarray(0, 60)), sends(ONE)]],
    ['the start of JSON, then all', [sends(ONE.slice(0, -20)), sends(ONE)]],
  ])('%s', async (_, answers) => {
    const { server, asked } = await ask(answers)
    expect((await asked).runs).toEqual([{ path: `logs/job/${ID}`, job: 'job', buildId: ID, type: 'periodic' }])
    expect(server.urls).toEqual(answers.map(() => '/prowjobs.js?omit=annotations,labels,decoration_config,pod_spec'))
    expect(server.headers[0]?.['user-agent']).toMatch(/^prowl\//)
  })

  it.each<[string, RequestListener, string, number]>([
    ['HTML', sends('\n<!DOCTYPE html><html>sign in</html>'), "answered HTML, not ProwJobs; check the deck's host", 1],
    ['text', sends('gone fishing'), "answered no JSON object, not ProwJobs; check the deck's host", 1],
    ['nothing', sends(''), "answered no JSON object, not ProwJobs; check the deck's host", 1],
    ['an array', sends('[1]'), "answered no JSON object, not ProwJobs; check the deck's host", 1],
    ['JSON of something else', sends('{"a":{"items":[1]}}'), 'answered JSON without items, not ProwJobs', 1],
    ['an empty object, as when it can’t write its list', sends('{}'), 'answered JSON without items, not ProwJobs', 1],
    ['JSON with a fault', sends(`{"items":[{]}${' '.repeat(600)}`), 'answered JSON with a fault in it', 1],
    ['an item without end', sends(`{"items":["${'x'.repeat(3e6)}`), 'answered an item of more than 2 MB', 1],
    ['404', fails(404), 'answered HTTP 404', 1],
    ['a redirect', fails(302, { location: 'https://login.example/' }), 'answered HTTP 302', 1],
    ['503 for ever', fails(503), 'answered HTTP 503', 3],
    ['half for ever', cuts(ONE.slice(0, 80), ONE.length), 'broke off', 3],
    ['gzip without end', sends(gzipSync(ONE).subarray(0, 60)), 'broke off (its gzip has no end)', 3],
    ['JSON without end', sends(ONE.slice(0, -1)), 'broke off (its JSON has no end)', 3],
  ])('%s: DISCOVERY_FAILED', async (_, answer, message, requests) => {
    const { server, asked } = await ask([answer])
    const error = await asked.catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'DISCOVERY_FAILED' })
    const told = (error as Error).message
    expect(told).toContain(`${server.address}/prowjobs.js ${message}`)
    expect(told).not.toContain('\n')
    expect(server.urls.length).toBe(requests)
  })

  it('too slowly: DISCOVERY_FAILED, and no second time', async () => {
    const { server, asked } = await ask([(_, response) => void response.writeHead(200).write('{"items":[')], {
      timeoutMs: 150,
    })
    await expect(asked).rejects.toMatchObject({
      code: 'DISCOVERY_FAILED',
      message: expect.stringContaining('did not answer whole within 0.15 s'),
    })
    expect(server.urls.length).toBe(1)
  })

  it('nobody is there: DISCOVERY_FAILED', async () => {
    const source = memorySource(new Map())
    for (const deck of ['http://127.0.0.1:1', 'prow.example', 'ftp://x/'])
      await expect(deckDiscovery({ deck, source, retries: RETRIES }).find(SCOPE)).rejects.toMatchObject({
        code: 'DISCOVERY_FAILED',
        message: expect.stringContaining(deck),
      })
  })

  it('stops when told to', async () => {
    const stop = new AbortController()
    const { asked } = await ask(
      [
        (_, response) => {
          response.writeHead(200).write('{"items":[')
          stop.abort()
        },
      ],
      { scope: { signal: stop.signal } },
    )
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('with entries that are no runs of this bucket: each is counted', async () => {
    const job = (options: Partial<ProwJobOptions>) => prowJob({ job: 'job', id: ID, startTime: NOW - HOUR, ...options })
    const list = items(
      1,
      null,
      'x',
      {},
      { spec: {} },
      { spec: { job: 7 }, status: { build_id: ID } },
      job({}),
      job({ id: '' }),
      job({ job: 'unwanted' }),
      job({ id: id(15 * 24), startTime: NOW - 15 * DAY }),
      job({ id: OTHER }),
      job({ id: 'not-a-number' }),
      job({ job: '../../etc' }),
    )
    const { asked } = await ask([sends(list)], { scope: { jobs: jobFilter(undefined, 'unwanted') } })
    expect(await asked).toMatchObject({
      runs: [{ path: `logs/job/${ID}` }],
      skipped: {
        'not a ProwJob': 6,
        'without a build id': 1,
        'of another job': 1,
        'of another time': 1,
        'not in this bucket': 3,
      },
    })
  })
})

describe('a run of Deck', () => {
  const pull = { type: 'presubmit', org: 'org', repo: 'repo', pull: 7 }
  const batch = { type: 'batch', org: 'org', repo: 'repo' }
  const view = (path: string, host = 'https://prow.example/view/gs/memory/') => `${host}${path}`
  it.each<[string, Partial<ProwJobOptions>]>([
    [`logs/job/${ID}`, {}],
    [`logs/job/${ID}`, { type: 'postsubmit', org: 'org', repo: 'repo' }],
    [`logs/job/${ID}`, { url: view(`logs/org_repo/job/${ID}`) }],
    [`logs/job/${ID}`, { url: view(`logs/job/${OTHER}`) }],
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
    const source = memorySource(bucketOf(path, `logs/job/${OTHER}`, `pr-logs/pull/9/job/${ID}`))
    const item = prowJob({ job: 'job', id: ID, startTime: NOW - HOUR, state: 'failure', ...options })
    const { asked } = await ask([sends(items(item))], { source, aliases: ['alias'] })
    expect((await asked).runs).toMatchObject([{ path, job: 'job', buildId: ID, failed: true }])
  })

  it('is not taken from an address of another bucket', async () => {
    const path = `pr-logs/pull/elsewhere/7/job/${ID}`
    const item = prowJob({ job: 'job', id: ID, url: view(path, 'https://prow.example/view/gs/another/') })
    const { asked } = await ask([sends(items(item))], { source: memorySource(bucketOf(path)) })
    expect((await asked).runs).toEqual([])
  })

  it.each(['a%2Fb', 'a#b', 'a\nb', 'a b+é🙂', '%'])('of a job named %j is found', async (job) => {
    const path = `logs/${job}/${ID}`
    const url = `https://prow.example/view/gs/memory/logs/${encodeURIComponent(job)}/${ID}`
    for (const item of [prowJob({ job, id: ID, url }), prowJob({ job, id: ID })]) {
      const { asked } = await ask([sends(items(item))], { source: memorySource(bucketOf(path)) })
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
    const { asked } = await ask([sends(items(prowJob({ job: 'job', id: ID, state })))])
    expect((await asked).runs[0]?.failed).toBe(failed)
  })

  it.each([
    ['its id is a day ahead', -24, NOW],
    ['its id is a day behind the scope', 15 * 24, NOW - 13.9 * DAY],
    ['its start is a day behind the scope', 13.9 * 24, NOW - 15 * DAY],
    ['its start is a day ahead', 1, NOW + DAY],
    ['it has no start', 1, undefined],
  ])('is found where %s', async (_, hoursAgo, startTime) => {
    const run = id(hoursAgo)
    const item = prowJob({ job: 'job', id: run, ...(startTime === undefined ? {} : { startTime }) })
    const { asked } = await ask([sends(items(item))], { source: memorySource(bucketOf(`logs/job/${run}`)) })
    expect((await asked).runs).toMatchObject([{ buildId: run }])
  })

  it('is looked for where the last one of its job was, and never where it is known', async () => {
    const ids = Array.from({ length: 30 }, (_, at) => id(at + 1))
    const paths = ids.map((each, at) => `pr-logs/pull/repo/${at + 1}/job/${each}`)
    const source = memorySource(bucketOf(...paths))
    const list = items(...ids.map((each, at) => prowJob({ ...pull, job: 'job', id: each, pull: at + 1 })))
    const { asked, deck } = await ask([sends(list)], { source })
    expect((await asked).runs.map((run) => run.path).sort()).toEqual([...paths].sort())
    expect(source.counts).toEqual({ list: 3 + 29, stat: 0, read: 0 })
    const knownTimes = async (some: readonly string[]) =>
      new Map(some.filter((path) => paths.includes(path)).map((path) => [path, NOW]))
    expect((await deck.find({ ...SCOPE, knownTimes })).runs.length).toBe(30)
    expect(source.counts.list).toBe(32)
  })

  it('is looked for together with those beside it', async () => {
    const there = Array.from({ length: 40 }, (_, at) => id(at + 1))
    const missing = Array.from({ length: 10 }, (_, at) => id(at + 0.5))
    const source = memorySource(bucketOf(...there.map((each) => `logs/job/${each}`)), { pageSize: 15 })
    const list = items(...[...there, ...missing].map((each) => prowJob({ job: 'job', id: each })))
    const { asked } = await ask([sends(list)], { source })
    expect((await asked).runs.length).toBe(40)
    expect(source.counts.list).toBeLessThanOrEqual(5)
  })
})

it('two runs far apart are not looked for through all that lies between', async () => {
  const there = Array.from({ length: 500 }, (_, at) => id(at))
  const source = memorySource(bucketOf(...there.map((each) => `logs/job/${each}`)), { pageSize: 10 })
  const list = items(...[id(0), id(250.5), id(499)].map((each) => prowJob({ job: 'job', id: each, startTime: NOW })))
  const { asked } = await ask([sends(list)], { source, scope: { from: 0 } })
  expect((await asked).runs.map((run) => run.buildId).sort()).toEqual([id(499), id(0)])
  expect(source.counts.list).toBeLessThanOrEqual(1 + 2 + 2)
})

it('an answer of 350,000 entries passes through little memory', async () => {
  const child = ['--max-old-space-size=96', 'ingest/testing/deck-child.ts', '350000']
  const { stdout } = await promisify(execFile)(process.execPath, child, {
    env: { ...process.env, NO_PROXY: '127.0.0.1' },
  })
  expect(JSON.parse(stdout)).toMatchObject({ runs: 350, skipped: { 'of another job': 349_650 } })
  expect(JSON.parse(stdout).sent).toBeGreaterThan(96 * 1024 * 1024)
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
    ['nowhere without ended runs', 0, [run('presubmit', 40, undefined)]],
    ['to the first end', 20, [run('presubmit', 22, 20), run('presubmit', 9, 8)]],
    ['not to the start of a long run, which outlives those that began with it', 20, [run('presubmit', 60, 20)]],
    ['not to the latest of a periodic, which is spared', 0, [run('periodic', 700, 699)]],
    ['not to what was a periodic’s latest until now', 1, [run('periodic', 700, 699), run('periodic', 2, 1)]],
    ['to the second of a periodic', 30, [run('periodic', 31, 30), run('periodic', 700, 699), run('periodic', 2, 1)]],
    [
      'to the first that any job tells',
      30,
      [run('batch', 31, 30), run('periodic', 700, 699), run('periodic', 9, 8, 'b')],
    ],
    ['never before the scope', 14 * 24, [run('presubmit', 500, 499)]],
  ])('%s', async (_, hours, list) => {
    const { asked } = await ask([sends(items(...list))])
    expect((NOW - (await asked).from) / HOUR).toBe(hours)
  })
})
