import { describe, expect, it } from 'vitest'
import { snowflakeAt } from '#lib/model/build-id.ts'
import { parseRunPath } from '../discover/run-path.ts'
import { type Documents, describeRun } from './describe.ts'

const STARTED = Date.UTC(2026, 3, 1, 10)
const ENDED = STARTED + 3_600_000
const FIRST_SEEN = Date.UTC(2026, 3, 2)
const ID_TIME = Date.UTC(2026, 3, 1, 9, 59)
const ID = snowflakeAt(ID_TIME)

function describeIt(documents: Documents, { path = `logs/job/${ID}`, lost = false } = {}) {
  const parsed = parseRunPath(path)
  if (!parsed) throw new Error(path)
  return describeRun({ bucket: 'gs://b', path }, parsed, documents, {
    firstSeen: FIRST_SEEN,
    lost,
    settledBefore: FIRST_SEEN,
  }).run
}

const json = JSON.stringify
const started = json({ timestamp: STARTED / 1000 })
const finished = json({ timestamp: ENDED / 1000, passed: true, result: 'SUCCESS' })

describe('a run', () => {
  it('is described by its objects', () => {
    const path = `pr-logs/pull/org_repo/12/pull-job/${ID}`
    const prowjob = json({
      spec: {
        type: 'presubmit',
        cluster: 'build01',
        refs: {
          org: 'org',
          repo: 'repo',
          base_ref: 'main',
          base_sha: 'abc',
          pulls: [{ number: 12, author: 'me', sha: 'def' }],
        },
      },
      status: { state: 'success', description: 'Job succeeded.' },
    })
    expect(
      describeIt({ 'started.json': started, 'finished.json': finished, 'prowjob.json': prowjob }, { path }),
    ).toEqual({
      bucket: 'gs://b',
      path,
      job: 'pull-job',
      buildId: ID,
      type: 'presubmit',
      result: 'success',
      startedAt: STARTED,
      finishedAt: ENDED,
      time: ENDED,
      timeSource: 'finished',
      refs: {
        org: 'org',
        repo: 'repo',
        baseRef: 'main',
        baseSha: 'abc',
        pulls: [{ number: 12, author: 'me', sha: 'def' }],
      },
      cluster: 'build01',
      description: 'Job succeeded.',
      warnings: [],
    })
  })

  it.each<[string, Documents, string, RegExp | undefined]>([
    ['upper case', { 'finished.json': json({ timestamp: 1, result: 'FAILURE' }) }, 'failure', undefined],
    ['lower case', { 'finished.json': json({ result: 'aborted' }) }, 'aborted', undefined],
    ['passed alone', { 'finished.json': json({ passed: false }) }, 'failure', undefined],
    ['passed null, result there', { 'finished.json': json({ passed: null, result: 'error' }) }, 'error', undefined],
    ['result of another type', { 'finished.json': json({ passed: true, result: 7 }) }, 'success', undefined],
    ['an unknown result', { 'finished.json': json({ result: 'WAT' }) }, 'error', /no result; taken as an error/],
    ['result pending', { 'finished.json': json({ result: 'pending' }) }, 'error', /no result/],
    ['no JSON', { 'finished.json': '{"timestamp":' }, 'error', /finished.json: is not JSON/],
    ['an empty object', { 'finished.json': '' }, 'error', /finished.json: is empty/],
    ['a list', { 'finished.json': '[]' }, 'error', /finished.json: is not of its form/],
    ['null', { 'finished.json': 'null' }, 'error', /finished.json: is not of its form/],
    [
      'no JSON, prowjob.json telling',
      { 'finished.json': 'x', 'prowjob.json': json({ status: { state: 'aborted' } }) },
      'aborted',
      /from prowjob.json/,
    ],
    ['none', { 'started.json': started }, 'pending', undefined],
    ['nothing at all', {}, 'pending', undefined],
  ])('with finished.json of %s', (_, documents, result, warning) => {
    const run = describeIt(documents)
    expect(run.result).toBe(result)
    if (warning) expect(run.warnings.join('\n')).toMatch(warning)
    else expect(run.warnings).toEqual([])
  })

  it('is lost when told so, unless it finished', () => {
    expect(describeIt({ 'started.json': started }, { lost: true }).result).toBe('lost')
    expect(describeIt({ 'finished.json': finished }, { lost: true }).result).toBe('success')
  })

  it.each([
    ['error', FIRST_SEEN - 1, 'error', FIRST_SEEN - 1],
    ['failure', FIRST_SEEN - 1, 'failure', FIRST_SEEN - 1],
    ['error', FIRST_SEEN, 'pending', undefined],
    ['pending', FIRST_SEEN - 1, 'pending', undefined],
  ])('without finished.json ends as its ProwJob did (%s) once that is settled', (state, at, result, finishedAt) => {
    const prowjob = json({ status: { state, completionTime: new Date(at).toISOString() } })
    const run = describeIt({ 'prowjob.json': prowjob })
    expect(run).toMatchObject({ result, ...(finishedAt === undefined ? {} : { finishedAt }) })
    expect(run.warnings.some((warning) => /finished.json: is missing/.test(warning))).toBe(result !== 'pending')
  })

  it.each<[string, unknown, number | undefined]>([
    ['seconds', ENDED / 1000, ENDED],
    ['text of seconds', String(ENDED / 1000), ENDED],
    ['fractions', ENDED / 1000 + 0.25, ENDED + 250],
    ['milliseconds', ENDED, ENDED],
    ['RFC 3339', new Date(ENDED).toISOString(), ENDED],
    ['null', null, undefined],
    ['zero', 0, undefined],
    ['negative', -5, undefined],
    ['far away', 1e30, undefined],
    ['text', 'soon', undefined],
    ['an object', {}, undefined],
  ])('reads a timestamp in %s', (_, timestamp, expected) => {
    const run = describeIt({ 'finished.json': json({ timestamp, result: 'SUCCESS' }) })
    expect(run.finishedAt).toBe(expected)
    expect(run.time).toBe(expected ?? ID_TIME)
  })

  it.each<[string, Documents, string, [number, string], number]>([
    ['finished', { 'started.json': started, 'finished.json': finished }, ID, [ENDED, 'finished'], 0],
    ['started', { 'started.json': started, 'finished.json': '{"passed":true}' }, ID, [STARTED, 'started'], 0],
    ['its id', { 'finished.json': '{"passed":true}' }, ID, [ID_TIME, 'id'], 0],
    ['when first seen', { 'finished.json': '{"passed":true}' }, '8664', [FIRST_SEEN, 'id'], 1],
  ])('is placed by %s', (_, documents, id, [time, timeSource], warnings) => {
    const run = describeIt(documents, { path: `logs/job/${id}` })
    expect(run).toMatchObject({ time, timeSource })
    expect(run.warnings.length).toBe(warnings)
  })

  it('warns of a run that ends before it starts', () => {
    const run = describeIt({ 'started.json': json({ timestamp: ENDED / 1000 + 10 }), 'finished.json': finished })
    expect(run.warnings).toEqual(['finished.json: ends before the run started'])
  })

  it('takes what is right of an object where the rest is wrong', () => {
    const prowjob = json({
      spec: {
        type: 5,
        cluster: ['x'],
        refs: { org: 'o', repo: 'r', pulls: [{ number: 'x' }, null, { number: '3', author: 9 }] },
      },
      status: 'done',
    })
    const run = describeIt({
      'prowjob.json': prowjob,
      'started.json': json({ timestamp: STARTED / 1000, pull: null, repos: 4 }),
    })
    expect(run.refs).toEqual({ org: 'o', repo: 'r', pulls: [{ number: 3 }] })
    expect(run).toMatchObject({ type: 'periodic', startedAt: STARTED })
    expect(run.cluster).toBeUndefined()
  })

  it.each<[string, Documents, string, object | undefined]>([
    ['the path', {}, `pr-logs/pull/my_org_repo/7/j/${ID}`, { org: 'my', repo: 'org_repo', pulls: [{ number: 7 }] }],
    [
      'started.json, for a path without repository',
      { 'started.json': json({ repos: { 'openshift/origin': 'master:abc,7:def' } }) },
      `pr-logs/pull/7/j/${ID}`,
      { org: 'openshift', repo: 'origin', pulls: [{ number: 7 }] },
    ],
    [
      'clone-records.json',
      { 'clone-records.json': json([{ refs: { org: 'o', repo: 'r', base_ref: 'main' } }, 5]) },
      `logs/j/${ID}`,
      { org: 'o', repo: 'r', baseRef: 'main', pulls: [] },
    ],
    ['nothing', {}, `logs/j/${ID}`, undefined],
  ])('has its refs from %s', (_, documents, path, refs) => {
    expect(describeIt(documents, { path }).refs).toEqual(refs)
  })

  it('warns of a failed clone', () => {
    expect(describeIt({ 'clone-records.json': json([{ failed: true }]) }).warnings).toEqual([
      'clone-records.json: a clone failed',
    ])
  })
})
