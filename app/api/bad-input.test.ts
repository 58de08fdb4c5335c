import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { context } from '#lib/service/open.ts'
import { writeStore } from '#lib/testing/stored-run.ts'
import { HOUR, makeRun } from '#lib/testing/values.ts'
import { GET } from './v1/search/route.ts'

/** V8 backtracks on it without end where its linear engine does not step in. */
const LINES = ['a'.repeat(60), 'x'.repeat(60), 'foo -v foo --- FAIL: x', 'a\0b', 'caf\u00e9 \u{1f600}']
let dataDir: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'bad-input-'))
  process.env.PROWL_DATA = dataDir
  const run = makeRun({ path: 'logs/e2e/1', startedAt: Date.now() - 2 * HOUR })
  await writeStore(dataDir, [[run, { 'build-log.txt': Buffer.from(`${LINES.join('\n')}\n`) }]])
})
afterAll(async () => {
  const { store, searcher } = await context()
  await searcher.close()
  await store.close()
  await rm(dataDir, { recursive: true })
})

async function ask(query: string) {
  const response = await GET(new Request(`http://prowl.test/api/v1/search?groupBy=none&maxAge=7d&${query}`))
  const body = await response.json()
  return { status: response.status, ...body }
}
const search = (pattern: string, more = '') => ask(`search=${encodeURIComponent(pattern)}${more}`)

describe('answered whole', () => {
  test.each<[string, string, readonly number[]]>([
    ['a plus of a plus', '(a+)+$', [1]],
    ['a plus of a plus that nearly matches', '(a+)+\\d$', []],
    ['a star of stars', '(.*)*x', [2, 3]],
    ['two ways to split', '(x+x+)+y', []],
    ['counts within counts', '((a{1,10}){1,10}){1,10}$', [1]],
    ['10,000 characters', 'abcdefghij'.repeat(1_000), []],
    ['1,400 alternatives', Array.from({ length: 1_400 }, (_, at) => `word${at}`).join('|'), []],
    ['5,000 stars', `${'a*'.repeat(5_000)}$`, [1, 2, 3, 4, 5]],
    ['a leading dash', '-v foo', [3]],
    ['leading dashes', '--- FAIL', [3]],
    ['only dashes', '--', [3]],
    ['NUL', 'a\0b', []],
    ['NUL, matched as the space that it is shown as', 'a b', [4]],
    ['a line end', 'a\nx', []],
    ['an escaped line end', 'a\\nx', []],
    ['CR LF', 'a\r\nx', []],
    ['half a pair of surrogates, as a code', '\\x{d800}', []],
    ['an astral character', '\u{1f600}', [5]],
  ])('%s', async (_, pattern, lines) => {
    const { status, hits, partial } = await search(pattern)
    expect({ status, partial }).toEqual({ status: 200, partial: ['incomplete'] })
    expect(hits.map(({ line }: { line: number }) => line)).toEqual(lines)
  })

  test('half a pair of surrogates, which an address can only hold as bytes that are no UTF-8', async () => {
    expect(await ask('search=%ED%A0%80')).toMatchObject({ status: 200, hits: [] })
  })
})

test('what V8 can run in linear time no more ends at its deadline, and says that text was left out', async () => {
  const { status, partial, searched } = await search('^(?:x+x+){17,40}y')
  expect({ status, partial, leftOut: searched.leftOut }).toEqual({
    status: 200,
    partial: ['deadline', 'incomplete'],
    leftOut: 1,
  })
  expect((await search('foo')).hits).toHaveLength(1)
})

describe('refused', () => {
  test.each<[string, string, string, RegExp, number]>([
    ['counts that multiply', '((a{1,100}){1,100}){1,100}', 'REGEX_SYNTAX', /^invalid repeat count: `\{1,100\}`/, 11],
    ['over 16,384 characters', 'x'.repeat(17_000), 'REGEX_TOO_LARGE', /longer than 16384 characters/, 16_384],
    ['10,000 open groups', '('.repeat(10_000), 'REGEX_TOO_LARGE', /nests too deeply/, 1_000],
    ['a single byte', 'a\\C', 'REGEX_UNSUPPORTED', /^`\\C` matches single bytes/, 1],
    ['a back-reference', '(a)\\1', 'REGEX_UNSUPPORTED', /^`\\1` is a back-reference/, 3],
    ['a named back-reference', '(?P<x>a)\\k<x>', 'REGEX_UNSUPPORTED', /^`\\k<` is a back-reference/, 8],
    ['a look-ahead', 'a(?=b)', 'REGEX_UNSUPPORTED', /^`\(\?=` is look-around/, 1],
    ['a negative look-ahead', 'a(?!b)', 'REGEX_UNSUPPORTED', /^`\(\?!` is look-around/, 1],
    ['a look-behind', '(?<=a)b', 'REGEX_UNSUPPORTED', /^`\(\?<=` is look-around/, 0],
    ['a negative look-behind', '(?<!a)b', 'REGEX_UNSUPPORTED', /^`\(\?<!` is look-around/, 0],
    ['a star of nothing', '*a', 'REGEX_SYNTAX', /^missing argument to repetition operator: `\*`/, 0],
  ])('%s', async (_, text, code, message, position) => {
    expect(await search(text)).toMatchObject({
      status: 400,
      code,
      position,
      detail: expect.stringMatching(message),
      pattern: { parameter: 'search', index: 0, text },
    })
  })

  test.each([
    [
      'the second of three',
      'search=fine&search=a(&search=b',
      'search',
      1,
      'a(',
      /^pattern 2, `a\(`: missing closing \)/,
    ],
    ['one after an empty one', 'search=&search=ok&search=[', 'search', 1, '[', /^pattern 2, `\[`: missing closing \]/],
    ['of jobs', 'search=x&name=a**', 'name', 0, 'a**', /^job pattern: invalid nested repetition operator: `\*\*`/],
    ['of jobs left out', 'search=x&excludeName=)', 'excludeName', 0, ')', /^excluded job pattern: unexpected \)/],
  ])('it is told which pattern: %s', async (_, query, parameter, index, text, message) => {
    expect(await ask(query)).toMatchObject({
      status: 400,
      code: 'REGEX_SYNTAX',
      detail: expect.stringMatching(message),
      position: expect.any(Number),
      pattern: { parameter, index, text },
    })
  })
})
