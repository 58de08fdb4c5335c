import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { snowflakeAt } from '#lib/model/build-id.ts'
import { IngestState } from '#lib/model/ingest-state.ts'
import { backfillOf } from '#lib/service/passes.ts'
import { openStore } from '#lib/store/open.ts'
import type { Store } from '#lib/store/store.ts'
import { finishedRun, temporaryDirectory, writeFiles } from './testing/bucket.ts'

const NOW = Date.now()
const HOUR = 3_600_000

interface Ended {
  readonly status: number | null
  readonly out: string
  readonly err: string
}

function start(
  args: readonly string[],
  env: Record<string, string> = {},
): { child: ChildProcess; ended: Promise<Ended> } {
  const child = spawn(process.execPath, args, { env: { ...process.env, NO_PROXY: '127.0.0.1', ...env } })
  onTestFinished(() => void child.kill('SIGKILL'))
  let [out, err] = ['', '']
  child.stdout.on('data', (text) => {
    out += text
  })
  child.stderr.on('data', (text) => {
    err += text
  })
  return { child, ended: new Promise((resolve) => child.on('close', (status) => resolve({ status, out, err }))) }
}

const ingest = (args: readonly string[], env?: Record<string, string>) =>
  start(['ingest/main.ts', ...args], { PROWL_LOG_LEVEL: 'warn', ...env })

async function answering(status: number): Promise<string> {
  const server = createServer((_, response) => void response.writeHead(status).end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('bad input ends with status 2 and one line', () => {
  const dir = () => {
    const root = temporaryDirectory()
    writeFiles(root, { 'a-file': 'x', 'bucket/logs/job/1/finished.json': '{}', 'empty/readme.txt': 'x' })
    return root
  }
  const cases: [string, (root: string) => string[], RegExp, number?][] = [
    ['a missing directory', (root) => ['--bucket', join(root, 'nowhere')], /^prowl: BUCKET_NOT_FOUND: /],
    ['a file', (root) => ['--bucket', join(root, 'a-file')], /^prowl: BUCKET_NOT_DIRECTORY: /],
    ['an empty bucket', (root) => ['--bucket', join(root, 'empty')], /^prowl: BUCKET_EMPTY: /],
    ['a bucket on S3', () => ['--bucket', 's3://name'], /^prowl: CONFIG_INVALID: .*s3:\/\//],
    ['a path in a bucket', () => ['--bucket', 'gs://name/logs/x'], /^prowl: CONFIG_INVALID: .*gs:\/\/name/],
    ['no bucket name', () => ['--bucket', 'gs://No_Such!'], /^prowl: CONFIG_INVALID: /],
    ['a missing bucket', () => ['--bucket', 'gs://nowhere'], /^prowl: BUCKET_NOT_FOUND: /, 404],
    ['a bucket that is not public', () => ['--bucket', 'gs://closed'], /^prowl: BUCKET_DENIED: /, 403],
    ['a job pattern', (root) => ['--bucket', join(root, 'bucket'), '--jobs', 'a(b'], /^prowl: REGEX_SYNTAX: /],
    ['a look-ahead', (root) => ['--bucket', join(root, 'bucket'), '--jobs', 'a(?=b)'], /^prowl: REGEX_/],
    [
      'a data directory that is a file',
      (root) => ['--bucket', join(root, 'bucket'), '--data', join(root, 'a-file')],
      /^prowl: DATA_DIR_UNWRITABLE: /,
    ],
    ['an unknown option', () => ['--bucket', 'x', '--nonsense'], /^prowl: CONFIG_INVALID: unknown option/],
    ['no bucket', () => [], /^prowl: CONFIG_INVALID: .*--bucket/],
    ['an unknown preset', () => ['--preset', 'nope'], /^prowl: CONFIG_INVALID: .*there are kubernetes, openshift/],
    ['a preset on S3', () => ['--preset', 'istio'], /^prowl: CONFIG_INVALID: .*s3:\/\/istio-prow/],
    [
      'a Deck with a path',
      () => ['--bucket', 'gs://name', '--deck', 'prow.k8s.io/x'],
      /^prowl: CONFIG_INVALID: --deck/,
    ],
    ['no run’s address', () => ['--run', 'https://prow.k8s.io/'], /^prowl: CONFIG_INVALID: --run/],
    [
      'an address of a run that is not there',
      (root) => ['--bucket', join(root, 'bucket'), '--run', 'gs://b/logs/job/2'],
      /^prowl: NOT_FOUND: .* holds no run 2 of job/,
    ],
    [
      'a period that ends before it begins',
      (root) => ['--bucket', join(root, 'bucket'), '--backfill', '2026-02-01..2026-01-01'],
      /^prowl: CONFIG_INVALID: .*--backfill.*the earlier first/,
    ],
    [
      'no period',
      (root) => ['--bucket', join(root, 'bucket'), '--backfill', '2026'],
      /^prowl: CONFIG_INVALID: .*--backfill/,
    ],
    ['how to authenticate', () => ['--bucket', 'gs://name', '--auth', 'basic'], /^prowl: CONFIG_INVALID: .*--auth/],
    [
      'a time',
      (root) => ['--bucket', join(root, 'bucket'), '--since', 'soon'],
      /^prowl: CONFIG_INVALID: .*--since.*14d/,
    ],
    [
      'a size',
      (root) => ['--bucket', join(root, 'bucket'), '--max-log-bytes', '0'],
      /^prowl: CONFIG_INVALID: .*--max-log-bytes/,
    ],
  ]
  it.each(cases)('%s', async (_, args, line, status) => {
    const root = dir()
    const endpoint: Record<string, string> = status === undefined ? {} : { PROWL_GCS_ENDPOINT: await answering(status) }
    const { status: ended, err } = await ingest(withData(args(root), root), endpoint).ended
    expect(err).toMatch(line)
    expect(err.trimEnd().split('\n').length).toBe(1)
    expect(ended).toBe(2)
  })
})

function withData(args: readonly string[], root: string): readonly string[] {
  return args.includes('--data') ? args : [...args, '--data', join(root, 'data')]
}

it('explains itself', async () => {
  const { status, out } = await ingest(['--help']).ended
  expect(status).toBe(0)
  for (const option of [
    '--bucket',
    '--preset',
    '--run',
    '--backfill',
    '--jobs',
    '--since',
    '--follow',
    '--log-glob',
    '--keep-days',
  ])
    expect(out).toContain(option)
})

describe('the worker', () => {
  const run = (hours: number, result = 'SUCCESS') =>
    finishedRun(`logs/job/${snowflakeAt(NOW - hours * HOUR)}`, { at: NOW - (hours - 1) * HOUR, result })

  it('reads a bucket once', async () => {
    const root = temporaryDirectory()
    writeFiles(root, { ...run(3), ...run(5, 'FAILURE'), ...run(30 * 24) })
    const data = join(temporaryDirectory(), 'data')
    const first = await ingest(['--bucket', root, '--data', data]).ended
    expect(first).toMatchObject({ status: 0, err: '' })
    expect(first.out).toMatch(/2 runs found, 2 runs read/)
    const second = await ingest(['--bucket', `file://${root}`, '--data', data, '--since', 'all']).ended
    expect(second.out).toMatch(/3 runs found, 1 runs read/)
    const store = await openStore({ dataDir: data, mode: 'read' })
    expect((await store.status()).runs).toMatchObject({ success: 2, failure: 1 })
    await store.close()
  })

  const stored = async <T>(data: string, use: (store: Store) => Promise<T>) => {
    const store = await openStore({ dataDir: data, mode: 'read' })
    try {
      return await use(store)
    } finally {
      await store.close()
    }
  }

  it('reads one run by its address, whatever its age and job', async () => {
    const root = temporaryDirectory()
    const data = join(temporaryDirectory(), 'data')
    const heartbeat =
      'failed to send heartbeat for resource "r": Post http://boskos.ci/update?name=r&owner=o&state=leased: EOF\n'
    writeFiles(root, {
      ...finishedRun('logs/old/7', {
        at: NOW - 900 * 24 * HOUR,
        result: 'FAILURE',
        files: { 'build-log.txt': `a\n${heartbeat}` },
      }),
      ...run(2),
    })
    const args = ['--bucket', root, '--data', data, '--jobs', 'other', '--run']
    const first = await ingest([...args, 'https://prow.k8s.io/view/gs/b/logs/old/7']).ended
    expect(first).toMatchObject({ status: 0, err: '' })
    expect(first.out).toMatch(/^old 7: failure, .* 1 logs, /)
    expect(first.out).toMatch(/^ {2}boskos\.heartbeat\S* {2}build-log\.txt:2 {2}failed to send heartbeat/m)
    expect(first.out).toContain(`/runs/dir/${basename(root)}/logs/old/7\n`)
    const again = await ingest([...args, 'https://prow.k8s.io/view/prowjob/old/7']).ended
    expect(again).toMatchObject({ status: 0, out: first.out })
    expect(await stored(data, (store) => store.status())).toMatchObject({ runs: { failure: 1, success: 0 } })
  })

  it('looks for an edited signature in what it has read, without reading it again', async () => {
    const [root, data, signatures] = [temporaryDirectory(), join(temporaryDirectory(), 'data'), temporaryDirectory()]
    const file = (regex: string) =>
      `signatures:\n  - {id: boom, title: Boom, kind: per-run, regexes: ['${regex}'], samples: {match: [], no_match: []}}\n`
    writeFiles(root, run(3, 'FAILURE'))
    const args = ['--bucket', root, '--data', data]
    const lines = async () =>
      await stored(data, async (store) =>
        (await store.hits({ signature: 'boom' }, { limit: 9 })).items.map((hit) => hit.line),
      )
    for (const [regex, line] of [
      ['^started', 1],
      ['^ended', 2],
    ] as const) {
      writeFiles(signatures, { 'a.yaml': file(regex) })
      const { status, err, out } = await ingest(args, { PROWL_SIGNATURES: signatures }).ended
      expect({ status, err }).toEqual({ status: 0, err: '' })
      expect(out).toMatch(line === 1 ? /1 runs found, 1 runs read/ : /1 runs found, nothing new/)
      expect(await lines()).toEqual([line])
    }
  })

  it('reads a past period, and goes on where it was stopped', async () => {
    const root = temporaryDirectory()
    const data = join(temporaryDirectory(), 'data')
    writeFiles(root, { ...run(3), ...run(40 * 24), ...run(41 * 24), ...run(80 * 24) })
    const day = (hours: number) => new Date(NOW - hours * HOUR).toISOString().slice(0, 10)
    const args = ['--bucket', root, '--data', data, '--backfill', `${day(50 * 24)}..${day(30 * 24)}`]
    const bucket = `dir://${basename(root)}`
    const first = await ingest(args).ended
    expect(first).toMatchObject({ status: 0, err: '' })
    expect(first.out).toMatch(/2 runs found, 2 runs read/)
    const state = await stored(data, (store) => backfillOf(store, bucket))
    expect(state).toMatchObject({ done: 2, total: 2, finishedAt: expect.any(Number) })
    expect((await ingest(args).ended).out).toMatch(/2 runs found, nothing new/)
    const { child, ended } = ingest([...args, '--follow', '--every', '1s', '--since', '1d'])
    while ((await stored(data, (store) => store.status())).runs.success < 3) await sleep(100)
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ status: 0, err: '' })
    expect((await stored(data, (store) => store.status())).runs.success).toBe(3)
  })

  it('waits for an empty bucket, follows it, and ends cleanly when told to', async () => {
    const root = temporaryDirectory()
    const data = join(temporaryDirectory(), 'data')
    const { child, ended } = ingest(['--bucket', root, '--data', data, '--follow', '--every', '1s'])
    const state = async () => {
      const store = await openStore({ dataDir: data, mode: 'read' }).catch(() => undefined)
      const value = IngestState.safeParse(await store?.state(`ingest:dir://${basename(root)}`)).data
      await store?.close()
      return value
    }
    const until = async (total: number) => {
      while ((await state())?.done !== total || (await state())?.passFinishedAt === undefined) await sleep(100)
    }
    await until(0)
    writeFiles(root, run(2))
    await until(1)
    expect(await state()).toMatchObject({ followEverySeconds: 1, done: 1, total: 1 })
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ status: 0, err: '' })
  })
})

it('holds no log of 500 MB in memory', async () => {
  const root = temporaryDirectory()
  const path = `logs/job/${snowflakeAt(NOW - HOUR)}`
  writeFiles(root, finishedRun(path, { at: NOW, result: 'FAILURE' }))
  mkdirSync(join(root, path), { recursive: true })
  const part = Buffer.from(Array.from({ length: 16_384 }, (_, i) => `${String(i).padStart(63, '.')}\n`).join(''))
  const file = openSync(join(root, path, 'build-log.txt'), 'w')
  for (let i = 0; i < 500; i++) writeSync(file, part)
  closeSync(file)
  const data = join(temporaryDirectory(), 'data')
  const child = start(['--max-old-space-size=128', 'ingest/testing/ingest-child.ts', root, data])
  const { status, out, err } = await child.ended
  expect({ status, err }).toEqual({ status: 0, err: '' })
  expect(Number(out)).toBeLessThan(400 * 1024)
  const store = await openStore({ dataDir: data, mode: 'read' })
  const stored = await store.run({ bucket: `dir://${basename(root)}`, path })
  expect((await store.status()).problems).toEqual([])
  expect(stored?.logs[0]).toMatchObject({ lines: 500 * 16_384, truncatedFrom: 500 * part.length })
  await store.close()
}, 120_000)
