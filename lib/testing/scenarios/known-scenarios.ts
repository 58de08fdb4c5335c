import { expect } from 'vitest'
import { BUCKET, LINES_A_LOG } from './bucket.ts'
import { api, error, HTML, type Scenario } from './scenario.ts'

const BOSKOS = expect.objectContaining({ id: 'boskos.heartbeat', bugs: [expect.stringContaining('1750890')] })
const EMOJI = 'job-\u{1f600}'
const REPLACEMENT = 'job-\u{fffd}'

/** What every count says of itself, in the body and in headers. */
export const WORTH: readonly Scenario[] = [
  'search?search=needle',
  'search/count?search=needle',
  'triage',
  'coverage',
  'signatures/boskos.heartbeat',
  'signatures/boskos.heartbeat/figures',
  'bugs/bz1750890',
  'known?run=12',
  'prs/o/r/1',
  'status',
].map((path) => ({
  name: `how much a count is worth: ${path}`,
  get: `/api/v1/${path}`,
  answers: { 'prowl-partial': expect.stringMatching(/^(no|limit)$/), 'prowl-complete-to': expect.stringMatching(/Z$/) },
  json: { completeTo: expect.any(Number), partial: expect.any(Array) },
  same: false as const,
}))

/** Is my red job known: by command, box and page. */
export function knownScenarios(heartbeat: string): Scenario[] {
  const address = `https://prow.ci.openshift.org/view/gs/${BUCKET}/${heartbeat}`
  return [
    {
      name: 'a run by its address is known, with its bug',
      get: api('known', { run: `${address}/artifacts/` }),
      answers: { 'prowl-known': 'known', 'prowl-partial': 'no', 'prowl-complete-to': expect.any(String) },
      json: {
        answer: 'known',
        runs: [{ state: 'known', died: expect.arrayContaining([BOSKOS]) }],
        completeTo: expect.any(Number),
        partial: [],
      },
    },
    {
      name: 'a run by its address, as text',
      get: api('known', { run: address, format: 'text' }),
      shows: [/^known: Boskos lease lost/, /bug: https:.*1750890/],
      same: false,
    },
    {
      name: 'a run of nothing known',
      get: api('known', { run: '12' }),
      json: { answer: 'not', runs: [{ state: 'not' }] },
    },
    { name: 'a build id of two jobs', get: api('known', { run: '11' }), json: { answer: 'undecided', runs: [{}, {}] } },
    {
      name: 'a run that is not read yet, in a bucket that nobody follows',
      get: api('known', { run: `gs://${BUCKET}/logs/nowhere/1` }),
      answers: { 'prowl-known': 'unread' },
      json: {
        answer: 'unread',
        unread: { why: 'unknown', sentences: [{}, expect.stringMatching(/^No worker follows/)] },
      },
    },
    { name: 'what names no run', get: api('known', { run: 'boskos' }), status: 400, json: error('QUERY_INVALID') },
    {
      name: 'the box, a build id of two jobs',
      get: '/search?go=1&search=11',
      headers: HTML,
      shows: ['names 2 things', EMOJI, REPLACEMENT],
    },
    {
      name: 'the box, a run that is not read',
      get: `/search?go=1&search=gs://elsewhere/logs/nowhere/1`,
      headers: HTML,
      shows: ['This run has not been read', 'elsewhere, is not read here'],
    },
    {
      name: 'counts of every matching line, and what they are worth',
      get: api('search/count', { search: '^needle', maxAge: '10d' }),
      answers: { 'prowl-partial': 'no', 'prowl-complete-to': expect.any(String) },
      json: { lines: 2 * LINES_A_LOG, runs: 2, failedRuns: 1, completeTo: expect.any(Number), partial: [] },
    },
    {
      name: 'a pull request that was never seen',
      get: '/api/v1/prs/no-such/repo/1',
      json: { pull: { name: 'no-such/repo#1' }, commits: [], completeTo: expect.any(Number), partial: [] },
    },
    {
      name: 'the page of a pull request as text',
      get: '/pr/no-such/repo/1?format=text',
      answers: { 'content-type': 'text/plain; charset=utf-8', 'prowl-partial': 'no' },
      shows: [/^No run of no-such\/repo#1 was read/],
    },
    { name: 'no number of a pull request', get: '/api/v1/prs/o/r/x', status: 400, json: error('QUERY_INVALID') },
  ]
}
