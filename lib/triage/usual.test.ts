import { describe, expect, test } from 'vitest'
import { DAY, HOUR, makeIncident } from '../testing/values.ts'
import { isAboveUsual, lastDay, lastDayWords } from './usual.ts'

const NOW = 100 * DAY
const all = { now: NOW, from: NOW - 21 * DAY, gaps: [] }

/** Of as many runs as told in the 24 hours that ended so many days ago. */
function struck(byDay: Readonly<Record<number, number>>) {
  return Object.entries(byDay).map(([ago, votes]) => makeIncident({ at: NOW - Number(ago) * DAY - 2 * HOUR, votes }))
}

function everyDay(days: number, votes: (ago: number) => number) {
  return struck(Object.fromEntries(Array.from({ length: days }, (_, i) => [i + 1, votes(i + 1)])))
}

describe('runs hit in the last 24 hours against the days before', () => {
  test.each([
    ['none ever', [], all, '0 (0)', false],
    ['struck once, never before', struck({ 0: 3 }), all, '3 (0)', true],
    ['one day in ten is not usual', struck({ 0: 1, 3: 9, 4: 9 }), all, '1 (0)', true],
    ['more days than that are', struck({ 0: 1, 3: 9, 4: 9, 5: 2 }), all, '1 (0–2)', false],
    ['every day two', everyDay(20, () => 2), all, '0 (2)', false],
    ['as many as ever', [...everyDay(20, (ago) => (ago % 4) + 1), ...struck({ 0: 4 })], all, '4 (1–4)', false],
    ['more than ever', [...everyDay(20, (ago) => (ago % 4) + 1), ...struck({ 0: 5 })], all, '5 (1–4)', true],
    ['what came before the data is not nothing', struck({ 0: 2 }), { ...all, from: NOW - 7 * DAY }, '2', false],
    ['seven earlier days tell', struck({ 0: 2 }), { ...all, from: NOW - 8 * DAY }, '2 (0)', true],
    [
      'days in which runs may be missing are left out',
      struck({ 0: 2 }),
      { now: NOW, from: NOW - 10 * DAY, gaps: [{ from: NOW - 5.5 * DAY, to: NOW - 2.5 * DAY }] },
      '2',
      false,
    ],
  ] as const)('%s', (_, incidents, range, words, above) => {
    const found = lastDay(incidents, range)
    expect(lastDayWords(found)).toBe(words)
    expect(isAboveUsual(found)).toBe(above)
  })

  test('a run that two incidents hit counts once', () => {
    const [one] = struck({ 0: 3 })
    expect(lastDay(one ? [one, one] : [], all).runs).toBe(3)
  })
})
