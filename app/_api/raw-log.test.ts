import { expect, test } from 'vitest'
import { makeRun } from '#lib/testing/values.ts'
import { rawAnswer } from './raw-log.ts'

const BYTES = Buffer.from('0123456789')
const RUN = makeRun({ startedAt: Date.UTC(2026, 10, 3), path: 'logs/e2e "x"\r\n/8664' })
const ETAG = '"tag"'

function ask(headers: Record<string, string> = {}, { truncated = false, method = 'GET' } = {}): Response {
  const log = { name: 'a/build-log.txt', kind: 'build-log', bytes: BYTES.length, lines: 1 } as const
  return rawAnswer(new Request('http://prowl/', { headers, method }), {
    run: RUN,
    log: truncated ? { ...log, truncatedFrom: 99 } : log,
    tag: 'tag',
    async *bytes(range) {
      yield range ? BYTES.subarray(range.first, range.last + 1) : BYTES
    },
  })
}

test.each([
  ['all', {}, 200, '0123456789', null],
  ['the start', { range: 'bytes=0-3' }, 206, '0123', 'bytes 0-3/10'],
  ['the end', { range: 'bytes=-2' }, 206, '89', 'bytes 8-9/10'],
  ['too far', { range: 'bytes=8-99' }, 206, '89', 'bytes 8-9/10'],
  ['beyond', { range: 'bytes=10-' }, 416, /RANGE_UNSATISFIABLE/, 'bytes */10'],
  ['several ranges', { range: 'bytes=0-1,3-4' }, 200, '0123456789', null],
  ['nonsense', { range: 'bytes=x' }, 200, '0123456789', null],
  ['of this version', { range: 'bytes=0-3', 'if-range': ETAG }, 206, '0123', 'bytes 0-3/10'],
  ['of another version', { range: 'bytes=0-3', 'if-range': '"old"' }, 200, '0123456789', null],
  ['of a weak tag', { range: 'bytes=0-3', 'if-range': `W/${ETAG}` }, 200, '0123456789', null],
  ['of a date', { range: 'bytes=0-3', 'if-range': 'Wed, 21 Oct 2015 07:28:00 GMT' }, 200, '0123456789', null],
  ['known', { 'if-none-match': ETAG }, 304, '', null],
  ['known, weakly', { 'if-none-match': `"a", W/${ETAG}` }, 304, '', null],
  ['known, whatever it is', { 'if-none-match': '*', range: 'bytes=0-3' }, 304, '', null],
  ['unknown', { 'if-none-match': '"old"' }, 200, '0123456789', null],
] as const)('%s', async (_, headers, status, body, range) => {
  const answer = ask(headers)
  expect(answer.status).toBe(status)
  const text = await answer.text()
  expect(text).toEqual(typeof body === 'string' ? body : expect.stringMatching(body))
  expect(answer.headers.get('content-range')).toBe(range)
  if (status < 400) expect(answer.headers.get('etag')).toBe(ETAG)
})

test('a file is named by its run, whatever that is called, and runs nothing', () => {
  const { headers } = ask()
  expect(headers.get('content-disposition')).toBe('inline; filename="e2e_x_-8664-build-log.txt"')
  expect(headers.get('content-security-policy')).toContain('sandbox')
  expect(headers.get('cache-control')).toContain('no-transform')
  expect(headers.get('accept-ranges')).toBe('bytes')
})

test('a log whose middle was cut is given whole, as its length is not known', async () => {
  const answer = ask({ range: 'bytes=0-3' }, { truncated: true })
  expect([answer.status, await answer.text()]).toEqual([200, '0123456789'])
  expect(Object.fromEntries(answer.headers)).toMatchObject({ 'prowl-truncated-from': '99' })
  expect(answer.headers.has('accept-ranges')).toBe(false)
})

test('a head has no ranges', () => {
  expect(ask({ range: 'bytes=0-3' }, { method: 'HEAD' }).status).toBe(200)
})
