import { expect, test } from 'vitest'
import type { RunOutcome } from '../model/incident.ts'
import { countOutcomes, outcomesLine, outcomeWord } from './outcomes.ts'

const run = (outcome: RunOutcome, result: string) => ({ outcome, result })
const DIED = run('died', 'failure')
const LATER = run('later', 'error')
const PASSED = run('passed', 'success')

test.each([
  [DIED, 'died of it'],
  [LATER, 'failed later of something else'],
  [PASSED, 'passed'],
  [run('other', 'aborted'), 'aborted'],
  [run('other', 'lost'), 'lost'],
  [run('other', 'pending'), 'not ended yet'],
])('%j %s', (ended, words) => {
  expect(outcomeWord(ended)).toBe(words)
})

test.each([
  [[], ''],
  [[PASSED], '1 run passed'],
  [[PASSED, PASSED, LATER, DIED, LATER], '1 run died of it, 2 failed later of something else, 2 passed'],
  [
    [...Array(1203).fill(DIED), run('other', 'lost'), run('other', 'aborted')],
    '1,203 runs died of it, 1 lost, 1 aborted',
  ],
])('case %#', (runs, line) => {
  expect(outcomesLine(runs)).toBe(line)
})

test('every run is counted under one outcome', () => {
  expect(countOutcomes([DIED, LATER, PASSED, PASSED, run('other', 'lost')])).toEqual({
    died: 1,
    later: 1,
    passed: 2,
    other: 1,
  })
})
