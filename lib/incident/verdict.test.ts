import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Incident } from '../model/incident.ts'
import type { Change, SignatureKind } from '../model/signature.ts'
import { random } from '../testing/sample/random.ts'
import { DAY, HOUR, MINUTE, makeIncident } from '../testing/values.ts'
import { cadence } from './cadence.ts'
import { type VerdictFacts, verdict } from './verdict.ts'
import { cadenceSentences } from './words.ts'

/** Days of the founding story's incidents, 12 before the change on day 62, and one long after. */
const FOUNDING = [4.5, 9.9, 15.1, 19.2, 25.1, 28.1, 33.9, 38.8, 43.8, 47.8, 52, 57.5]
const change: Change = { at: 62 * DAY, title: 'high priority class', datedByLink: true, link: 'https://example.com/1' }

interface Story {
  readonly days: readonly number[]
  readonly to: number
  readonly changes?: readonly Change[]
  readonly seen?: number
  readonly kind?: SignatureKind
  /** Share of each day's hours watched. */
  readonly watched?: (day: number) => number
  readonly facts?: VerdictFacts
  readonly incident?: (day: number) => Partial<Incident>
}

function told({ days, to, changes = [change], seen, kind = 'outage', watched = () => 1, facts, incident }: Story) {
  const exposure = Array.from({ length: Math.ceil(to * 24) }, (_, i) => ({
    hour: i * HOUR,
    runs: (i % 24) / 24 < watched(Math.floor(i / 24)) ? 3 : 0,
    starts: (i % 24) / 24 < watched(Math.floor(i / 24)) ? 2 : 0,
  }))
  const incidents = days.filter((day) => day < to).map((day) => makeIncident({ at: day * DAY, ...incident?.(day) }))
  const found = cadence({
    kind,
    windowMs: 30 * MINUTE,
    incidents,
    exposure,
    changes: changes.filter(({ at }) => at < to * DAY),
    ...(seen !== undefined && { firstSeen: () => seen * DAY }),
    completeTo: to * DAY,
  })
  const said = verdict(found, facts)
  return { ...said, sentences: cadenceSentences(found, said, to * DAY) }
}

describe('the founding story, as days pass', () => {
  const days = [...FOUNDING, 105.3]
  test.each([
    [40, { state: 'active' }, 'Struck 8 times in the 40 days to'],
    [62, { state: 'active' }, 'on average every 5.2 days (true average 3.0–10.0 at 95%; gaps 3.0–5.9 d)'],
    [
      80.2,
      { state: 'active', threshold: 0.01 },
      'None in the 18 days since the change (chance if nothing had changed: 4%).',
    ],
    [90, { state: 'holding' }, 'None in the 28 days since the change (chance if nothing had changed: 0.9%).'],
    [105, { state: 'holding' }, 'It still allows one every 14.4 days (95%).'],
    [
      105.4,
      { state: 'rarer' },
      'seen again once, 16 Apr, where about 8 were expected (chance if nothing had changed: 0.8%)',
    ],
    [120, { state: 'rarer' }, 'where about 11 were expected (chance if nothing had changed: 0.2%)'],
  ])('day %d', (to, expected, sentence) => {
    const found = told({ days, to })
    expect(found).toMatchObject(expected)
    expect(found.sentences.join(' ')).toContain(sentence)
    expect(found.sentences.join(' ')).not.toMatch(/fixed/i)
  })

  test('its chances are those of the worked numbers', () => {
    expect(told({ days, to: 80.2 }).chance).toBeCloseTo(0.04006, 4)
    expect(told({ days, to: 89.6 }).chance).toBeCloseTo(0.010024, 3)
    expect(told({ days, to: 105.3 + 0.01 }).chance).toBeCloseTo(0.008179, 4)
  })

  test('after 18.2 days 9.4 more would tell', () => {
    expect(((told({ days, to: 80.2 }).tellsAt as number) - 80.2 * DAY) / DAY).toBeCloseTo(9.4, 1)
  })

  test('regular gaps say it sooner, and nothing finer than 0.1 %', () => {
    const { regularity, overdue, sentences } = told({ days, to: 80.2 })
    expect(regularity).toBe('regular')
    expect(overdue).toBeLessThan(0.001)
    expect(sentences).toContain('Gaps so far are regular: one as long as now has by them a chance of under 0.1%.')
  })
})

describe('of a change', () => {
  test('back: as often as before', () => {
    const days = Array.from({ length: 19 }, (_, i) => 2.6 + i * 6.2)
    expect(told({ days, to: 120, changes: [{ ...change, at: 45 * DAY }] })).toMatchObject({ state: 'back' })
  })

  test('few before, long wait: 4 in 62 days need 59 quiet days for 5 %, 1 needs 395', () => {
    expect(told({ days: [10, 20, 30, 40], to: 62 + 59 }).chance).toBeCloseTo(0.0493, 3)
    expect(told({ days: [40], to: 62 + 395 }).chance).toBeCloseTo(0.05, 3)
    expect(told({ days: [40], to: 80 })).toMatchObject({ state: 'active', tellsAt: 'beyond' })
    expect(told({ days: [40], to: 80 }).sentences).toContain(
      'That can’t be shown within a year: quiet would not bring it to 1%.',
    )
  })

  test('written down late, its quiet counts from there', () => {
    const late = { ...change, datedByLink: undefined } as unknown as Change
    const found = told({ days: FOUNDING, to: 95, changes: [late], seen: 81 })
    expect(found.chance).toBeCloseTo(told({ days: FOUNDING, to: 76 }).chance ?? 0, 9)
    expect(found.sentences.join(' ')).toContain('The change was added 19 days later, when what followed could be seen')
    expect(told({ days: FOUNDING, to: 80, changes: [late], seen: 81 })).toMatchObject({
      state: 'active',
      withheld: 'not yet',
    })
    expect(told({ days: FOUNDING, to: 95, seen: 81 }).chance).toBeLessThan(0.01)
  })

  test('an incident before it was written down counts against it', () => {
    const late = { at: change.at, title: 'x' }
    expect(told({ days: [...FOUNDING, 70], to: 95, changes: [late], seen: 81 })).toMatchObject({ state: 'back' })
  })

  test('with nothing before there is no verdict', () => {
    expect(told({ days: [70, 80], to: 95 })).toMatchObject({ state: 'active', withheld: 'nothing before' })
    expect(told({ days: [70, 80], to: 95 }).sentences).toContain('Nothing struck before the change: no verdict on it.')
  })

  test('changes closer than three mean gaps get one verdict', () => {
    const near = [change, { ...change, at: 65 * DAY }, { ...change, at: 68 * DAY }]
    const { sentences } = told({ days: FOUNDING, to: 100, changes: near })
    expect(sentences).toContain('3 changes in 6 days can’t be told apart: one verdict for all.')
    expect(told({ days: FOUNDING, to: 100, changes: near }).chance).toBeGreaterThan(
      told({ days: FOUNDING, to: 100 }).chance ?? 1,
    )
  })

  test('a later one that nothing struck before takes nothing from the verdict', () => {
    const later = { ...change, title: 'cleanup', at: 100 * DAY }
    const found = told({ days: FOUNDING, to: 110, changes: [change, later] })
    expect(found).toMatchObject({ state: 'holding', chance: told({ days: FOUNDING, to: 110 }).chance })
    expect(found.sentences).toContain(
      'Of the later change “cleanup” (11 Apr) nothing can be told: none struck between.',
    )
  })

  test('runs outside its scope are no relapse', () => {
    const scoped = { ...change, scope: { branches: ['main'] } }
    const on = (branch: string) => (runs: Incident['runs']) =>
      runs.map((run) => ({ ...run, type: 'periodic' as const, branch }))
    const incident = (day: number) => ({
      runs: on(day > 62 ? 'release-4.3' : 'main')(makeIncident({ at: day * DAY }).runs),
    })
    expect(told({ days: [...FOUNDING, 70], to: 95, changes: [scoped], incident })).toMatchObject({ state: 'holding' })
    expect(told({ days: [...FOUNDING, 70], to: 95, incident })).toMatchObject({ state: 'rarer' })
  })

  test('an incident that may have begun on either side is on neither', () => {
    const incident = (day: number) => (day === 62 ? { from: { earliest: 61 * DAY, latest: 63 * DAY } } : {})
    expect(told({ days: [...FOUNDING, 62], to: 95, incident })).toMatchObject({ state: 'holding' })
  })

  test('in the future, or before all data, it is none', () => {
    for (const at of [-3, 300]) {
      const found = told({ days: FOUNDING, to: 61, changes: [{ ...change, at: at * DAY }] })
      expect(found).toMatchObject({ state: 'active' })
      expect(found.sentences.join(' ')).not.toContain('change:')
    }
  })
})

describe('without a change', () => {
  test('a long gap is quiet, and no fix is spoken of', () => {
    const days = [3.4, 8.8, 16.1, 22.6, 29.9, 35.2, 43.7, 49.9, 57.4, 63.1]
    const found = told({ days, to: 120, changes: [] })
    expect(found).toMatchObject({ state: 'quiet' })
    expect(found.chance).toBeLessThan(0.005)
    expect(found.sentences.join(' ')).toMatch(
      /Quiet for 57 days, the longest gap before was 8.5 d: such a quiet by chance: 0.\d%; no change is known/,
    )
  })

  test('five in 67 days, then 53: 5.4 % is not quiet', () => {
    const found = told({ days: [9.3, 22.6, 35.2, 49.9, 66.9], to: 120, changes: [] })
    expect(found).toMatchObject({ state: 'active' })
    expect(found.chance).toBeCloseTo(0.05385, 4)
  })

  test('one incident says next to nothing, none nothing', () => {
    expect(told({ days: [10], to: 120, changes: [] })).toMatchObject({ state: 'active' })
    expect(told({ days: [], to: 120, changes: [] })).toMatchObject({ state: 'never' })
  })
})

describe('can’t tell', () => {
  const dried = { witness: { before: { shown: 900, runs: 1000 }, since: { shown: 10, runs: 500 } } }

  test('when its witness is no longer written', () => {
    const found = told({ days: FOUNDING, to: 100, facts: dried })
    expect(found).toMatchObject({ state: 'unclear', unclear: 'witness' })
    expect(found.chance).toBeUndefined()
    expect(found.sentences.join(' ')).toContain(
      'Can’t tell since the change: the line that would show it is no longer written.',
    )
  })

  test.each([
    ['it struck again', { days: [...FOUNDING, 90] }, 'rarer'],
    [
      'too few runs should have shown it',
      { facts: { witness: { ...dried.witness, since: { shown: 0, runs: 5 } } } },
      'holding',
    ],
    [
      'a third of them still do',
      { facts: { witness: { ...dried.witness, since: { shown: 150, runs: 500 } } } },
      'holding',
    ],
  ])('but not where %s', (_, given, state) => {
    expect(told({ days: FOUNDING, to: 100, facts: dried, ...given })).toMatchObject({ state })
  })

  test('when nothing was watched since', () => {
    const watched = (day: number) => (day < 62 ? 1 : 0)
    expect(told({ days: FOUNDING, to: 100, watched })).toMatchObject({ state: 'unclear', unclear: 'unwatched' })
  })
})

test('a quiet that was watched for a tenth of the time counts as a tenth', () => {
  const found = told({ days: FOUNDING, to: 89.6, watched: (day) => (day < 62 ? 1 : 0.1) })
  expect(found.state).toBe('active')
  expect(found.chance).toBeGreaterThan(0.5)
})

test('bursty gaps get no chance', () => {
  const days = [1, 1.1, 1.2, 1.3, 30, 30.1, 30.2, 30.3, 60, 60.1, 60.2, 60.3]
  expect(told({ days, to: 100 })).toMatchObject({ state: 'active', withheld: 'bursty' })
  expect(told({ days, to: 100 }).chance).toBeUndefined()
})

test('a verdict that hangs on how hits are joined says so', () => {
  const facts = { reclustered: { half: { before: 40, since: 0 }, double: { before: 3, since: 0 } } }
  const found = told({ days: FOUNDING, to: 95, facts })
  expect(found).toMatchObject({ state: 'holding', unsteady: [{ window: 'double', state: 'active' }] })
  expect(found.sentences).toContain('Not steady: with hits joined within twice the window it would be “active”.')
})

test('a per-run failure counts runs, by their jobs', () => {
  const base = { days: FOUNDING, to: 95, kind: 'per-run' as const }
  expect(told(base).chance).toBeCloseTo(told({ days: FOUNDING, to: 95 }).chance ?? 0, 1)
  const mixed = told({ ...base, facts: { mix: 0.2 } })
  expect(mixed.chance).toBeGreaterThan(told(base).chance ?? 1)
  expect(mixed.jobMix).toBe(0.2)
  expect(mixed.sentences.join(' ')).toContain('The job mix changed')
})

describe('how often the rules are wrong where nothing changed', () => {
  const DAYS = 180
  const unit = random('verdicts').unit
  const poisson = (everyDays: number) => {
    const days: number[] = []
    for (let day = 0; ; ) {
      day += -Math.log(1 - unit()) * everyDays
      if (day > DAYS) return days
      days.push(day)
    }
  }
  const histories = Array.from({ length: 400 }, () => poisson(5))
  const share = (states: readonly string[], state: string) =>
    states.filter((each) => each === state).length / states.length

  test('holding at most once in a hundred at a moment, and rarer once in twenty', () => {
    const at = { ...change, at: 90 * DAY }
    const after30 = histories.map((days) => told({ days, to: 120, changes: [at] }).state)
    expect(share(after30, 'holding')).toBeLessThanOrEqual(0.02)
    const after90 = histories.map((days) => told({ days, to: DAYS, changes: [at] }).state)
    expect(share(after90, 'rarer')).toBeLessThanOrEqual(0.075)
    expect(share(after90, 'back')).toBeGreaterThan(0.8)
  })

  test('quiet without a change hardly ever', () => {
    const states = histories.map((days) => told({ days, to: DAYS, changes: [] }).state)
    expect(share(states, 'quiet')).toBeLessThanOrEqual(0.0125)
  })
})

test('whatever is asked, a chance is a chance, and quiet never makes it greater', () => {
  const day = fc.double({ min: 0.1, max: 61, noNaN: true })
  fc.assert(
    fc.property(fc.array(day, { minLength: 1, maxLength: 30 }), fc.integer({ min: 63, max: 200 }), (days, to) => {
      const [first, later] = [told({ days, to }), told({ days, to: to + 10 })]
      if (first.chance === undefined || later.chance === undefined) return
      expect(first.chance).toBeGreaterThanOrEqual(0)
      expect(first.chance).toBeLessThanOrEqual(1)
      expect(later.chance).toBeLessThanOrEqual(first.chance + 1e-12)
    }),
    { numRuns: 60 },
  )
})
