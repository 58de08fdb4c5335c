import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { putGaps, putIngestState } from '#lib/service/passes.ts'
import { openStore } from '#lib/store/open.ts'
import { storeRun } from '#lib/testing/stored-run.ts'
import { DAY, HOUR, MINUTE, makeHit, makeRun } from '#lib/testing/values.ts'

const home = mkdtempSync(join(tmpdir(), 'prowl-known-'))
const data = join(home, 'data')
const NOW = Date.now()
const BUG = 'https://bugzilla.redhat.com/show_bug.cgi?id=1750890'
const LINE =
  'failed to send heartbeat for resource "96d3": Post http://boskos.ci/update?name=96d3&owner=ci-op-1&state=leased: EOF'
const DECK = 'https://prow.ci.openshift.org/view/gs/test-platform-results'
const PULL = 'pr-logs/pull/openshift_installer/2708'

beforeAll(async () => {
  const store = await openStore({ dataDir: data, mode: 'write' })
  const bucket = 'gs://origin-ci-test'
  await putIngestState(store, {
    ...{ bucket, passStartedAt: NOW - 2 * MINUTE, passFinishedAt: NOW - MINUTE, completeTo: NOW - HOUR },
    ...{ done: 9, total: 9, followEverySeconds: 600 },
  })
  await putGaps(store, bucket, [{ from: NOW - 9.5 * DAY, to: NOW - 9 * DAY, why: 'down', detail: 'no pass ended' }])
  const put = async (path: string, days: number, text: string, more: object = {}) => {
    const run = makeRun({ bucket, path, startedAt: NOW - days * DAY, ...more })
    const hits = text === LINE ? [makeHit({ ...run, at: run.time, log: 'build-log.txt', line: 1, text })] : []
    await storeRun(store, run, { 'build-log.txt': Buffer.from(`${text}\n`) }, hits)
  }
  const refs = { org: 'openshift', repo: 'installer', pulls: [{ number: 2708, sha: 'abc' }] }
  await put('logs/e2e-aws/8664', 1, LINE)
  await put('logs/e2e-aws/8665', 1, 'something else')
  await put('logs/e2e-aws/8666', 1, 'fine', { result: 'success' })
  await put('logs/e2e-aws/8667', 9.2, 'in a gap')
  await put('logs/unit/8664', 1, 'the same number')
  await put(`${PULL}/pull-e2e/1`, 1, LINE, { type: 'presubmit', refs })
  await store.close()
  mkdirSync(join(home, 'logs'))
  const log = `fine\n\u001b[31m${LINE}\u001b[0m\r\nmore\n`
  writeFileSync(join(home, 'logs/known.txt'), log)
  writeFileSync(join(home, 'logs/known.gz'), gzipSync(log))
  writeFileSync(join(home, 'logs/broken.gz'), gzipSync(log).subarray(0, 40))
  writeFileSync(join(home, 'logs/other.txt'), 'ok\nerror: could not run steps: step e2e failed\n')
  writeFileSync(join(home, 'logs/empty.txt'), '')
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** As npx calls it, from any directory, with the Node of the machine. */
function prowl(args: readonly string[], { cwd = home, input = '' } = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [resolve('scripts/prowl.js'), ...args], {
    ...{
      cwd,
      input,
      encoding: 'utf8',
      env: { ...process.env, PROWL_DATA: data, PROWL_URL: 'https://prowl.example.org' },
    },
  })
  return { status, out: stdout.trimEnd().split('\n').filter(Boolean), err: stderr.trimEnd() }
}

describe('prowl known', () => {
  it.each<[string, string[], number, RegExp]>([
    ['a run that died of a known failure', [`${DECK}/logs/e2e-aws/8664`], 0, /^known: Boskos lease lost/],
    ['deep into its artifacts', [`${DECK}/logs/e2e-aws/8664/artifacts/a/b.log`], 0, /^known: /],
    ['a run of nothing known', ['gs://origin-ci-test/logs/e2e-aws/8665'], 1, /^not known: no signature matches it$/],
    ['a run that passed', ['8666'], 1, /^passed$/],
    ['a run in a gap', ['8667'], 3, /^nothing known was found, but the worker missed runs from /],
    ['an id of two jobs', ['8664'], 3, /^2 runs have this id: give the address of one$/],
    ['a run not read', [`${DECK}/logs/e2e-aws/9999`], 3, /^not read yet: .* The next pass begins at /],
    [
      'a run of another bucket',
      ['gs://elsewhere/logs/e2e-aws/9999'],
      3,
      /^not read yet: Its bucket, elsewhere, is not/,
    ],
    ['a pull request', ['openshift/installer#2708'], 0, /^1 of 1 run of commit abc failed: 1 of a known failure\.$/],
    ['a pull request never seen', ['https://github.com/openshift/installer/pull/1'], 3, /^No run of openshift/],
    ['a log', ['logs/known.txt'], 0, /^known: Boskos lease lost/],
    ['a packed log', ['logs/known.gz'], 0, /^known: Boskos lease lost/],
    ['a log of nothing known', ['logs/other.txt'], 1, /^not known: no signature matches its 2 lines$/],
    ['an empty log', ['logs/empty.txt'], 1, /^not known: no signature matches its 0 lines$/],
  ])('%s', (_, args, status, first) => {
    const ended = prowl(['known', ...args])
    expect(ended.out[0]).toMatch(first)
    expect(ended.status).toBe(status)
  })

  it.each<[string, string[], RegExp]>([
    ['no file and no run', ['nosuch'], /^prowl: QUERY_INVALID: nosuch: names no run, no pull request and no file/],
    ['nothing', [], /^prowl: CONFIG_INVALID: missing required argument/],
    ['a log that breaks off', ['logs/broken.gz'], /^prowl: OBJECT_BROKEN: logs\/broken\.gz: /],
    [
      'no server there',
      ['8664', '--url', 'http://127.0.0.1:9'],
      /^prowl: SERVER_UNREACHABLE: http:\/\/127\.0\.0\.1:9 /,
    ],
    ['no address of a server', ['8664', '--url', 'x'], /^prowl: CONFIG_INVALID: --url x: give the address/],
  ])('refuses: %s', (_, args, line) => {
    const { status, err } = prowl(['known', ...args])
    expect(err).toMatch(line)
    expect(err.split('\n')).toHaveLength(1)
    expect(status).toBe(2)
  })

  it('tells the bug, the line and its page, and how far the data reaches', () => {
    const { out, err } = prowl(['known', `${DECK}/logs/e2e-aws/8664`])
    expect(out.slice(1)).toEqual([
      '  e2e-aws 8664: failure  https://prowl.example.org/runs/gs/origin-ci-test/logs/e2e-aws/8664',
      expect.stringMatching(/^ {2}died of: Boskos lease lost.* \(boskos\.heartbeat\)$/),
      `  bug: ${BUG}`,
      ...out.slice(4, -1),
      `  line: build-log.txt:1: ${LINE}  https://prowl.example.org/runs/gs/origin-ci-test/logs/e2e-aws/8664?log=build-log.txt&line=1#L1`,
    ])
    expect(err).toMatch(/complete for runs started before/)
  })

  it('reads a log from standard input, without what a terminal would obey', () => {
    const { status, out } = prowl(['known', '-'], { input: `x\u0007\n${LINE}\u0007\n` })
    expect(status).toBe(0)
    expect(out).toContain(`  line: 2: ${LINE}\u2407`)
  })

  it('gives JSON with completeTo and partial', () => {
    const run = JSON.parse(prowl(['known', '8666', '--json']).out.join('')) as object
    expect(run).toMatchObject({ answer: 'not', completeTo: NOW - HOUR, partial: ['gap'], runs: [{ state: 'passed' }] })
    const log = JSON.parse(prowl(['known', 'logs/known.txt', '--json']).out.join('')) as object
    expect(log).toMatchObject({ answer: 'known', matches: [{ id: 'boskos.heartbeat', line: 2, bugs: [BUG] }] })
    const pull = JSON.parse(prowl(['known', 'openshift/installer#2708', '--json']).out.join('')) as object
    expect(pull).toMatchObject({ answer: 'known', completeTo: NOW - HOUR, commits: [{ sha: 'abc' }] })
  })
})

describe('prowl search --count', () => {
  it.each<[string, string[], number]>([
    ['a line matches', ['EOF'], 0],
    ['a line matches, though runs may be missing', ['EOF', '--since', '20d'], 0],
    ['none, and all is in', ['nowhere', '--since', '2d'], 1],
    ['none, and runs may be missing', ['nowhere', '--since', '20d'], 3],
    ['none, as fresh as demanded', ['nowhere', '--since', '2d', '--fresh', '2h'], 1],
    ['none, not as fresh as demanded', ['nowhere', '--since', '2d', '--fresh', '30m'], 3],
    ['none, and not all was searched', ['q[0-9]*z', '--max-bytes', '1', '--since', '2d'], 3],
  ])('%s', (_, args, status) => {
    expect(prowl(['search', '--count', ...args]).status).toBe(status)
  })

  it('gives completeTo and partial as JSON', () => {
    const counts = JSON.parse(
      prowl(['search', '--count', '--json', 'nowhere', '--since', '20d']).out.join(''),
    ) as object
    expect(counts).toMatchObject({ runs: 0, lines: 0, completeTo: NOW - HOUR, partial: ['gap'] })
  })

  it('says in a leading dash’s place how it is called', () => {
    expect(prowl(['search', '-v foo']).err).toMatch(/comes after --: npx prowl search -- '-v foo'; see --help$/)
  })
})

it('prowl tells what it can, and refuses what it cannot', () => {
  expect(prowl(['--help']).out.join('\n')).toMatch(/known.*\n[\s\S]*search/)
  expect(prowl(['no-such']).err).toMatch(/^prowl: CONFIG_INVALID: unknown command 'no-such'.*; see --help$/)
})
