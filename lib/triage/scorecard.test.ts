import { describe, expect, test } from 'vitest'
import type { IncidentRun, RunOutcome } from '../model/incident.ts'
import type { ExposedRuns } from '../store/store.ts'
import { DAY, makeIncident, makeSignature } from '../testing/values.ts'
import { breakdownsOf } from './breakdown.ts'
import { type ScorecardInput, scorecardOf } from './scorecard.ts'
import { parseVariants } from './variants.ts'

const NOW = Date.UTC(2026, 10, 20)

function hit(n: number, given: Partial<IncidentRun> = {}): IncidentRun {
  const outcome: RunOutcome = given.result === 'success' ? 'passed' : 'died'
  const path = `logs/e2e-aws/${n}`
  return {
    bucket: 'gs://ci',
    path,
    job: 'e2e-aws',
    buildId: `${n}`,
    time: NOW - DAY,
    result: 'failure',
    outcome,
    ...given,
  }
}

function exposed(result: ExposedRuns['result'], runs: number, given: Partial<ExposedRuns> = {}): ExposedRuns {
  return { job: 'e2e-aws', type: 'periodic', result, cluster: 'build01', branch: 'main', runs, ...given }
}

const passedOnes = (count: number, from = 100) =>
  Array.from({ length: count }, (_, i) => hit(from + i, { result: 'success' }))

function card(given: Partial<ScorecardInput>, runs: readonly IncidentRun[] = [hit(1), hit(2), hit(2)]) {
  return scorecardOf({
    signature: makeSignature({ id: 's' }),
    incidents: [makeIncident({ signature: 's', at: NOW - DAY, runs })],
    others: new Map(),
    exposed: [exposed('failure', 20), exposed('error', 5), exposed('success', 50), exposed('aborted', 9)],
    last: NOW - DAY,
    oldest: NOW - 300 * DAY,
    witness: undefined,
    now: NOW,
    ...given,
  })
}

describe('a scorecard', () => {
  test('compares failed with passing runs, each run once', () => {
    const { failed, passed, attributable, outcomes, warnings } = card({}, [hit(1), hit(2), hit(2), ...passedOnes(1)])
    expect([failed.part, failed.whole, passed.part, passed.whole]).toEqual([2, 25, 1, 50])
    expect(attributable).toBeCloseTo((0.08 - 0.02) / 0.98, 12)
    expect(outcomes).toEqual({ died: 2, later: 0, passed: 1, other: 0 })
    expect(warnings).toEqual([])
  })

  test('counts runs shared with other signatures, the most first', () => {
    const text = (n: number) => `gs://ci/logs/e2e-aws/${n}`
    const others = new Map([
      ['a', new Set([text(1), text(7)])],
      ['b', new Set([text(1), text(2)])],
      ['c', new Set([text(8)])],
    ])
    expect(card({ others }).overlaps).toEqual([
      { signature: 'b', runs: 2, of: 2 },
      { signature: 'a', runs: 1, of: 2 },
    ])
  })

  test.each<[string, Partial<ScorecardInput>, RegExp[]]>([
    ['few passing runs', { exposed: [exposed('failure', 9), exposed('success', 2)] }, [/^Only 2 passing runs/]],
    [
      'a bug that is closed',
      { signature: makeSignature({ closedBugs: [{ bug: 'https://bugs/1', at: NOW - 9 * DAY }] }) },
      [/^The bug https:\/\/bugs\/1 was closed on 2026-11-11, and it still strikes: last on 2026-11-19/],
    ],
    ['a bug closed since', { signature: makeSignature({ closedBugs: [{ bug: 'x', at: NOW }] }) }, []],
    ['a long quiet', { last: NOW - 181 * DAY }, [/^No hit in 180 days/]],
    [
      'a long quiet of what is retired',
      { last: NOW - 181 * DAY, signature: makeSignature({ status: { state: 'retired' } }) },
      [],
    ],
    ['no hit ever in 200 days of data', { last: undefined, oldest: NOW - 200 * DAY }, [/^No hit in 180 days/]],
    ['no hit ever in a week of data', { last: undefined, oldest: NOW - 7 * DAY }, []],
    ['nothing read', { last: undefined, oldest: undefined, exposed: [] }, [/^Only 0 passing/]],
    [
      'a witness that dries up',
      { witness: { before: { shown: 200, runs: 400 }, since: { shown: 3, runs: 100 } } },
      [/^The line that would show it is hardly written/],
    ],
    ['fewer runs of the jobs', { witness: { before: { shown: 200, runs: 400 }, since: { shown: 11, runs: 22 } } }, []],
    ['too few runs to tell', { witness: { before: { shown: 200, runs: 400 }, since: { shown: 0, runs: 19 } } }, []],
  ])('warns of %s', (_, given, expected) => {
    const { warnings } = card(given)
    expect(warnings).toHaveLength(expected.length)
    for (const [i, pattern] of expected.entries()) expect(warnings[i]).toMatch(pattern)
  })

  test('says of a signature that matches every run that it tells nothing', () => {
    const { attributable, failed, passed, warnings } = card(
      { exposed: [exposed('failure', 2), exposed('success', 4)] },
      [hit(1), hit(2), ...passedOnes(4)],
    )
    expect([failed.part / failed.whole, passed.part / passed.whole, attributable]).toEqual([1, 1, 0])
    expect(warnings).toEqual([expect.stringMatching(/^More than half of the passing runs/)])
  })

  test('of ten thousand hits in one incident counts its runs', () => {
    const runs = Array.from({ length: 10_000 }, (_, n) => hit(n % 5000))
    expect(card({}, runs).failed).toMatchObject({ part: 5000, whole: 5000 })
  })
})

describe('breakdowns', () => {
  const variants = parseVariants('variants: { platform: [{ value: aws, job: aws }, { value: gcp, job: gcp }] }')
  const runs = [
    hit(1, { cluster: 'build01', branch: 'main', pulls: ['o/r#1', 'o/r#2'] }),
    hit(1, { cluster: 'build01', branch: 'main', pulls: ['o/r#1', 'o/r#2'] }),
    hit(2, { cluster: 'build02', branch: 'main', pulls: ['o/r#1'] }),
    hit(3, { path: 'logs/e2e-gcp/3', job: 'e2e-gcp' }),
  ]
  const all = [
    exposed('failure', 10),
    exposed('success', 30, { cluster: 'build02' }),
    exposed('success', 4, { job: 'unit', cluster: '' }),
  ]
  const found = breakdownsOf(runs, all, variants).map(({ by, rows }) => [
    by,
    rows.map(({ value, share: { part, whole }, pulls }) => [value, part, whole, pulls]),
  ])

  test('are of exposed runs, by job, cluster, branch and variant', () => {
    expect(Object.fromEntries(found as [string, unknown][])).toEqual({
      job: [
        ['e2e-aws', 2, 40, 2],
        ['e2e-gcp', 1, 1, 0],
        ['unit', 0, 4, 0],
      ],
      cluster: [
        ['build02', 1, 30, 1],
        ['build01', 1, 10, 2],
        ['', 1, 4, 0],
      ],
      branch: [
        ['main', 2, 44, 2],
        ['', 1, 1, 0],
      ],
      platform: [
        ['aws', 2, 40, 2],
        ['gcp', 1, 1, 0],
        ['', 0, 4, 0],
      ],
    })
  })

  test('that tell no two runs apart are left out, but for jobs', () => {
    expect(breakdownsOf([hit(1)], [exposed('failure', 3)], variants).map(({ by }) => by)).toEqual([
      'job',
      'cluster',
      'branch',
    ])
    expect(breakdownsOf([], [exposed('failure', 3)], variants).map(({ by }) => by)).toEqual(['job'])
    expect(breakdownsOf([], [], variants)).toEqual([{ by: 'job', rows: [] }])
  })
})
