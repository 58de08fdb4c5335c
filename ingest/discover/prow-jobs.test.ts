import { execFile } from 'node:child_process'
import type { RequestListener } from 'node:http'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { deckDiscovery } from './deck.ts'
import { jobFilter } from './discovery.ts'
import { askDeckOf, DAY, HOUR, ID, idOf, itemsOf, NOW, RETRIES, SCOPE, sends } from './testing/ask-deck.ts'
import { memorySource } from './testing/memory-source.ts'
import { type ProwJobOptions, prowJob } from './testing/prow-job.ts'

process.env.NO_PROXY = '127.0.0.1'

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

const ONE = itemsOf(prowJob({ job: 'job', id: ID, startTime: NOW - 5 * HOUR, completionTime: NOW - 4 * HOUR }))

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
    const { server, asked } = await askDeckOf(answers)
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
    const { server, asked } = await askDeckOf([answer])
    const error = await asked.catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'DISCOVERY_FAILED' })
    const told = (error as Error).message
    expect(told).toContain(`${server.address}/prowjobs.js ${message}`)
    expect(told).not.toContain('\n')
    expect(server.urls.length).toBe(requests)
  })

  it('too slowly: DISCOVERY_FAILED, and no second time', async () => {
    const { server, asked } = await askDeckOf([(_, response) => void response.writeHead(200).write('{"items":[')], {
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
    const { asked } = await askDeckOf(
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
    const list = itemsOf(
      1,
      null,
      'x',
      {},
      { spec: {} },
      { spec: { job: 7 }, status: { build_id: ID } },
      job({}),
      job({ id: '' }),
      job({ job: 'unwanted' }),
      job({ id: idOf(15 * 24), startTime: NOW - 15 * DAY }),
      job({ id: idOf(7) }),
      job({ id: 'not-a-number' }),
      job({ job: '../../etc' }),
    )
    const { asked } = await askDeckOf([sends(list)], { scope: { jobs: jobFilter(undefined, 'unwanted') } })
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

it('an answer of 350,000 entries passes through little memory', async () => {
  const child = ['--max-old-space-size=96', 'ingest/testing/deck-child.ts', '350000']
  const { stdout } = await promisify(execFile)(process.execPath, child, {
    env: { ...process.env, NO_PROXY: '127.0.0.1' },
  })
  expect(JSON.parse(stdout)).toMatchObject({ runs: 350, skipped: { 'of another job': 349_650 } })
  expect(JSON.parse(stdout).sent).toBeGreaterThan(96 * 1024 * 1024)
})
