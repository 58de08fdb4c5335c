import { describe, expect, test } from 'vitest'
import type { Rollup } from '../store/store.ts'
import { countByJob, headlineOf, impactOf } from './impact.ts'

describe('the words that scripts read', () => {
  test.each([
    [19, 12, 2, 2, '19 runs, 63% failed, 17% of failures match = 11% impact'],
    [4, 0, 2, 0, '4 runs, 0% failed, 50% of runs match'],
    [1, 1, 1, 1, '1 runs, 100% failed, 100% of failures match = 100% impact'],
    [10, 5, 3, 0, '10 runs, 50% failed, 0% of failures match = 0% impact'],
  ])('%d runs, %d failed, %d match, %d of them failed', (runs, failed, matched, matchedFailed, words) => {
    expect(impactOf({ runs, failed }, { runs: matched, failed: matchedFailed, pulls: 0 }).words).toBe(words)
  })

  test('over all jobs', () => {
    expect(headlineOf({ runs: 1000, failed: 725, jobs: 50 }, { runs: 46, failed: 46 }, 190)).toBe(
      'Found in 4.60% of runs (6.34% of failures) across 1000 total runs and 50 jobs (72.50% failed) in 190ms',
    )
    expect(headlineOf({ runs: 0, failed: 0, jobs: 0 }, { runs: 0, failed: 0 }, 1_234)).toBe(
      'Found in 0.00% of runs (0.00% of failures) across 0 total runs and 0 jobs (0.00% failed) in 1.2s',
    )
  })
})

test('runs are counted once, whatever logs they have; aborted and lost ones did not fail', () => {
  const row = (job: string, result: Rollup['result'], kind: Rollup['kind'], runs: number): Rollup => {
    return { job, day: '2026-11-03', result, kind, runs, bytes: 0 }
  }
  const rollups = [
    row('a', 'success', 'any', 7),
    row('a', 'failure', 'any', 2),
    row('a', 'failure', 'build-log', 2),
    row('a', 'error', 'any', 1),
    row('a', 'aborted', 'any', 4),
    row('b', 'lost', 'any', 1),
  ]
  expect([...countByJob(rollups)]).toEqual([
    ['a', { runs: 14, failed: 3 }],
    ['b', { runs: 1, failed: 0 }],
  ])
})
