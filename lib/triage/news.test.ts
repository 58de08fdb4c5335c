import { describe, expect, test } from 'vitest'
import type { Incident } from '../model/incident.ts'
import { DAY, HOUR, MINUTE, makeIncident } from '../testing/values.ts'
import { type Failure, type News, newsOf } from './news.ts'
import { newsLine } from './news-words.ts'

const NOW = Date.UTC(2026, 11, 2, 10)
const SINCE = NOW - 25 * HOUR
const START = NOW - 60 * DAY
const change = (at: number) => ({ changes: [], from: at, to: at, countsFrom: at })

interface Given extends Omit<Partial<Failure>, 'signature' | 'cadence'> {
  readonly signature?: Partial<Failure['signature']>
  readonly cadence?: Partial<Failure['cadence']>
}

function failure({ signature, cadence, ...given }: Given): Failure {
  return {
    signature: { id: 'a', title: 'A', kind: 'outage', windowMs: 30 * MINUTE, ...signature },
    cadence: { from: START, since: [], continuous: false, ...cadence },
    counted: [],
    wasQuiet: false,
    ...given,
  }
}

const struck = (hoursAgo: number, given: Partial<Incident> = {}) =>
  makeIncident({ at: NOW - hoursAgo * HOUR, votes: 3, ...given })

describe('what is news of a failure', () => {
  test.each<[string, Given, string[]]>([
    ['nothing', {}, []],
    ['struck before then', { counted: [struck(30)] }, []],
    ['struck then for the first time', { counted: [struck(3)] }, ['new']],
    ['at that very moment', { counted: [struck(25)] }, ['new']],
    ['looked for since a few days only', { cadence: { from: NOW - 6 * DAY }, counted: [struck(3)] }, []],
    ['again, as ever', { counted: [struck(50), struck(3)] }, []],
    ['again, after a quiet', { counted: [struck(900), struck(3)], wasQuiet: true }, ['again after quiet']],
    [
      'the first since a change',
      {
        cadence: { group: change(NOW - 20 * DAY), since: [NOW - 3 * HOUR] },
        counted: [struck(900), struck(3)],
      },
      ['again after change'],
    ],
    [
      'the second since a change',
      {
        cadence: { group: change(NOW - 20 * DAY), since: [NOW - 40 * HOUR, NOW - 3 * HOUR] },
        counted: [struck(900), struck(40), struck(3)],
      },
      [],
    ],
    ['just now, as ever', { counted: [struck(50), struck(0.4)] }, ['under way']],
    ['longer ago than hits join it', { counted: [struck(50), struck(0.6)] }, []],
    [
      'began long ago, struck again just now',
      { counted: [struck(50), struck(2, { to: { earliest: NOW - HOUR, latest: NOW - MINUTE } })] },
      ['under way'],
    ],
    ['for the first time, just now', { counted: [struck(0.4)] }, ['new', 'under way']],
    ['each run by itself', { signature: { kind: 'per-run' }, counted: [struck(50), struck(0.4)] }, []],
    ['always', { cadence: { continuous: true }, counted: [struck(50), struck(0.4)] }, []],
  ])('%s', (_, given, expected) => {
    const found = newsOf(failure(given), { since: SINCE, end: NOW })
    expect(found.map(({ kind, after }) => (after ? `${kind} after ${after}` : kind))).toEqual(expected)
  })

  test('while runs of the last hours are not all in, what struck then may go on', () => {
    const given = failure({ counted: [struck(50), struck(3)] })
    expect(newsOf(given, { since: SINCE, end: NOW - 2.8 * HOUR })).toMatchObject([{ kind: 'under way' }])
    expect(newsOf(given, { since: NOW - HOUR, end: NOW - 2.8 * HOUR })).toEqual([])
  })
})

describe('the line', () => {
  const group = { id: 'g', text: 'boom', runs: 2 }
  const told = (...failures: Given[]): News => ({
    since: SINCE,
    struck: failures.flatMap((given) => newsOf(failure(given), { since: SINCE, end: NOW })),
    groups: [],
  })
  const going = struck(0.5, {
    votes: 5,
    to: { earliest: NOW - MINUTE, latest: NOW },
    clusters: ['build02'],
  })
  const before = struck(200)

  test.each<[string, News, string]>([
    ['nothing', told(), 'nothing new'],
    ['of one kind', told({ counted: [struck(3)] }), '1 new'],
    ['a group of unknown failures', { ...told({ counted: [struck(3)] }), groups: [group] }, '2 new'],
    [
      'of all kinds',
      { ...told({ counted: [before, struck(3)], wasQuiet: true }, { counted: [before, going] }), groups: [group] },
      '1 new · 1 seen again · 1 under way on build02 (5 runs in 30 min)',
    ],
    [
      'two at once',
      told({ counted: [before, going] }, { counted: [before, { ...going, clusters: ['build01', 'build02'] }] }),
      '2 under way on build01 and build02 (10 runs)',
    ],
    [
      'in many places',
      told({ counted: [before, { ...going, clusters: ['a', 'b', 'c'] }] }),
      '1 under way on 3 build clusters (5 runs in 30 min)',
    ],
    [
      'where the place is not known',
      told({ counted: [before, struck(0.2, { votes: 1 })] }),
      '1 under way (1 run in 1 min)',
    ],
  ])('%s', (_, news, expected) => {
    expect(newsLine(news, NOW)).toBe(`Since yesterday 09:00: ${expected}`)
  })

  test.each([
    [NOW - HOUR, 'today 09:00'],
    [Date.UTC(2026, 10, 28, 9), '28 Nov 09:00'],
    [Date.UTC(2025, 10, 28, 9), '28 Nov 2025 09:00'],
  ])('%i is told as %s', (since, words) => {
    expect(newsLine({ since, struck: [], groups: [] }, NOW)).toBe(`Since ${words}: nothing new`)
  })
})
