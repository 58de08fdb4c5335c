import { describe, expect, test } from 'vitest'
import type { Incident } from '../model/incident.ts'
import type { ExposureHour } from '../store/store.ts'
import { DAY, HOUR, MINUTE, makeIncident } from '../testing/values.ts'
import { type CadenceInput, cadence } from './cadence.ts'
import { meanInterval } from './poisson.ts'

describe('meanInterval', () => {
  // Exact limits of a Poisson count, as SciPy's chi2.ppf(p, df) / 2 gives them.
  test.each([
    [4, 90, 8.7877, 82.579],
    [12, 62, 2.9578, 9.9991],
    [1, 62, 11.128, 2448.87],
    [5, 5, 0.4285, 3.0798],
  ])('%d in %d', (count, exposure, low, high) => {
    const interval = meanInterval(count, exposure)
    expect(interval.low).toBeCloseTo(low, 2)
    expect(interval.high / high).toBeCloseTo(1, 4)
  })

  test('none in 90 still allows one in 30, and no upper bound', () => {
    expect(meanInterval(0, 90).low).toBeCloseTo(30.04, 2)
    expect(meanInterval(0, 90).high).toBe(Number.POSITIVE_INFINITY)
  })
})

function watched(days: number, share = 1): ExposureHour[] {
  return Array.from({ length: days * 24 }, (_, i) => ({
    hour: i * HOUR,
    runs: (i % 24) / 24 < share ? 3 : 0,
    starts: 2,
  }))
}

function on(...days: number[]): Incident[] {
  return days.map((day) => makeIncident({ at: day * DAY }))
}

function of(given: Partial<CadenceInput>): ReturnType<typeof cadence> {
  return cadence({
    kind: 'outage',
    windowMs: 30 * MINUTE,
    incidents: [],
    exposure: watched(120),
    changes: [],
    completeTo: 120 * DAY,
    ...given,
  })
}

const change = { at: 62 * DAY, title: 'high priority class', link: 'https://example.com/1' }
const FOUNDING = on(4.5, 9.9, 15.1, 19.2, 25.1, 28.1, 33.9, 38.8, 43.8, 47.8, 52, 57.5, 105.3)

describe('cadence of an outage', () => {
  test('ends at the latest change and names what came after', () => {
    const found = of({ incidents: FOUNDING, changes: [change] })
    expect(found).toMatchObject({
      unit: 'days',
      from: 0,
      to: 62 * DAY,
      incidents: 12,
      group: { changes: [change], from: change.at, to: change.at, countsFrom: change.at },
      continuous: false,
      excluded: 0,
    })
    expect(found.mean).toBeCloseTo(5.17, 2)
    expect(found.interval.low).toBeCloseTo(2.96, 2)
    expect(found.interval.high).toBeCloseTo(10, 2)
    expect(Math.min(...found.gaps)).toBeCloseTo(3, 6)
    expect(Math.max(...found.gaps)).toBeCloseTo(5.9, 6)
    expect(found.gaps).toHaveLength(11)
    expect(found.since).toEqual([105.3 * DAY])
    expect(found.after).toEqual({ to: 120 * DAY, incidents: 1, watchedHours: 58 * 24, exposedRuns: 58 * 48 })
    expect(found.last).toBe(105.3 * DAY)
  })

  test('without a change it ends where runs are complete', () => {
    const found = of({ incidents: FOUNDING, completeTo: 100 * DAY })
    expect(found).toMatchObject({ to: 100 * DAY, incidents: 12, since: [], watchedHours: 2400 })
    expect(found.group).toBeUndefined()
    expect(found.last).toBe(105.3 * DAY)
  })

  test.each([
    ['before the data begins', -5],
    ['still to come', 130],
  ])('a change %s has nothing to compare', (_, day) => {
    const found = of({ incidents: FOUNDING, changes: [{ at: day * DAY, title: 'x' }] })
    expect(found).toMatchObject({ to: 120 * DAY, incidents: 13 })
    expect(found.group).toBeUndefined()
  })

  test('of several changes the latest counts', () => {
    const earlier = { at: 30 * DAY, title: 'earlier' }
    const found = of({ incidents: FOUNDING, changes: [change, earlier] })
    expect(found).toMatchObject({ from: 30 * DAY, to: 62 * DAY, group: { changes: [change] } })
  })

  test('an incident that may have begun on either side of the change is on neither', () => {
    const spans = makeIncident({ at: 62 * DAY, from: { earliest: 61 * DAY, latest: 63 * DAY } })
    const found = of({ incidents: [...FOUNDING, spans], changes: [change] })
    expect(found).toMatchObject({ incidents: 12, since: [105.3 * DAY] })
  })

  test('an incident of one vote is left out and said', () => {
    const lone = makeIncident({ at: 50 * DAY, votes: 1, pulls: ['o/r#1'] })
    const found = of({ incidents: [...on(10, 20), lone] })
    expect(found).toMatchObject({ incidents: 2, excluded: 1, gaps: [10], last: 20 * DAY })
  })

  test('the window begins with the data, and counts only hours watched', () => {
    const exposure = watched(120, 0.5).filter(({ hour }) => hour >= 20 * DAY)
    const found = of({ exposure, incidents: on(30, 40) })
    expect(found).toMatchObject({ from: 20 * DAY, incidents: 2, watchedHours: 1200, mean: 50 })
  })

  test('an hour that the change cuts is watched on both sides by its part', () => {
    const found = of({ changes: [{ at: 10 * DAY + HOUR / 4, title: 'x' }] })
    expect(found.watchedHours).toBeCloseTo(240.25, 6)
    expect(found.after?.watchedHours).toBeCloseTo(110 * 24 - 0.25, 6)
  })

  test('nothing watched, nothing claimed', () => {
    const found = of({ exposure: [], incidents: on(3) })
    expect(found).toMatchObject({ incidents: 0, watchedHours: 0, exposedRuns: 0, interval: { low: 0 } })
    expect(found.mean).toBeUndefined()
  })

  test('incidents at one instant give a gap of nothing, not a fault', () => {
    expect(of({ incidents: on(3, 3) }).gaps).toEqual([0])
  })

  test('hits too dense to tell apart count as runs, without gaps', () => {
    const often = Array.from({ length: 120 * 12 }, (_, i) => makeIncident({ at: i * 2 * HOUR }))
    const found = of({ incidents: often, windowMs: 2 * HOUR })
    expect(found).toMatchObject({ continuous: true, gaps: [], runsHit: 2880 })
  })

  test('one great outage is not continuous', () => {
    const great = makeIncident({ at: 50 * DAY, votes: 10_000 })
    expect(of({ incidents: [great, ...on(60)] })).toMatchObject({ continuous: false, incidents: 2, gaps: [10] })
  })
})

describe('cadence of a per-run failure', () => {
  test('counts runs hit of runs that could have been, without gaps', () => {
    const found = of({ kind: 'per-run', incidents: on(...Array.from({ length: 60 }, (_, i) => i + 1)) })
    expect(found).toMatchObject({ unit: 'runs', incidents: 120, exposedRuns: 5760, mean: 48, gaps: [], excluded: 0 })
  })

  test('the retries of a pull request count once', () => {
    const retries = [1, 2, 3].map((day) => makeIncident({ at: day * DAY, votes: 1, pulls: ['o/r#1'] }))
    const other = makeIncident({ at: 9 * DAY, votes: 1, pulls: ['o/r#2'] })
    expect(of({ kind: 'per-run', incidents: [...retries, other] })).toMatchObject({ incidents: 2, excluded: 0 })
  })

  test('one pull request alone is no rate', () => {
    const retries = [1, 2, 3].map((day) => makeIncident({ at: day * DAY, votes: 1, pulls: ['o/r#1'] }))
    expect(of({ kind: 'per-run', incidents: retries })).toMatchObject({ incidents: 0, excluded: 3, runsHit: 3 })
  })

  test('more than one in every run is not claimed', () => {
    const exposure = [{ hour: 0, runs: 3, starts: 3 }]
    const found = of({ kind: 'per-run', exposure, completeTo: HOUR, incidents: [makeIncident({ at: 1, votes: 3 })] })
    expect(found).toMatchObject({ incidents: 3, mean: 1, interval: { low: 1 } })
  })
})
