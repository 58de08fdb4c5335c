import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Incident } from '../model/incident.ts'
import type { Signature } from '../model/signature.ts'
import type { ExposureHour } from '../store/store.ts'
import { type Random, random } from '../testing/sample/random.ts'
import { DAY, HOUR, MINUTE, makeIncident, makeSignature } from '../testing/values.ts'
import { countedStrikes, countMeetings, type Strike, struckTogether } from './meetings.ts'
import { candidates, moreThanChance, type Together } from './together.ts'

const DAYS = 90
const strike = (signature: string, at: number, given: Partial<Incident> = {}) =>
  makeIncident({ signature, at, clusters: ['build01'], ...given })

const always: readonly ExposureHour[] = Array.from({ length: DAYS * 24 }, (_, i) => ({
  hour: i * HOUR,
  runs: 4,
  starts: 1,
}))

function found(incidents: readonly Strike[], signatures: readonly Signature[], exposure = always): Together[] {
  return moreThanChance(candidates(incidents, signatures), new Map(signatures.map(({ id }) => [id, exposure])))
}

describe('one outage', () => {
  const a = strike('a', DAY)
  const run = a.runs[0]
  const far = { clusters: ['build02'] }
  test.each<[string, Incident, boolean]>([
    ['at the same moment', strike('b', DAY), true],
    ['just within the window', strike('b', DAY + 30 * MINUTE), true],
    ['just beyond it', strike('b', DAY + 30 * MINUTE + 1), false],
    ['before it', strike('b', DAY - 30 * MINUTE), true],
    ['begun long before, still under way', strike('b', DAY - 3 * HOUR, { to: { earliest: DAY, latest: DAY } }), true],
    ['known by hours only', strike('b', DAY - HOUR, { from: { earliest: DAY - 2 * HOUR, latest: DAY } }), false],
    ['elsewhere, in other runs', strike('b', DAY, { ...far, runs: [] }), false],
    ['elsewhere, in a run of it', strike('b', DAY, { ...far, runs: run ? [run] : [] }), true],
    ['of one vote', strike('b', DAY, { votes: 1 }), false],
  ])('%s', (_, b, expected) => {
    expect(struckTogether(a, b)).toBe(expected)
    expect(struckTogether(b, a)).toBe(expected)
  })
})

describe('signatures that strike together', () => {
  const [a, b] = [makeSignature({ id: 'a' }), makeSignature({ id: 'b' })]
  const days = [3, 17, 40, 66, 81]
  const pair = days.flatMap((day) => [strike('a', day * DAY), strike('b', day * DAY + 10 * MINUTE)])

  test('are named with how often, and how often by chance', () => {
    expect(found(pair, [b, a])).toEqual([
      { signatures: ['a', 'b'], times: 5, expected: expect.closeTo(5 / (14 * 24), 9) },
    ])
  })

  test.each<[string, ReturnType<typeof makeSignature>]>([
    ['a part', makeSignature({ id: 'b', part: { of: 'a', causes: [] } })],
    ['one that yields to the other', makeSignature({ id: 'b', yieldsTo: ['a'] })],
  ])('%s is no pair', (_, other) => {
    expect(found(pair, [a, other])).toEqual([])
    expect(candidates(pair, [a, other]).tested).toBe(0)
  })

  test('neither one meeting nor a single bad day is a habit', () => {
    expect(found(pair.slice(0, 2), [a, b])).toEqual([])
    const day = Array.from({ length: 10 }, (_, i) => [strike('a', DAY + i * 2 * HOUR), strike('b', DAY + i * 2 * HOUR)])
    expect(countMeetings(day.flat(), [a, b])).toMatchObject([{ times: 1 }])
  })

  test('the more pairs of signatures could, the more often they must', () => {
    const twice = pair.slice(0, 4)
    expect(found(twice, [a, b])).toHaveLength(1)
    const others = Array.from({ length: 60 }, (_, i) => `other${String(i)}`)
    const apart = others.flatMap((id, i) => [4, 30].map((day) => strike(id, (day + i / 10) * DAY, { clusters: [id] })))
    const signatures = [a, b, ...others.map((id) => makeSignature({ id }))]
    expect(candidates(apart, signatures).tested).toBe(1770)
    expect(found([...twice, ...apart], signatures)).toEqual([])
  })

  test('those never watched at once are judged by the days round them', () => {
    expect(moreThanChance(candidates(pair, [a, b]), new Map())).toMatchObject([{ times: 5 }])
  })
})

test('the sweep finds what looking at every pair finds', () => {
  const ids = ['a', 'b', 'c', 'd']
  const signatures = ids.map((id) => makeSignature({ id, yieldsTo: id === 'd' ? ['a'] : [] }))
  const incident = fc
    .record({
      signature: fc.constantFrom(...ids),
      at: fc.integer({ min: 0, max: 600 }),
      minutes: fc.constantFrom(0, 20, 120),
      cluster: fc.constantFrom('x', 'y'),
      votes: fc.constantFrom(1, 2, 2, 2),
    })
    .map(({ signature, at, minutes, cluster, votes }) => {
      const end = at * 10 * MINUTE + minutes * MINUTE
      return strike(signature, at * 10 * MINUTE, { clusters: [cluster], votes, to: { earliest: end, latest: end } })
    })
  // Of one signature no two lie within two hours, as clustering leaves them.
  const incidents = fc.uniqueArray(incident, {
    minLength: 40,
    maxLength: 80,
    size: 'max',
    selector: ({ signature, at }) => `${signature} ${Math.floor(at / (2 * HOUR))}`,
  })
  fc.assert(
    fc.property(incidents, (all) => {
      const expected: Record<string, number> = {}
      for (const [i, a] of ids.entries())
        for (const b of ids.slice(i + 1)) {
          const times = all
            .filter(({ signature }) => signature === a)
            .flatMap((x) =>
              all
                .filter((y) => y.signature === b && struckTogether(x, y))
                .map((y) => Math.max(x.from.earliest, y.from.earliest)),
            )
            .sort((x, y) => x - y)
          const thinned = thin(times)
          if (thinned > 0 && `${a}${b}` !== 'ad') expected[`${a} ${b}`] = thinned
        }
      const swept = countMeetings(countedStrikes(all, signatures), signatures)
      expect(Object.fromEntries(swept.map(({ signatures: both, times }) => [both.join(' '), times]))).toEqual(expected)
    }),
  )
})

function thin(times: readonly number[]): number {
  const [first] = times
  return first === undefined ? 0 : 1 + thin(times.filter((at) => at - first >= DAY))
}

test('fifty thousand incidents, all within a minute of one another, come to an end', () => {
  const ids = Array.from({ length: 40 }, (_, i) => `s${i}`)
  const strikes = Array.from({ length: 50_000 }, (_, i) => moment(ids[i % 40] ?? '', i))
  expect(
    found(
      strikes,
      ids.map((id) => makeSignature({ id })),
    ),
  ).toEqual([])
})

/** Signatures that strike independently, a Poisson process each over 90 days, at a rate in proportion to an hour's weight. */
function farm(draw: Random, ids: readonly string[], perSignature: number, weights: readonly number[]): Strike[] {
  const most = Math.max(...weights)
  const mean = weights.reduce((all, weight) => all + weight, 0) / weights.length
  const gap = (DAYS * DAY * mean) / (perSignature * most)
  return ids.flatMap((signature) => {
    const own: Strike[] = []
    for (let at = -Math.log(1 - draw.unit()) * gap; at < DAYS * DAY; at += -Math.log(1 - draw.unit()) * gap) {
      if (!draw.chance((weights[Math.floor(at / HOUR)] ?? 0) / most)) continue
      own.push(moment(signature, at))
    }
    return own
  })
}

function moment(signature: string, at: number): Strike {
  const range = { earliest: at, latest: at }
  return { signature, from: range, to: range, votes: 2, runs: [], clusters: ['build01'] }
}

describe('simulated, twelve signatures at one per five days', () => {
  const ids = Array.from({ length: 12 }, (_, i) => `s${String(i).padStart(2, '0')}`)
  const signatures = ids.map((id) => makeSignature({ id }))
  const workday = (hour: number) => (hour % 24 >= 8 && hour % 24 < 18 && Math.floor(hour / 24) % 7 < 5 ? 10 : 1)
  const steady = Array.from({ length: DAYS * 24 }, () => 1)

  test('ten pairs of incidents meet by luck', () => {
    const farms = Array.from({ length: 300 }, (_, i) => farm(random('luck', i), ids, 18, steady))
    const met = farms.map((all) =>
      all.reduce((sum, x) => sum + all.filter((y) => x.signature < y.signature && struckTogether(x, y)).length, 0),
    )
    expect(met.reduce((all, n) => all + n) / farms.length).toBeCloseTo(9.9, 0)
  })

  test.each<[string, (hour: number) => number, boolean]>([
    ['day and night', () => 1, false],
    ['as runs do, mostly in working hours', workday, true],
    ['in three weeks of thirteen', (hour) => (hour < 21 * 24 ? 1 : 0), false],
  ])('%s: at most one farm in a hundred names any pair', (name, rate, isSeen) => {
    const weights = steady.map((_, hour) => rate(hour))
    const exposure = isSeen ? always.map((hour, i) => ({ ...hour, runs: weights[i] ?? 0 })) : always
    expect(wrongly(name, signatures, 18, weights, exposure)).toBeLessThanOrEqual(atMost(0.01))
  })

  test('four outages in common are seen in nearly all', () => {
    const [a = '', b = ''] = ids
    const named = Array.from({ length: 200 }, (_, i) => {
      const draw = random('common', i)
      const common = [11, 29, 47, 70].flatMap((day) => {
        const at = (day + draw.unit()) * DAY
        return [moment(a, at), moment(b, at + 5 * MINUTE)]
      })
      return found([...farm(draw, ids, 14, steady), ...common], signatures).some(
        ({ signatures: [one, other] }) => one === a && other === b,
      )
    }).filter(Boolean).length
    expect(named / 200).toBeGreaterThan(0.95)
  })

  test('one pair alone, thirty times each: wrong names are no more than is stated, and not none at all', () => {
    const wrong = wrongly('pair', signatures.slice(0, 2), 30, steady, always)
    expect(wrong).toBeGreaterThan(0.002)
    expect(wrong).toBeLessThanOrEqual(atMost(0.01))
  })
})

const FARMS = 1500

/** Three standard deviations above a share of the farms. */
function atMost(share: number): number {
  return share + 3 * Math.sqrt((share * (1 - share)) / FARMS)
}

/** The share of farms in which any pair is named. */
function wrongly(
  name: string,
  signatures: readonly Signature[],
  perSignature: number,
  weights: readonly number[],
  exposure: readonly ExposureHour[],
): number {
  const ids = signatures.map(({ id }) => id)
  const farms = Array.from({ length: FARMS }, (_, i) => farm(random(name, i), ids, perSignature, weights))
  return farms.filter((strikes) => found(strikes, signatures, exposure).length > 0).length / FARMS
}
