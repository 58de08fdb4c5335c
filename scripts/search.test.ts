import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '#lib/store/open.ts'
import { storeRun } from '#lib/testing/stored-run.ts'
import { DAY, makeRun } from '#lib/testing/values.ts'

const home = mkdtempSync(join(tmpdir(), 'prowl-search-'))
const data = join(home, 'data')
const NOW = Date.now()
const REACH = 'prowl: no worker has reported how far it read; 0% of 4 blocks indexed'

beforeAll(async () => {
  const store = await openStore({ dataDir: data, mode: 'write' })
  const put = (path: string, days: number, text: string) =>
    storeRun(store, makeRun({ path, startedAt: NOW - days * DAY, result: 'failure' }), {
      'build-log.txt': Buffer.from(text),
    })
  await put('logs/e2e-aws/1', 1, 'one\ntwo EOF\u0007\tx\nthree\nEOF\n')
  await put('logs/e2e-aws/2', 2, 'fine\n')
  await put('logs/unit/3', 3, '-EOF\n')
  await put('logs/unit/4', 40, 'EOF\n')
  await store.close()
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

function search(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/search.ts', '--data', data, ...args], {
    encoding: 'utf8',
    env: { ...process.env, PROWL_URL: 'https://prowl.example.org' },
  })
  return { status, out: stdout.trimEnd().split('\n').filter(Boolean), err: stderr.trimEnd() }
}

describe('npm run search', () => {
  it('prints a line a hit with its page, newest first', () => {
    const { status, out, err } = search('EOF')
    expect({ status, err }).toEqual({ status: 0, err: REACH })
    expect(out.map((line) => line.split('\t')[0])).toEqual([
      'e2e-aws 1 build-log.txt:2: two EOF\u2407 x',
      'e2e-aws 1 build-log.txt:4: EOF',
      'unit 3 build-log.txt:1: -EOF',
    ])
    expect(out[1]?.split('\t')[1]).toBe(
      'https://prowl.example.org/runs/gs/ci/logs/e2e-aws/1?log=build-log.txt&line=4#L4',
    )
  })

  it('takes filters, context, a limit and patterns that begin with a dash', () => {
    expect(search('EOF', '--job', 'unit', '--since', '90d').out).toHaveLength(2)
    expect(search('--job', 'unit', '--', '-EOF').out).toEqual([expect.stringMatching(/^unit 3 /)])
    expect(search('EOF', '--context', '1', '--limit', '1').out.map((line) => line.split('\t')[0])).toEqual([
      'e2e-aws 1 build-log.txt-1- one',
      'e2e-aws 1 build-log.txt:2: two EOF\u2407 x',
      'e2e-aws 1 build-log.txt-3- three',
      '--',
    ])
    expect(search('EOF', '--limit', '1').err).toMatch(/more exist: give a greater --limit/)
    expect(search('EOF', '--max-per-run', '1').out).toEqual([
      expect.stringMatching(/:2: /),
      expect.stringMatching(/^unit/),
    ])
  })

  it('ends by bytes, and says so', () => {
    const { status, out, err } = search('EOF', '--max-bytes', '1')
    expect({ status, lines: out.length }).toEqual({ status: 0, lines: 2 })
    expect(err).toBe(
      `prowl: lines may be missing: as many bytes were read as --max-bytes allows; narrow the search, or give more\n${REACH}`,
    )
    const counted = search('--count', '--json', 'EOF', '--max-bytes', '1')
    expect(JSON.parse(counted.out[0] ?? '')).toMatchObject({
      lines: 2,
      partial: ['bytes', 'incomplete'],
      reach: { state: 'never' },
    })
    expect(counted.err).toMatch(/counts may be too low: as many bytes/)
  })

  it('counts', () => {
    const { out } = search('--count', 'EOF', 'fine')
    expect(out.slice(0, 5)).toEqual([
      '4 lines in 3 runs, 3 of them failed',
      '  3 lines in 2 runs, 2 failed: EOF',
      '  1 line in 1 run, 1 failed: fine',
      '  3 lines in 2 runs, 2 failed: e2e-aws',
      '  1 line in 1 run, 1 failed: unit',
    ])
    const json = JSON.parse(search('--count', '--json', 'EOF').out[0] ?? '') as object
    expect(json).toMatchObject({
      lines: 3,
      runs: 2,
      byJob: [
        { job: 'e2e-aws', lines: 2 },
        { job: 'unit', lines: 1 },
      ],
    })
  })

  it('leaves lines out, and asks where patterns meet', () => {
    expect(search('EOF', '--exclude', 'two', '--exclude', '^-').out.map((line) => line.split('\t')[0])).toEqual([
      expect.stringMatching(/build-log.txt:4: EOF$/),
    ])
    expect(search('--count', '--meet', 'all', 'EOF', 'one').out[0]).toMatch(/in 1 run, 1 of them failed$/)
    expect(search('--count', '--meet', 'without', 'EOF', 'one').out[0]).toMatch(/^1 line in 1 run/)
    expect(search('--meet', 'none', 'EOF', 'one')).toMatchObject({
      status: 2,
      err: expect.stringContaining('meet: Invalid option'),
    })
  })

  it('tallies what a group caught, as uniq -c prints it', () => {
    expect(search('--tally', 'line', '(EOF|fine|three)').out).toEqual(['      3 EOF', '      1 fine', '      1 three'])
    const few = search('--tally=run', '--group', '0', '--limit', '1', 'E(OF)')
    expect(few).toMatchObject({ status: 0, out: ['      2 EOF'] })
    expect(search('--tally', 'line', 'nothing').status).toBe(1)
    expect(search('--tally', 'line', '--group', 'x', '(E)OF').status).toBe(2)
  })

  it('explains how a pattern narrows what is read', () => {
    expect(search('--explain', 'no route', 'EOF').out).toEqual([
      'no route',
      '  Only blocks of log that hold "no route" are read, in upper or lower case.',
      '  plan: "no route"',
      'EOF',
      '  Only blocks of log that hold "eof" are read, in upper or lower case.',
      '  plan: "eof"',
      expect.stringMatching(/^\d of \d blocks \(\d+%\) had to be read\. 3 lines match, in \d+ ms\.$/),
    ])
  })

  it('gives an object a hit as JSON', () => {
    const hits = search('EOF', '--json').out.map((line) => JSON.parse(line) as { hit: { line: number } })
    expect(hits.map(({ hit }) => hit.line)).toEqual([2, 4, 1])
  })

  it.each([
    ['nothing', ['nosuchtext'], 1, /^prowl: no worker has reported how far it read; /],
    ['no pattern', [], 2, /^prowl: CONFIG_INVALID: missing required argument/],
    ['a pattern that does not parse', ['a('], 2, /^prowl: REGEX_SYNTAX: missing closing \)/],
    ['a look-ahead', ['a(?=b)'], 2, /^prowl: REGEX_UNSUPPORTED: `\(\?=` is look-around, .* \(at 1\)$/],
    ['the second pattern', ['a', 'b['], 2, /^prowl: REGEX_SYNTAX: pattern 2, `b\[`: missing closing \].* \(at 1\)$/],
    ['a job pattern', ['a', '--job', '['], 2, /^prowl: REGEX_SYNTAX: job pattern: missing closing \]/],
    ['a leading dash', ['-v foo'], 2, /unknown option '-v foo'; a pattern .* after --: npm run search -- -- '-v foo'/],
    ['leading dashes', ['--- FAIL'], 2, /^prowl: CONFIG_INVALID: .* comes after --: npm run search -- -- '--- FAIL'/],
    ['a leading dash in its place', ['--', '-v foo'], 1, /^prowl: no worker/],
    ['a number of lines a run', ['EOF', '--max-per-run', '0'], 2, /^prowl: QUERY_INVALID: maxPerRun: must be a number/],
    ['a size', ['EOF', '--max-bytes', '1 GB'], 2, /^prowl: CONFIG_INVALID: .*--max-bytes.* 512MiB/],
    ['a range', ['a', '--since', 'soon'], 2, /^prowl: QUERY_INVALID: maxAge: must be a duration/],
    ['a limit', ['EOF', '--limit', 'x'], 2, /^prowl: CONFIG_INVALID: .*--limit/],
  ])('ends with its status: %s', (_, args, status, line) => {
    const ended = search(...args)
    expect(ended.err).toMatch(line)
    expect(ended.err.split('\n').length).toBe(1)
    expect(ended.status).toBe(status)
  })
})
