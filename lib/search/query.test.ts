import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LOG_KINDS, RUN_RESULTS } from '../model/run.ts'
import { MAX_DURATION_MS } from './duration.ts'
import { formatQuery, parseQuery, resolveRange, type SearchQuery } from './query.ts'

const HOUR = 3_600_000
const PLAIN: SearchQuery = {
  patterns: ['x'],
  range: { lastMs: 14 * 24 * HOUR, byDefault: true },
  context: 1,
  groupBy: 'job',
}

function read(text: string): SearchQuery {
  return parseQuery(new URLSearchParams(text), { strict: true }).query
}

describe('parameters of old links', () => {
  test.each<[string, Partial<SearchQuery>]>([
    ['search=x', {}],
    [
      'search=x&maxAge=336h&context=1&type=bug%2Bjunit&name=&excludeName=&maxMatches=5&maxBytes=20971520&groupBy=job',
      { kinds: ['junit'], range: { lastMs: 336 * HOUR } },
    ],
    ['search=x&type=bug+issue+junit', { kinds: ['junit'] }],
    ['search=x&type=bug%%2Bjunit', { kinds: ['junit'] }],
    [
      'search=x&searchType=build-log&groupByJob=none&wrapLines=false&mode=text',
      { kinds: ['build-log'], groupBy: 'none' },
    ],
    ['search=x&type=all', {}],
    ['search=x&type=bug', {}],
    ['search=x&type=junit,build-log', { kinds: ['build-log', 'junit'] }],
    ['search=x&maxAge=14d', { range: { lastMs: 14 * 24 * HOUR } }],
    ['search=x&maxAge=48h', { range: { lastMs: 48 * HOUR } }],
    ['search=x&maxAge=7d', { range: { lastMs: 7 * 24 * HOUR } }],
    ['search=x&context=-1', { context: 0 }],
    ['search=x&context=15', { context: 15 }],
    ['search=x&name=4.9&excludeName=^pull', { job: '4.9', excludeJob: '^pull' }],
    ['search=x&result=failure,error', { results: ['failure', 'error'] }],
    ['search=x&result=FAILURE&result=aborted', { results: ['failure', 'aborted'] }],
    ['search=x&result=any', {}],
    ['search=x&maxPerRun=3', { maxPerRun: 3 }],
    ['search=x&maxPerRun=', {}],
    ['search=x&meet=any&exclude=', {}],
    ['search=x&search=y&meet=all', { patterns: ['x', 'y'], meet: 'all' }],
    [
      'search=x&search=y&meet=without&exclude=+z&exclude=q',
      { patterns: ['x', 'y'], meet: 'without', excludes: [' z', 'q'] },
    ],
    ['search=x&from=2026-11-03&to=2026-11-03', { range: { from: Date.UTC(2026, 10, 3), to: Date.UTC(2026, 10, 4) } }],
    [
      'search=x&from=2026-11-03T02:14Z&to=2026-11-03T04:00:00%2B01:00',
      { range: { from: Date.UTC(2026, 10, 3, 2, 14), to: Date.UTC(2026, 10, 3, 3) } },
    ],
  ])('%s', (text, expected) => {
    expect(read(text)).toEqual({ ...PLAIN, ...expected })
  })

  test.each([
    ['search=boskos.ci.*EOF', ['boskos.ci.*EOF']],
    ['search=two++spaces+', ['two  spaces ']],
    ['search=---+FAIL:+Test', ['--- FAIL: Test']],
    ['search=%5Cu003e&search=b', ['\\u003e', 'b']],
    ['search=a&search=', ['a']],
    ['search=', ['']],
    ['search=%00', ['\0']],
  ])('%s keeps the patterns byte for byte', (text, patterns) => {
    expect(read(text).patterns).toEqual(patterns)
  })
})

describe('bad values', () => {
  const bad = [
    ['search', 'name=x'],
    ['maxAge', 'search=x&maxAge=tomorrow'],
    ['context', 'search=x&context=99'],
    ['context', 'search=x&context=1e1'],
    ['type', 'search=x&type=does-not-exist'],
    ['result', 'search=x&result=green'],
    ['groupBy', 'search=x&groupBy=color'],
    ['meet', 'search=x&meet=never'],
    ['tally', 'search=x&tally=job'],
    ['group', 'search=x&group=a-b'],
    ...['0', '201', '-1', '1.5', 'all'].map((n) => ['maxPerRun', `search=x&maxPerRun=${n}`] as const),
    ['from', 'search=x&from=yesterday'],
    ['from', 'search=x&from=2026-13-41'],
    ['to', 'search=x&from=2026-11-03&to=2026-11-01'],
    ['after', 'search=x&after=e30'],
    ['after', 'search=x&after=%FF%00'],
    ['search', `${'search=x&'.repeat(51)}`],
  ] as const

  test.each(bad)('%s is named when strict: %s', (name, text) => {
    const parse = () => parseQuery(new URLSearchParams(text), { strict: true })
    expect(parse).toThrow(
      expect.objectContaining({ code: 'QUERY_INVALID', message: expect.stringMatching(`^${name}: `) }),
    )
  })

  test.each(bad)('%s falls back with one note on a page: %s', (name, text) => {
    const { query, notes, after } = parseQuery(new URLSearchParams(text))
    expect(notes).toEqual([expect.stringMatching(`^${name}: `)])
    expect({ ...query, patterns: ['x'] }).toEqual(
      name === 'search' && text.startsWith('name') ? { ...PLAIN, job: 'x' } : PLAIN,
    )
    expect(after).toBeUndefined()
  })
})

const time = fc.integer({ min: 0, max: Date.UTC(9999, 11, 30) })
const range = fc.oneof(
  fc.constant({ lastMs: 14 * 24 * HOUR, byDefault: true } as const),
  fc.record({ lastMs: fc.integer({ min: 1, max: MAX_DURATION_MS }) }),
  fc
    .tuple(time, fc.integer({ min: 1, max: 1e9 }))
    .map(([from, length]) => ({ from, to: Math.min(from + length, Date.UTC(9999, 11, 31)) })),
)
const name = fc.string({ unit: 'grapheme', minLength: 1 })
const query: fc.Arbitrary<SearchQuery> = fc.record(
  {
    patterns: fc.oneof(fc.array(name, { minLength: 1, maxLength: 4 }), fc.constant([''])),
    meet: fc.constantFrom('all', 'without'),
    excludes: fc.array(name, { minLength: 1, maxLength: 3 }),
    job: name,
    excludeJob: name,
    range,
    results: fc.subarray([...RUN_RESULTS], { minLength: 1 }),
    kinds: fc.subarray([...LOG_KINDS], { minLength: 1 }),
    context: fc.integer({ min: 0, max: 15 }),
    groupBy: fc.constantFrom('job', 'run', 'none'),
    maxPerRun: fc.integer({ min: 1, max: 200 }),
    tally: fc.record(
      { by: fc.constantFrom('line', 'run'), group: fc.constantFrom('0', '2', 'region') },
      { requiredKeys: ['by'] },
    ),
  },
  { requiredKeys: ['patterns', 'range', 'context', 'groupBy'] },
)
const after = fc.record(
  { time, bucket: name, path: name, log: name, line: fc.nat() },
  { requiredKeys: ['time', 'bucket', 'path'] },
)

test('a query and its cursor read back from their parameters as they were', () => {
  fc.assert(
    fc.property(query, fc.option(after, { nil: undefined }), (asked, cursor) => {
      const text = formatQuery(asked, cursor).toString()
      expect(parseQuery(new URLSearchParams(text), { strict: true })).toEqual({
        query: asked,
        notes: [],
        ...(cursor && { after: cursor }),
      })
    }),
  )
})

test('parameters are canonical: reading and printing them again changes nothing', () => {
  fc.assert(
    fc.property(query, (asked) => {
      const text = formatQuery(asked).toString()
      expect(formatQuery(read(text)).toString()).toBe(text)
    }),
  )
  expect(formatQuery(PLAIN).toString()).toBe('search=x')
})

test('patterns to exclude are 50 at most', () => {
  const text = `search=x${'&exclude=y'.repeat(51)}`
  expect(() => read(text)).toThrow(expect.objectContaining({ message: 'exclude: at most 50 patterns at once' }))
  expect(parseQuery(new URLSearchParams(text)).query.excludes).toHaveLength(50)
})

test('a relative range ends now, an absolute one stays', () => {
  expect(resolveRange({ ...PLAIN, range: { lastMs: 10 } }, 1_000)).toEqual({ from: 990, to: 1_001 })
  expect(resolveRange({ ...PLAIN, range: { from: 5, to: 7 } }, 1_000)).toEqual({ from: 5, to: 7 })
})

const LINKS = join(import.meta.dirname, '../../../shared/queries/dev.jsonl')

test.skipIf(!existsSync(LINKS))(
  'links that people really pasted are read, or refused for a reason that is theirs',
  () => {
    const links = readFileSync(LINKS, 'utf8')
      .split('\n')
      .filter((text) => text.includes('"url"') && /\/\/search\./.test(text))
      .map((text): string => JSON.parse(text).url)
      .filter((url) => URL.canParse(url) && new URL(url).searchParams.has('search'))
    expect(links.length).toBeGreaterThan(100)
    const refused = links.flatMap((url) => parseQuery(new URL(url).searchParams).notes.map((note) => `${note}: ${url}`))
    expect(refused).toEqual([])
  },
)
