import { describe, expect, test } from 'vitest'
import type { IncidentRun, RunOutcome } from '../model/incident.ts'
import { DAY, makeIncident, makeSignature } from '../testing/values.ts'
import { coverageOf, diedRuns, unknownOf } from './coverage.ts'
import { attributable, share } from './share.ts'

const NOON = Date.UTC(2026, 10, 3, 12)
const RANGE = { from: NOON - DAY, to: NOON + DAY }
const infra = makeSignature({ id: 'a', blames: 'infra' })
const product = makeSignature({ id: 'b', blames: 'product' })
const unsaid = makeSignature({ id: 'c' })
const part = makeSignature({ id: 'a.eof', part: { of: 'a', causes: ['eof'] } })
const SIGNATURES = [infra, product, unsaid, part]

function run(n: number, outcome: RunOutcome = 'died', time = NOON): IncidentRun {
  const path = `logs/j${n % 2}/${n}`
  return {
    bucket: 'gs://ci',
    path,
    job: `j${n % 2}`,
    buildId: `${n}`,
    time,
    result: 'failure',
    outcome,
    type: 'periodic',
  }
}

const incident = (signature: string, runs: readonly IncidentRun[]) => makeIncident({ signature, at: NOON, runs })

describe('runs that died', () => {
  test('count once, and only those that died of it in the window', () => {
    const runs = [run(1), run(1), run(2, 'later'), run(3, 'passed'), run(4, 'other'), run(5, 'died', NOON + 2 * DAY)]
    const died = diedRuns([incident('a', runs), incident('b', [run(1)]), incident('a', [run(1)])], SIGNATURES, RANGE)
    expect([...died].map(([key, { signatures }]) => [key, signatures])).toEqual([['gs://ci/logs/j1/1', ['a', 'b']]])
  })

  test('of a part, or of a signature that is gone, are none', () => {
    expect(diedRuns([incident('a.eof', [run(1)]), incident('gone', [run(2)])], SIGNATURES, RANGE).size).toBe(0)
  })
})

describe('coverage', () => {
  const row = { day: '2026-11-03', kind: 'any' as const, bytes: 0 }
  const coverage = coverageOf({
    days: ['2026-11-02', '2026-11-03'],
    rollups: [
      [
        'periodic',
        [
          { ...row, job: 'j0', result: 'failure', runs: 10 },
          { ...row, job: 'j0', result: 'failure', kind: 'build-log', runs: 10 },
          { ...row, job: 'j1', result: 'error', runs: 4 },
          { ...row, job: 'j1', result: 'aborted', runs: 7 },
          { ...row, job: 'j1', result: 'lost', runs: 2 },
        ],
      ],
      ['presubmit', [{ ...row, job: 'j2', result: 'failure', day: '2026-11-02', runs: 6 }]],
    ],
    died: diedRuns(
      [incident('a', [run(1), run(2), run(3)]), incident('b', [run(3), run(5)]), incident('c', [run(7)])],
      SIGNATURES,
      RANGE,
    ),
    signatures: SIGNATURES,
  })

  test('is the union over signatures, of failed runs alone', () => {
    expect(coverage).toMatchObject({
      failed: 20,
      died: 5,
      apart: { aborted: 7, lost: 2 },
      share: { part: 5, whole: 20 },
    })
  })

  test('divides by day, job, kind of run and blame', () => {
    expect(coverage.days).toEqual([
      { day: '2026-11-02', failed: 6, died: 0 },
      { day: '2026-11-03', failed: 14, died: 5 },
    ])
    expect(coverage.jobs.map(({ job, failed, died }) => [job, failed, died])).toEqual([
      ['j0', 10, 1],
      ['j2', 6, 0],
      ['j1', 4, 4],
    ])
    expect(coverage.types).toEqual({
      periodic: { failed: 14, died: 5 },
      presubmit: { failed: 6, died: 0 },
      others: { failed: 0, died: 0 },
    })
    expect(coverage.blames).toEqual({ infra: 2, product: 1, test: 0, unsaid: 1, several: 1 })
  })

  test('of a signature says what nothing else explains', () => {
    expect(
      coverage.signatures.map(({ signature, share: { part: own }, onlyThis }) => [signature, own, onlyThis]),
    ).toEqual([
      ['a', 3, 2],
      ['b', 2, 1],
      ['c', 1, 1],
    ])
  })

  test('a run read anew between two counts leaves none below none', () => {
    expect(unknownOf({ failed: 1, died: 2 })).toBe(0)
    const none = coverageOf({ days: [], rollups: [], died: new Map(), signatures: [] })
    expect(none.share).toEqual({ part: 0, whole: 0, interval: { low: 0, high: 1 } })
  })
})

describe('shares', () => {
  test.each([
    [1, 20],
    [0, 20],
    [20, 20],
    [142, 1204],
    [3, 1204],
  ])('%d of %d: at its bounds, so many or more (or fewer) come in 2.5 %% of cases', (part, whole) => {
    const { low, high } = share(part, whole).interval
    if (part === 0) expect(low).toBe(0)
    else expect(atLeast(part, whole, low)).toBeCloseTo(0.025, 8)
    if (part === whole) expect(high).toBe(1)
    else expect(1 - atLeast(part + 1, whole, high)).toBeCloseTo(0.025, 8)
  })

  test('1 of 20 is 5%, and may be 0.1 to 25', () => {
    const { low, high } = share(1, 20).interval
    expect([low * 100, high * 100].map((value) => value.toPrecision(2))).toEqual(['0.13', '25'])
  })

  test('what a signature accounts for is less what passing runs show too', () => {
    expect(attributable(0.118, 0.08)).toBeCloseTo(0.0413, 4)
    expect(attributable(0.05, 0.08)).toBe(0)
    expect(attributable(1, 1)).toBe(0)
    expect(attributable(0.3, 0)).toBe(0.3)
  })
})

/** The chance of `least` or more of `n`, each by chance `p`: the binomial sum. */
function atLeast(least: number, n: number, p: number): number {
  let sum = 0
  let logChoose = 0
  for (let k = 0; k <= n; k++) {
    if (k > 0) logChoose += Math.log(n - k + 1) - Math.log(k)
    if (k >= least) sum += Math.exp(logChoose + k * Math.log(p) + (n - k) * Math.log1p(-p))
  }
  return sum
}
