import { expect, test } from 'vitest'
import type { Evidence } from '../model/evidence.ts'
import { sampleEvidence } from '../testing/evidence.ts'
import { dataWords, filters, headline, span } from './words.ts'

const counts = { lines: 1, runs: 1, failedRuns: 0, jobs: 1, pulls: 1, incidents: 1 }

test.each<[Evidence['content']['asked'], string]>([
  [{ kind: 'search', search: 'search=a%7Cb&search=c' }, 'a|b or c: 1 line in 1 run (0 failed) of 1 job, 1 PR'],
  [
    { kind: 'search', search: `search=${'x'.repeat(900)}` },
    `${'x'.repeat(199)}…: 1 line in 1 run (0 failed) of 1 job, 1 PR`,
  ],
  [{ kind: 'signature', signature: 's', title: 'T' }, 'T: 1 incident, 1 line in 1 run (0 failed) of 1 job, 1 PR'],
  [
    { kind: 'incident', signature: 's', title: 'T', incident: 'i' },
    'T, 2 Nov 2026 10:00 UTC: 1 line in 1 run (0 failed) of 1 job, 1 PR',
  ],
])('%j reads %j', (asked, first) => {
  expect(headline(sampleEvidence({ content: { asked, counts } }))[0]).toBe(first)
})

test('what narrowed a search is said', () => {
  const asked = { kind: 'search', search: 'search=x&name=e2e&excludeName=aws&result=failure&type=junit' } as const
  expect(filters(sampleEvidence({ content: { asked } }))).toBe('job e2e, not job aws, result failure, logs junit')
})

test.each([
  [{ readTo: 0 }, 'read to 1 Jan 1970 00:00 UTC'],
  [{ completeTo: 0, readTo: 1 }, 'complete for runs started before 1 Jan 1970 00:00 UTC'],
  [
    { state: 'late', truncatedLogs: 3, brokenLogs: 1, lacking: ['some text was damaged'] },
    'not known how complete, late, 3 logs truncated, 1 log broken, some text was damaged',
  ],
])('data %j is %j', (data, words) => {
  const { data: given } = sampleEvidence()
  expect(dataWords({ data: { ...given, ...data } })).toBe(words)
})

test('a range without a beginning names its end', () => {
  expect(span({ range: { from: 0, to: 0, rolling: false } })).toBe('up to 1 Jan 1970 00:00 UTC')
})
