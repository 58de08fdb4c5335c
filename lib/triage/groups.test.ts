import { expect, test } from 'vitest'
import type { DiedRun } from './coverage.ts'
import { groupsOf, noveltyOf } from './groups.ts'

const DAYS = ['2026-11-02', '2026-11-03']
const row = { group: 'a', job: 'j', day: '2026-11-03', runs: 3 }

function died(n: number, failure?: string): [string, DiedRun] {
  const run = { bucket: 'gs://ci', path: `logs/j/${n}`, job: 'j', buildId: `${n}`, time: Date.UTC(2026, 10, 3, 9) }
  return [`${n}`, { ...run, result: 'failure', outcome: 'died', signatures: ['s'], ...(failure ? { failure } : {}) }]
}

test('groups are of runs that died of nothing known, by day and job, the largest first', () => {
  const counts = [
    row,
    { ...row, job: 'k', runs: 1 },
    { ...row, group: 'b', day: '2026-11-02', runs: 9 },
    { ...row, group: 'c', runs: 1 },
  ]
  const groups = groupsOf(counts, new Map([died(1, 'a'), died(2, 'c'), died(3)]), DAYS)
  expect(groups).toEqual([
    { id: 'b', runs: 9, days: [9, 0], jobs: [{ job: 'j', runs: 9 }] },
    {
      id: 'a',
      runs: 3,
      days: [0, 3],
      jobs: [
        { job: 'j', runs: 2 },
        { job: 'k', runs: 1 },
      ],
    },
  ])
})

test.each([
  ['seen for long', [{ ...row, day: '2026-10-01' }, row], '2026-10-01', false],
  ['seen first this week', [{ ...row, group: 'b', day: '2026-10-01' }, row], '2026-11-03', true],
  [
    'seen first eight days ago',
    [
      { ...row, group: 'b', day: '2026-10-01' },
      { ...row, day: '2026-10-27' },
    ],
    '2026-10-27',
    false,
  ],
  ['as old as all that is known', [row, { ...row, group: 'b' }], '2026-11-03', false],
])('a group is new that was not there before: %s', (_, counts, firstSeen, isNew) => {
  expect(noveltyOf('a', counts, '2026-11-04')).toEqual({ firstSeen, isNew })
})
