import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { ProwlError } from '#lib/errors.ts'
import { snowflakeAt } from '#lib/model/build-id.ts'
import { IngestState } from '#lib/model/ingest-state.ts'
import { gapsOf, ingestStateOf } from '#lib/service/passes.ts'
import { parseCatalogue } from '#lib/signature/catalogue.ts'
import { createMatcher } from '#lib/signature/run-matcher.ts'
import { createReferenceStore } from '#lib/store/reference.ts'
import type { Store } from '#lib/store/store.ts'
import { chainDiscovery } from './discover/chain.ts'
import { type Attempt, type ChainFound, type FoundRun, jobFilter, type Scope } from './discover/discovery.ts'
import { listingDiscovery } from './discover/listing.ts'
import { parseRunPath } from './discover/run-path.ts'
import { type PassOptions, runPass } from './pass.ts'
import { DEFAULT_LOG_GLOBS, logGlobs } from './read/log-globs.ts'
import { openDirectory } from './source/directory.ts'
import type { Source } from './source/source.ts'
import { type Files, finishedRun, gzipCut, temporaryDirectory, writeFiles } from './testing/bucket.ts'

const NOW = Date.UTC(2026, 4, 10, 12)
const HOUR = 3_600_000
const LOGS = 'logs/periodic-e2e'

const SIGNATURE = `
signatures:
  - id: boom
    title: It went boom
    kind: per-run
    regexes: ['\\bboom\\b']
    samples: { match: ['it went boom'], no_match: ['boomerang'] }
`

/** A bucket on disk and a store, passed over as often as the test likes; counts the objects read. */
async function setUp(files: Files, change: Partial<PassOptions> = {}, { remote = false } = {}) {
  const root = temporaryDirectory()
  writeFiles(root, files)
  const store = createReferenceStore()
  const reads: string[] = []
  const pass = async (now = NOW, more: Partial<PassOptions> = {}) => {
    const source = { ...counted(await openDirectory(root), reads), ...(remote && { local: false }) }
    return await runPass({
      source,
      store,
      discovery: chainDiscovery([listingDiscovery(source)]),
      jobs: jobFilter(undefined, undefined),
      matcher: createMatcher(parseCatalogue([{ file: 'boom.yaml', text: SIGNATURE }])),
      globs: logGlobs(DEFAULT_LOG_GLOBS),
      settings: 'settings',
      scope: 'scope',
      since: 0,
      maxLogBytes: 1024 * 1024,
      concurrency: 2,
      now: () => now,
      lostAfterMs: 48 * HOUR,
      buildLogWaitsMs: [1, 1],
      ...change,
      ...more,
    })
  }
  const bucket = (await openDirectory(root)).bucket
  const run = (path: string) => store.run({ bucket, path })
  return { root, store, reads, pass, bucket, run }
}

function counted(source: Source, reads: string[]): Source {
  return {
    bucket: source.bucket,
    local: source.local,
    list: (options) => source.list(options),
    stat: (name) => source.stat(name),
    traffic: () => source.traffic(),
    close: () => source.close(),
    read: (name, options) => {
      reads.push(name)
      return source.read(name, options)
    },
  }
}

async function textOf(store: Store, bucket: string, path: string, log: string): Promise<string> {
  const blocks = await store.blocks({ bucket, path }, log, 1, Number.MAX_SAFE_INTEGER)
  const bytes = await store.read(blocks.map((block) => block.ref))
  return bytes.map((block) => new TextDecoder().decode(block)).join('\n')
}

describe('a pass', () => {
  const id = snowflakeAt(NOW - 3 * HOUR)
  const path = `${LOGS}/${id}`

  it('reads a run again whose text the store says it lost, found or not', async () => {
    const { pass, root, store, bucket } = await setUp(finishedRun(path, { at: NOW - HOUR }))
    await pass()
    writeFiles(root, { [`${path}/build-log.txt`]: 'read again\n' })
    const none: ChainFound = { runs: [], attempts: [], gaps: [], from: 0 }
    const unfound = { discovery: { find: async () => none } }
    for (const [code, published] of [
      ['OBJECT_UNREADABLE', 0],
      ['STORE_CORRUPT', 1],
    ] as const) {
      await store.fail({ bucket, path, code, message: 'x', at: NOW })
      await store.fail({ bucket: 'dir://other', path: `${LOGS}/1`, code, message: 'x', at: NOW })
      expect(await pass(NOW, unfound)).toMatchObject({ total: published, published, failed: 0 })
    }
    expect(await textOf(store, bucket, path, 'build-log.txt')).toBe('read again')
  })

  it('publishes a run with its logs and hits', async () => {
    const { pass, run, store, bucket } = await setUp(
      finishedRun(path, {
        at: NOW - HOUR,
        result: 'FAILURE',
        files: {
          'build-log.txt': 'one\nit went boom\nthree\n',
          'artifacts/e2e-aws/container-logs/lease.log': gzipSync('heartbeat\n'),
          'artifacts/e2e-aws/gather-extra/build-log.txt': 'gathered\n',
          'artifacts/e2e-aws/gather-extra/artifacts/huge.txt': 'never read',
          'artifacts/junit_operator.xml':
            '<testsuite name="op"><testcase name="t"><failure message="m">text</failure></testcase></testsuite>',
        },
      }),
    )
    expect(await pass()).toMatchObject({ done: 1, total: 1, published: 1, failed: 0, whole: true })
    const stored = await run(path)
    expect(stored?.run).toMatchObject({ job: 'periodic-e2e', buildId: id, result: 'failure', time: NOW - HOUR })
    expect(stored?.logs.map((log) => [log.name, log.kind, log.lines])).toEqual([
      ['artifacts/e2e-aws/container-logs/lease.log', 'container-log', 1],
      ['artifacts/e2e-aws/gather-extra/build-log.txt', 'step-log', 1],
      ['artifacts/junit_operator.xml', 'junit', 3],
      ['build-log.txt', 'build-log', 3],
    ])
    expect(stored?.hits.map((hit) => [hit.signature, hit.log, hit.line])).toEqual([['boom', 'build-log.txt', 2]])
    expect(await textOf(store, bucket, path, 'artifacts/junit_operator.xml')).toBe('# op.t\nm\ntext')
  })

  it('reads nothing a second time, and all of it when the settings change', async () => {
    const { pass, reads } = await setUp(finishedRun(path, { at: NOW - HOUR }))
    await pass()
    expect(reads).not.toEqual([])
    for (const later of [0, 2 * HOUR]) {
      reads.length = 0
      expect(await pass(NOW + later)).toMatchObject({ published: 0, done: 1 })
      expect(reads.filter((name) => !name.endsWith('.json'))).toEqual([])
    }
    expect(reads).toEqual([])
    expect(await pass(NOW, { settings: 'others' })).toMatchObject({ published: 1 })
  })

  it('reads a run again that was uploaded anew', async () => {
    const { pass, root, run } = await setUp(finishedRun(path, { at: NOW - HOUR, result: 'ABORTED' }))
    await pass()
    expect((await run(path))?.run.result).toBe('aborted')
    writeFiles(root, finishedRun(path, { at: NOW - HOUR + 60_000, result: 'FAILURE' }))
    expect(await pass()).toMatchObject({ published: 1 })
    expect((await run(path))?.run.result).toBe('failure')
  })

  it('takes a pending run up when it finishes, as one run', async () => {
    const { pass, root, run, store } = await setUp({ [`${path}/started.json`]: '{"timestamp":1778400000}' })
    expect(await pass()).toMatchObject({ published: 1 })
    expect((await run(path))?.run.result).toBe('pending')
    expect(await pass(NOW + HOUR)).toMatchObject({ published: 0 })
    writeFiles(root, finishedRun(path, { at: NOW }))
    await pass(NOW + 2 * HOUR)
    expect((await run(path))?.run.result).toBe('success')
    expect((await store.status()).runs).toMatchObject({ pending: 0, success: 1 })
  })

  it('gives a run up as lost after 48 hours, with what it logged', async () => {
    const { pass, run } = await setUp({
      [`${path}/started.json`]: '{"timestamp":1778400000}',
      [`${path}/build-log.txt`]: 'it went boom\n',
    })
    await pass()
    await pass(NOW + 44 * HOUR)
    expect((await run(path))?.run.result).toBe('pending')
    await pass(NOW + 46 * HOUR)
    const lost = await run(path)
    expect(lost?.run.result).toBe('lost')
    expect(lost?.hits.length).toBe(1)
    expect(await pass(NOW + 50 * HOUR)).toMatchObject({ published: 0 })
  })

  it('keeps the text of a gzip that ends early, and marks the log', async () => {
    const lines = Array.from({ length: 5000 }, (_, i) => `line ${i} ${Math.sin(i)}`)
    const { pass, run, store, bucket } = await setUp(
      finishedRun(path, { at: NOW - HOUR, files: { 'build-log.txt': gzipCut(`${lines.join('\n')}\n`, 0.7) } }),
    )
    expect(await pass()).toMatchObject({ failed: 0 })
    const log = (await run(path))?.logs.find((entry) => entry.name === 'build-log.txt')
    expect(log?.broken).toMatch(/not a whole gzip/)
    const text = await textOf(store, bucket, path, 'build-log.txt')
    expect(lines.join('\n').startsWith(text)).toBe(true)
    expect(text.length).toBeGreaterThan(lines.join('\n').length / 2)
  })

  it('leaves out the middle of a log over the cap, with exact numbers after it', async () => {
    const lines = Array.from({ length: 20_000 }, (_, i) => (i === 19_990 ? 'it went boom' : `line ${i + 1}`))
    const { pass, run, store, bucket } = await setUp(
      finishedRun(path, { at: NOW - HOUR, files: { 'build-log.txt': `${lines.join('\n')}\n` } }),
      { maxLogBytes: 40_000 },
    )
    await pass()
    const stored = await run(path)
    const log = stored?.logs.find((entry) => entry.name === 'build-log.txt')
    expect(log).toMatchObject({ lines: 20_000, truncatedFrom: lines.join('\n').length + 1 })
    expect(log?.bytes).toBeLessThanOrEqual(40_000)
    expect(stored?.hits.map((hit) => hit.line)).toEqual([19_991])
    const blocks = await store.blocks({ bucket, path }, 'build-log.txt', 19_000, 20_000)
    const [tail] = await store.read(blocks.slice(-1).map((block) => block.ref))
    expect(new TextDecoder().decode(tail).split('\n')[0]).toBe(lines[(blocks.at(-1)?.firstLine ?? 0) - 1])
  })

  it('tells why a run died that never logged', async () => {
    const { pass, run, store, bucket } = await setUp({
      [`${path}/finished.json`]: '{"timestamp":1778400000,"result":"error"}',
      [`${path}/prowjob.json`]: JSON.stringify({
        spec: { type: 'periodic', cluster: 'build01' },
        status: { state: 'error', description: 'Pod scheduling timeout.' },
      }),
      [`${path}/podinfo.json`]: JSON.stringify({
        pod: {},
        events: [
          { type: 'Warning', reason: 'FailedScheduling', message: '0/9 nodes', lastTimestamp: '2026-05-10T09:00:00Z' },
        ],
      }),
    })
    await pass()
    expect((await run(path))?.logs.map((log) => log.name)).toEqual(['prow'])
    expect(await textOf(store, bucket, path, 'prow')).toBe(
      'ProwJob error: Pod scheduling timeout.\n2026-05-10T09:00:00Z Warning FailedScheduling: 0/9 nodes',
    )
  })

  it('notes a run that can’t be read, reads the others, and tries it so many times', async () => {
    const other = `${LOGS}/${snowflakeAt(NOW - 2 * HOUR)}`
    const broken = new Set([`${path}/build-log.txt`])
    const { pass, store, run, root } = await setUp({
      ...finishedRun(path, { at: NOW - HOUR }),
      ...finishedRun(other, { at: NOW - HOUR }),
    })
    const failing = async (now: number) => {
      const source = breaking(await openDirectory(root), broken)
      return await pass(now, { source, discovery: chainDiscovery([listingDiscovery(source)]) })
    }
    expect(await failing(NOW)).toMatchObject({ published: 1, failed: 1 })
    expect(await run(other)).toBeDefined()
    expect(await run(path)).toBeUndefined()
    expect((await store.status()).problems).toMatchObject([{ path, code: 'OBJECT_UNREADABLE' }])
    for (let i = 2; i <= 5; i++) expect(await failing(NOW + i)).toMatchObject({ failed: 1 })
    expect(await failing(NOW + 6)).toMatchObject({ failed: 0, total: 1 })
    // A worker that is started anew tries again.
    expect(await pass(NOW + 7, { retryAll: true })).toMatchObject({ published: 1 })
    expect(await run(path)).toBeDefined()
  })

  it('publishes it once it can be read, which clears the note', async () => {
    const { pass, store, run, root } = await setUp(finishedRun(path, { at: NOW - HOUR }))
    const source = breaking(await openDirectory(root), new Set([`${path}/build-log.txt`]))
    await pass(NOW, { source, discovery: chainDiscovery([listingDiscovery(source)]) })
    await pass()
    expect(await run(path)).toBeDefined()
    expect((await store.status()).problems).toEqual([])
  })

  it('lists a run anew that is replaced while it is read', async () => {
    const { pass, root, run, store, bucket } = await setUp(finishedRun(path, { at: NOW - HOUR }))
    const directory = await openDirectory(root)
    let replaced = false
    const source: Source = {
      ...counted(directory, []),
      read: (name, options) => {
        if (name.endsWith('build-log.txt') && !replaced) {
          replaced = true
          writeFileSync(join(root, name), 'it is another now\n')
        }
        return directory.read(name, options)
      },
    }
    expect(await pass(NOW, { source, discovery: chainDiscovery([listingDiscovery(source)]) })).toMatchObject({
      published: 1,
      failed: 0,
    })
    expect(await run(path)).toBeDefined()
    expect(await textOf(store, bucket, path, 'build-log.txt')).toBe('it is another now')
  })

  it('finds a build log that comes just after finished.json', async () => {
    const { pass, root, run } = await setUp(finishedRun(path, { at: NOW - 1000 }))
    const directory = await openDirectory(root)
    const text = readFileSync(join(root, path, 'build-log.txt'))
    rmSync(join(root, path, 'build-log.txt'))
    let listings = 0
    const source: Source = {
      ...counted(directory, []),
      list: (options) => {
        if (options.prefix === `${path}/` && ++listings === 2) writeFileSync(join(root, path, 'build-log.txt'), text)
        return directory.list(options)
      },
    }
    await pass(NOW, { source, discovery: chainDiscovery([listingDiscovery(source)]) })
    expect((await run(path))?.logs.map((log) => log.name)).toEqual(['build-log.txt'])
  })

  it('leaves its state, complete up to its start', async () => {
    const { pass, store, bucket } = await setUp(finishedRun(path, { at: NOW - HOUR }))
    await pass(NOW, { followEverySeconds: 60 })
    expect(IngestState.parse(await store.state(`ingest:${bucket}`))).toEqual({
      bucket,
      passStartedAt: NOW,
      worker: `${hostname()} ${process.pid}`,
      passFinishedAt: NOW,
      completeTo: NOW,
      done: 1,
      total: 1,
      followEverySeconds: 60,
      discovery: [{ kind: 'listing', runs: 1, from: 0 }],
      cursors: { listing: NOW },
      retrying: 0,
      givenUp: 0,
      traffic: expect.objectContaining({ retries: 0 }),
    })
  })

  it('ends early when stopped, and goes on where it was', async () => {
    const files = [1, 2, 3, 4, 5, 6].map((i) => finishedRun(`${LOGS}/${snowflakeAt(NOW - i * HOUR)}`, { at: NOW }))
    const { pass, store } = await setUp(Object.assign({}, ...files), { concurrency: 1 })
    const stop = new AbortController()
    const publish = store.publish.bind(store)
    store.publish = async (...args) => {
      await publish(...args)
      stop.abort()
    }
    expect(await pass(NOW, { stop: stop.signal })).toMatchObject({ published: 1, whole: false })
    expect(await pass(NOW)).toMatchObject({ published: 5, whole: true })
  })

  it('stopped early leaves the cursor: what it had found and not read is found again, days later', async () => {
    const days = [1, 2, 3, 4].map((day) => day * 24 * HOUR)
    const files = days.map((ago) => finishedRun(`${LOGS}/${snowflakeAt(NOW - ago)}`, { at: NOW - ago }))
    const { pass, store, bucket } = await setUp(Object.assign({}, ...files), { concurrency: 1 }, { remote: true })
    const stop = new AbortController()
    const publish = store.publish.bind(store)
    store.publish = async (...args) => {
      await publish(...args)
      stop.abort()
    }
    expect(await pass(NOW, { stop: stop.signal })).toMatchObject({ published: 1, whole: false })
    expect(await ingestStateOf(store, bucket)).not.toMatchObject({ cursors: { listing: NOW } })
    expect(await pass(NOW + 36 * HOUR)).toMatchObject({ published: 3, whole: true })
    expect(await ingestStateOf(store, bucket)).toMatchObject({ cursors: { listing: NOW + 36 * HOUR } })
  })
})

describe('how far a pass reaches', () => {
  const DAY = 24 * HOUR
  const paths = [1, 2, 3].map((i) => `${LOGS}/${snowflakeAt(NOW - i * HOUR)}`)
  const files = Object.assign({}, ...paths.map((path) => finishedRun(path, { at: NOW })))

  /** Finds the runs given, and says that it did so since `from`; the periods it was asked for. */
  function telling(found: readonly FoundRun[], answer: { from?: number; gaps?: string[]; attempts?: Attempt[] } = {}) {
    const asked: number[] = []
    const find = async ({ from }: Scope): Promise<ChainFound> => {
      asked.push(from)
      const reached = answer.from ?? from
      const { gaps = [], attempts = [{ kind: 'listing', runs: found.length, from: reached }] } = answer
      return { runs: found, from: reached, gaps, attempts }
    }
    return { find, asked }
  }

  async function far(root: string): Promise<Source> {
    return { ...counted(await openDirectory(root), []), local: false }
  }

  const found = paths.flatMap((path) => parseRunPath(path) ?? [])

  it('is complete to the least of its cursors, and looks again for what no kind reached', async () => {
    const { pass, store, bucket, root } = await setUp(files)
    const source = await far(root)
    const since = NOW - 14 * DAY
    const failed: Attempt = { kind: 'listing', runs: 0, error: 'BUCKET_UNREACHABLE: no answer' }
    const partly = telling(found, {
      from: NOW - 2 * DAY,
      attempts: [{ kind: 'deck', runs: 3, from: NOW - 2 * DAY }, failed],
    })
    await pass(NOW, { source, discovery: partly, since })
    expect(await ingestStateOf(store, bucket)).toMatchObject({ cursors: { deck: NOW }, passFinishedAt: NOW })
    expect(await ingestStateOf(store, bucket)).not.toHaveProperty('completeTo')
    const gap = { from: since, to: NOW - 2 * DAY, why: 'discovery', detail: failed.error }
    expect(await gapsOf(store, bucket)).toEqual([gap])

    const both = telling(found, {
      from: since + 1,
      attempts: [
        { kind: 'deck', runs: 3, from: NOW - 2 * DAY },
        { kind: 'listing', runs: 0, from: since },
      ],
    })
    await pass(NOW + HOUR, {
      source,
      discovery: { find: async (s) => ({ ...(await both.find(s)), from: s.from }) },
      since: since + 1,
    })
    expect(both.asked).toEqual([since + 1])
    const later = await ingestStateOf(store, bucket)
    expect(later).toMatchObject({ cursors: { deck: NOW + HOUR, listing: NOW + HOUR }, completeTo: NOW + HOUR })
    expect((await gapsOf(store, bucket)).map(({ from, to, filledAt }) => [from, to, filledAt])).toEqual([
      [since, since + 1, undefined],
      [since + 1, NOW - 2 * DAY, NOW + HOUR],
    ])

    const next = telling(found)
    await pass(NOW + 2 * HOUR, { source, discovery: next, since: since + 2 })
    expect(next.asked).toEqual([NOW + HOUR - DAY])
  })

  it('keeps a part that could not be searched as a gap until it can be', async () => {
    const { pass, store, bucket, root } = await setUp(files)
    const source = await far(root)
    const since = NOW - 3 * DAY
    await pass(NOW, { source, discovery: telling(found, { gaps: ['logs/x/: HTTP 503'] }), since })
    await pass(NOW + HOUR, { source, discovery: telling(found, { gaps: ['logs/x/: HTTP 503'] }), since })
    expect(await gapsOf(store, bucket)).toEqual([
      { from: since, to: NOW + HOUR, why: 'discovery', detail: 'logs/x/: HTTP 503' },
    ])
    await pass(NOW + 2 * HOUR, { source, discovery: telling(found), since })
    expect(await gapsOf(store, bucket)).toMatchObject([{ filledAt: NOW + 2 * HOUR }])
  })

  it('misses nothing while its clock is days ahead, once it is right again', async () => {
    const [pending, during] = [`${LOGS}/${snowflakeAt(NOW - 3 * HOUR)}`, `${LOGS}/${snowflakeAt(NOW + HOUR)}`]
    const started = { [`${pending}/started.json`]: JSON.stringify({ timestamp: (NOW - 3 * HOUR) / 1000 }) }
    const { pass, run, root } = await setUp(started, {}, { remote: true })
    await pass(NOW)
    await pass(NOW + 120 * HOUR)
    expect((await run(pending))?.run.result).toBe('lost')
    writeFiles(root, finishedRun(pending, { at: NOW + HOUR, result: 'FAILURE' }))
    writeFiles(root, finishedRun(during, { at: NOW + HOUR }))
    await pass(NOW + 2 * HOUR)
    expect((await run(pending))?.run.result).toBe('failure')
    expect((await run(during))?.run.result).toBe('success')
  })

  it('notes the time in which it was down, and that it made up for it', async () => {
    const { pass, store, bucket, root } = await setUp(files)
    const stop = new AbortController()
    stop.abort()
    const more = { source: await far(root), followEverySeconds: 60, since: NOW - 3 * DAY, discovery: telling(found) }
    await pass(NOW, more)
    await pass(NOW + 60_000, more)
    expect(await gapsOf(store, bucket)).toEqual([])
    await pass(NOW + 9 * HOUR, { ...more, stop: stop.signal })
    const down = { from: NOW + 60_000, to: NOW + 9 * HOUR, why: 'down' }
    expect(await gapsOf(store, bucket)).toMatchObject([down])
    expect((await gapsOf(store, bucket))[0]).not.toHaveProperty('filledAt')
    await pass(NOW + 10 * HOUR, more)
    expect(await gapsOf(store, bucket)).toMatchObject([{ ...down, to: NOW + 10 * HOUR, filledAt: NOW + 10 * HOUR }])
  })

  it('reads runs first that are known to have failed, however old', async () => {
    const many = Array.from({ length: 205 }, (_, i) => `${LOGS}/${snowflakeAt(NOW - (i + 1) * 60_000)}`)
    const oldest = many.at(-1) ?? ''
    const { pass, store, root } = await setUp(
      Object.assign(
        {},
        ...many.map((path) => finishedRun(path, { at: NOW, result: path === oldest ? 'FAILURE' : 'SUCCESS' })),
      ),
      { concurrency: 1 },
    )
    const published: string[] = []
    const publish = store.publish.bind(store)
    store.publish = async (version, record) => {
      published.push(record.run.path)
      await publish(version, record)
    }
    const runs = many
      .flatMap((path) => parseRunPath(path) ?? [])
      .map((run) => ({ ...run, failed: run.path === oldest }))
    await pass(NOW, { source: await far(root), discovery: telling(runs) })
    expect(published[0]).toBe(oldest)
    expect(published).toHaveLength(205)
  })
})

function breaking(source: Source, names: ReadonlySet<string>): Source {
  return {
    ...counted(source, []),
    read: async function* (name, options) {
      for await (const chunk of source.read(name, options)) {
        yield chunk
        if (names.has(name)) throw new ProwlError('OBJECT_UNREADABLE', `${name}: cut`)
      }
    },
  }
}
