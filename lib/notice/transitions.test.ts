import { describe, expect, test } from 'vitest'
import { cadence } from '../incident/cadence.ts'
import { verdict } from '../incident/verdict.ts'
import type { Notice, Standing } from '../model/notice.ts'
import type { Change } from '../model/signature.ts'
import { DAY, HOUR, MINUTE, makeIncident } from '../testing/values.ts'
import { type Stands, transition } from './transitions.ts'

/** Days of the founding story's incidents, 12 before the change on day 62, and one long after. */
const FOUNDING = [4.5, 9.9, 15.1, 19.2, 25.1, 28.1, 33.9, 38.8, 43.8, 47.8, 52, 57.5]
const change: Change = { at: 62 * DAY, title: 'high priority class', datedByLink: true, link: 'https://example.com/1' }

interface Look {
  readonly to: number
  readonly days?: readonly number[]
  readonly changes?: readonly Change[]
  readonly muted?: boolean
}

function standsOn({ to, days = FOUNDING, changes = [change], muted = false }: Look): Stands {
  const found = cadence({
    kind: 'outage',
    windowMs: 30 * MINUTE,
    incidents: days.filter((day) => day < to).map((day) => makeIncident({ at: day * DAY })),
    exposure: Array.from({ length: Math.ceil(to * 24) }, (_, i) => ({ hour: i * HOUR, runs: 3, starts: 2 })),
    changes,
    completeTo: to * DAY,
  })
  const signature = { id: 'boskos.heartbeat', title: 'Boskos lease lost' }
  return { signature, cadence: found, verdict: verdict(found), muted }
}

/** Looks one after another; on which day which notice was given. */
function told(looks: readonly Look[]): [number, Notice][] {
  let before: Standing | undefined
  return looks.flatMap((look) => {
    const { standing, notice } = transition(before, standsOn(look), look.to * DAY)
    before = standing
    return notice ? [[look.to, notice] as [number, Notice]] : []
  })
}

const daily = (from: number, to: number, look: Omit<Look, 'to'> = {}): Look[] =>
  Array.from({ length: to - from }, (_, i) => ({ ...look, to: from + i + 0.9 }))
const kinds = (looks: readonly Look[]) => told(looks).map(([day, { kind }]) => [Math.floor(day), kind])

describe('the founding story, as days pass', () => {
  const days = [...FOUNDING, 105.3]

  test('gives one notice, on the day it is seen again', () => {
    expect(told(daily(1, 120, { days }))).toEqual([
      [
        105.9,
        {
          id: 'boskos.heartbeat/1970-03-04T00:00:00.000Z/again',
          at: 105.9 * DAY,
          kind: 'again',
          signature: 'boskos.heartbeat',
          title: 'Boskos lease lost: seen again, the first since the change',
          sentence:
            'Since the change: seen again once, 16 Apr, where about 8 were expected (chance if nothing had changed: 0.8%). Struck 12 times in the 62 days before 4 Mar, on average every 5.2 days (true average 3.0–10.0 at 95%; gaps 3.0–5.9 d).',
          link: '/signatures/boskos.heartbeat',
        },
      ],
    ])
  })

  test('without its change it gives none: quiet ends by itself', () => {
    const states = daily(1, 120, { days, changes: [] }).map((look) => standsOn(look).verdict.state)
    expect(states).toContain('quiet')
    expect(states.at(-1)).toBe('active')
    expect(kinds(daily(1, 120, { days, changes: [] }))).toEqual([])
  })
})

test.each<[string, readonly Look[], readonly (readonly [number, string])[]]>([
  ['first looked at after it was seen again', daily(110, 120, { days: [...FOUNDING, 105.3] }), []],
  ['at once as before: one notice', daily(1, 80, { days: [...FOUNDING, 66] }), [[66, 'back']]],
  [
    'seen again, and in time as before',
    daily(1, 112, { days: [...FOUNDING, 100, 102, 103, 104, 105, 106, 107, 108, 109, 110] }),
    [
      [100, 'again'],
      [103, 'back'],
    ],
  ],
  [
    'back, rarer, back: told once',
    daily(1, 160, { days: [...FOUNDING, 66, 125, 126, 127, 128, 129, 130, 131, 132, 133, 134] }),
    [[66, 'back']],
  ],
  [
    'muted when it struck, and not after',
    [...daily(1, 107, { days: [...FOUNDING, 105.3], muted: true }), ...daily(107, 115, { days: [...FOUNDING, 105.3] })],
    [],
  ],
  [
    'a change written down after what followed it',
    [...daily(1, 110, { days: [...FOUNDING, 105.3], changes: [] }), ...daily(110, 115, { days: [...FOUNDING, 105.3] })],
    [],
  ],
  [
    'a change written down, and an incident after that, between two looks',
    [...daily(1, 104, { days: FOUNDING, changes: [] }), ...daily(105, 115, { days: [...FOUNDING, 105.3] })],
    [[105, 'again']],
  ],
  ['nothing struck before the change', daily(1, 100, { days: [70, 80] }), []],
  [
    'a second change, told apart, is news of its own',
    daily(1, 160, { days: [...FOUNDING, 80, 140], changes: [change, { ...change, at: 110 * DAY }] }),
    [
      [80, 'back'],
      [140, 'back'],
    ],
  ],
])('%s', (_, looks, expected) => {
  expect(kinds(looks)).toEqual(expected)
})

test('what was told stays told when an incident goes and comes', () => {
  const [gone, there] = [FOUNDING, [...FOUNDING, 105.3]]
  const looks = [100, 106, 107, 108, 109].map((to) => ({ to, days: to === 107 ? gone : there }))
  expect(kinds(looks)).toEqual([[106, 'again']])
})
