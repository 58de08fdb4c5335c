import { describe, expect, test } from 'vitest'
import { type PeerQuery, parsePeerQuery } from './peer-query.ts'

const HOUR = 3_600_000
const PLAIN: PeerQuery = {
  query: { patterns: ['x'], range: { lastMs: 48 * HOUR }, kinds: ['junit'], context: 1, groupBy: 'none' },
  maxMatches: 1,
  maxBytes: 20 * 2 ** 20,
  linksOnly: false,
  trackersOnly: false,
}

function read(text: string): PeerQuery {
  return parsePeerQuery(new URLSearchParams(text))
}

describe('what a request asks for', () => {
  const { kinds: _, ...anyKind } = PLAIN.query
  test.each<[string, Partial<PeerQuery>, Partial<PeerQuery['query']>]>([
    ['search=x', {}, {}],
    ['search=x&maxAge=&type=&context=&maxMatches=&maxBytes=&name=&excludeName=&groupBy=', {}, {}],
    ['search=x&maxMatches=0&maxBytes=0', {}, {}],
    ['search=x&maxMatches=500&maxBytes=104857600', { maxMatches: 500, maxBytes: 100 * 2 ** 20 }, {}],
    ['search=x&context=15', {}, { context: 15 }],
    ['search=x&context=-1', { linksOnly: true }, { context: 0 }],
    ['search=x&maxAge=336h0m0s', {}, { range: { lastMs: 336 * HOUR } }],
    ['search=x&maxAge=7d', {}, { range: { lastMs: 168 * HOUR } }],
    ['search=x&maxAge=0', {}, { range: { from: 0, to: Date.UTC(9999, 11, 31) } }],
    ['search=x&maxAge=0s', {}, { range: { from: 0, to: Date.UTC(9999, 11, 31) } }],
    ['search=x&from=2026-11-01&to=2026-11-02', {}, { range: { from: Date.UTC(2026, 10), to: Date.UTC(2026, 10, 3) } }],
    ['search=x&name=azure&excludeName=4.9', {}, { job: 'azure', excludeJob: '4.9' }],
    ['search=x&type=build-log', {}, { kinds: ['build-log'] }],
    ['search=x&type=bug%2Bjunit', {}, {}],
    ['search=x&type=bug+junit', {}, {}],
    ['search=x&type=bug%%2Bjunit', {}, {}],
    ['search=x&searchType=build-log&groupByJob=job&wrapLines=false&mode=text', {}, { kinds: ['build-log'] }],
    ['search=x&groupBy=nonsense&wrap=yes&pr=1&after=elsewhere', {}, {}],
    ['search=x&search=y&search=x', {}, { patterns: ['x', 'y'] }],
    ['search=+x++y+', {}, { patterns: [' x  y '] }],
    ['search=---+FAIL:+Test', {}, { patterns: ['--- FAIL: Test'] }],
    ['search=', {}, { patterns: [''] }],
  ])('%s', (text, peer, query) => {
    expect(read(text)).toEqual({ ...PLAIN, ...peer, query: { ...PLAIN.query, ...query } })
  })

  test.each(['all', 'ALL', 'bug+all'])('type=%s leaves no log out', (type) => {
    expect(read(`search=x&type=${type}`)).toEqual({ ...PLAIN, query: anyKind })
  })

  test.each(['bug', 'issue', 'bug%2Bissue'])('type=%s asks for trackers only', (type) => {
    expect(read(`search=x&type=${type}`)).toEqual({ ...PLAIN, trackersOnly: true, query: anyKind })
  })

  test('another surface has other defaults, which an empty parameter overrides', () => {
    const defaults = { type: 'all', context: 0, name: '-e2e-' }
    const of = (text: string) => parsePeerQuery(new URLSearchParams(text), defaults).query
    expect(of('search=x')).toEqual({ ...anyKind, context: 0, job: '-e2e-' })
    expect(of('search=x&name=')).toEqual({ ...anyKind, context: 0 })
  })
})

test.each([
  ['', /^The 'search' query parameter is required$/],
  ['type=does-not-exist', /^The 'search' query parameter is required$/],
  ['search=x&type=does-not-exist', /^type: search must be one of all, bug, .*, not "does-not-exist"$/],
  ['search=x&type=%2B', /^type: search must be one of /],
  ['search=x&maxAge=-1h', /^maxAge: must be a duration such as 336h, 90m or 7d$/],
  ['search=x&maxAge=2y', /^maxAge: must be a duration/],
  ['search=x&context=16', /^context: must be a number from 0 to 15$/],
  ['search=x&context=-2', /^context: /],
  ['search=x&maxMatches=501', /^maxMatches must be a number between 0 and 500, not "501"$/],
  ['search=x&maxMatches=-1', /^maxMatches must be/],
  ['search=x&maxMatches=1.5', /^maxMatches must be/],
  ['search=x&maxBytes=104857601', /^maxBytes must be a number between 0 and 104857600/],
  [`search=x&type=${'y'.repeat(99)}`, /y{60}…"$/],
])('%s is refused', (text, message) => {
  expect(() => read(text)).toThrow(
    expect.objectContaining({ code: 'QUERY_INVALID', message: expect.stringMatching(message) }),
  )
})
