import { describe, expect, test } from 'vitest'
import type { Cadence } from '../model/incident.ts'
import { DAY, HOUR } from '../testing/values.ts'
import { age, figure, stretch } from './figures.ts'
import { meanInterval } from './poisson.ts'
import { verdict } from './verdict.ts'
import { cadenceLine, cadenceSentences } from './words.ts'

const CHANGED = Date.UTC(2026, 9, 12)
const NOW = Date.UTC(2026, 10, 22, 12)

/** An outage that struck `incidents` times in `days` well watched days. */
function outage(incidents: number, days: number, given: Partial<Cadence> = {}): Cadence {
  return {
    unit: 'days',
    from: CHANGED - days * DAY,
    to: CHANGED,
    incidents,
    ...(incidents > 0 && { mean: days / incidents }),
    interval: meanInterval(incidents, days),
    gaps: incidents > 1 ? [3, 5.9] : [],
    watchedHours: days * 24,
    exposedRuns: days * 10,
    since: [],
    daily: { watchedHours: 24, exposedRuns: 10 },
    ...(incidents > 0 && { last: CHANGED - 2 * DAY, quiet: sinceLast(2) }),
    excluded: 0,
    continuous: false,
    runsHit: incidents * 3,
    ...given,
  }
}

function sinceLast(days: number): NonNullable<Cadence['quiet']> {
  return { from: CHANGED - days * DAY, to: CHANGED, watchedHours: days * 24, exposedRuns: days * 10 }
}

function perRun(incidents: number, exposedRuns: number, given: Partial<Cadence> = {}): Cadence {
  const mean = incidents > 0 ? { mean: exposedRuns / incidents } : {}
  return outage(0, 62, {
    unit: 'runs',
    incidents,
    exposedRuns,
    ...mean,
    ...((incidents > 0 || given.since) && { last: CHANGED - 2 * DAY, quiet: sinceLast(2) }),
    interval: meanInterval(incidents, exposedRuns),
    ...given,
  })
}

function changed(since: readonly number[], share = 1): Partial<Cadence> {
  const to = CHANGED + 22 * DAY
  const after = { to, incidents: since.length, watchedHours: 22 * 24 * share, exposedRuns: 220 }
  const change = { at: CHANGED, title: 'high priority class' }
  return { group: { changes: [change], from: CHANGED, to: CHANGED, countsFrom: CHANGED }, since, after }
}

const NOV3 = Date.UTC(2026, 10, 3, 2, 14)
const NOV9 = Date.UTC(2026, 10, 9)

describe('cadenceSentences', () => {
  test.each<[string, Cadence, string[]]>([
    [
      'struck, changed, seen again',
      outage(12, 62, { ...changed([NOV3]), last: NOV3 }),
      [
        'Struck 12 times in the 62 days before 12 Oct, on average every 5.2 days (true average 3.0–10.0 at 95%; gaps 3.0–5.9 d).',
        'Since the change: seen again once, 3 Nov, where about 4 were expected (chance if nothing had changed: 9.6%).',
        'Last struck 3 Nov 02:14 UTC, 19 days ago.',
      ],
    ],
    [
      'quiet since the change',
      outage(4, 90, changed([])),
      [
        'Struck 4 times in the 90 days before 12 Oct, on average every 22.5 days (true average 8.8–83 at 95%; gaps 3.0–5.9 d).',
        'None in the 22 days since the change (chance if nothing had changed: 37%).',
        'Quiet until 21 Mar 2027 would bring it to 1%.',
        'Last struck 10 Oct 00:00 UTC, 43 days ago.',
      ],
    ],
    [
      'little watched since the change',
      outage(4, 90, changed([], 0.081)),
      [
        'Struck 4 times in the 90 days before 12 Oct, on average every 22.5 days (true average 8.8–83 at 95%; gaps 3.0–5.9 d).',
        'None in the 22 days (watched 8% of the time) since the change (chance if nothing had changed: 91%).',
        'Quiet until 10 Apr 2027 would bring it to 1%.',
        'Last struck 10 Oct 00:00 UTC, 43 days ago.',
      ],
    ],
    [
      'not watched at all since the change',
      outage(4, 90, { ...changed([], 0), after: { to: NOW, incidents: 0, watchedHours: 0, exposedRuns: 0 } }),
      [
        'Struck 4 times in the 90 days before 12 Oct, on average every 22.5 days (true average 8.8–83 at 95%; gaps 3.0–5.9 d).',
        'Can’t tell since the change: no run could have shown it.',
        'Last struck 10 Oct 00:00 UTC, 43 days ago.',
      ],
    ],
    [
      'one PR only',
      perRun(0, 1830, { excluded: 15, runsHit: 15 }),
      ['One PR only, 15 runs: nothing to tell a rate from.'],
    ],
    [
      'several times since',
      outage(2, 62, { ...changed([NOV3, NOV9]), gaps: [10] }),
      [
        'Struck twice in the 62 days before 12 Oct, on average every 31 days (true average 8.6–256 at 95%; gap 10.0 d).',
        'Since the change: seen again twice, last on 9 Nov, where about 0.7 were expected (chance if nothing had changed: 91%).',
        'Last struck 10 Oct 00:00 UTC, 43 days ago.',
      ],
    ],
    [
      'once, no change',
      outage(1, 62),
      [
        'Struck once in the 62 days to 12 Oct, on average every 62 days (true average 11.1–2,400 at 95%).',
        'Last struck 10 Oct 00:00 UTC, 43 days ago.',
      ],
    ],
    ['none', outage(0, 90), ['None in the 90 days to 12 Oct: at most one every 30 days (95%).']],
    [
      'not well watched, and some left out',
      outage(12, 62, { watchedHours: 62 * 24 * 0.6159, excluded: 2 }),
      [
        'Struck 12 times in the 62 days to 12 Oct, on average every 5.2 days (true average 3.0–10.0 at 95%; gaps 3.0–5.9 d).',
        'Last struck 10 Oct 00:00 UTC, 43 days ago.',
        'A run could have shown it 61% of the time; what struck no run is not counted.',
        '2 incidents struck one PR or run only each and are not counted.',
      ],
    ],
    [
      'several a day',
      outage(248, 62, { gaps: [0.1, 0.9] }),
      [
        'Struck 248 times in the 62 days to 12 Oct, on average every 6.0 hours (true average 5.3–6.8 at 95%; gaps 0.1–0.9 d).',
        'Quiet for 2 days, the longest gap before was 0.9 d: such a quiet by chance: under 0.1%; no change is known.',
        'It still allows one every 16.0 hours (95%).',
        'Last struck 10 Oct 00:00 UTC, 43 days ago.',
      ],
    ],
    [
      'continuous',
      outage(40, 62, { continuous: true, gaps: [], runsHit: 850 }),
      [
        'Continuous: 850 runs hit in the 62 days to 12 Oct, 13.7 a day, too close together to tell incidents apart.',
        'Last struck 10 Oct 00:00 UTC, 43 days ago.',
      ],
    ],
    [
      'never watched',
      outage(0, 0, { watchedHours: 0, exposedRuns: 0 }),
      ['No run that could have shown it has been read.'],
    ],
    [
      'per run',
      perRun(148, 1203),
      [
        'Hit 148 of 1,203 runs that could have shown it in the 62 days to 12 Oct: 1 in 8.1 (true average 1 in 6.9–9.6 at 95%).',
        'Quiet for 20 runs: such a quiet by chance: 8.4%; no change is known.',
        'It still allows 1 in 6.7 runs (95%).',
        'Quiet until 14 Oct would bring it to 0.5%.',
        'Last struck 10 Oct 00:00 UTC, 43 days ago.',
      ],
    ],
    [
      'per run, none',
      perRun(0, 300, changed([])),
      [
        'None of 300 runs that could have shown it in the 62 days before 12 Oct: at most 1 in 100 (95%).',
        'Nothing struck before the change: no verdict on it.',
        'Last struck 10 Oct 00:00 UTC, 43 days ago.',
      ],
    ],
    [
      'per run, again',
      perRun(3, 300, changed([NOV3])),
      [
        'Hit 3 of 300 runs that could have shown it in the 62 days before 12 Oct: 1 in 100 (true average 1 in 34–485 at 95%).',
        'Since the change: seen again once, 3 Nov, in 1 of 220 runs, where about 2 were expected (chance if nothing had changed: 36%).',
        'Last struck 10 Oct 00:00 UTC, 43 days ago.',
      ],
    ],
  ])('%s', (_, cadence, sentences) => {
    expect(cadenceSentences(cadence, verdict(cadence), NOW)).toEqual(sentences)
  })

  test('a year that is not this one is written', () => {
    expect(cadenceSentences(outage(0, 90), { state: 'never' }, Date.UTC(2027, 0, 2))[0]).toContain('to 12 Oct 2026')
  })
})

describe('cadenceLine', () => {
  test.each<[string, Cadence, string]>([
    ['struck', outage(12, 62), 'on average every 5.2 days (95%: 3.0–10.0), 12 incidents'],
    [
      'seen again',
      outage(12, 62, changed([NOV3])),
      'before 12 Oct: on average every 5.2 days (95%: 3.0–10.0), 12 incidents; seen again once, 3 Nov, where about 4 were expected',
    ],
    [
      'quiet',
      outage(1, 62, changed([])),
      'before 12 Oct: on average every 62 days (95%: 11.1–2,400), 1 incident; none in the 22 days since; unchanged, a quiet this long: 63%',
    ],
    ['none', outage(0, 90), 'none in 90 days: at most one every 30 days'],
    [
      'none, little watched',
      outage(0, 90, { watchedHours: 90 }),
      'none in 90 days: at most one every 30 days, watched 4% of the time',
    ],
    ['one PR', outage(0, 90, { excluded: 2 }), 'one PR only, 2 incidents'],
    ['one PR, per run', perRun(0, 90, { excluded: 4, runsHit: 15 }), 'one PR only, 15 runs'],
    ['per run', perRun(148, 1203), '1 in 8.1 runs (95%: 6.9–9.6), 148 of 1,203 runs'],
    ['per run, none', perRun(0, 300), 'none in 300 runs: at most 1 in 100'],
    ['continuous', outage(9, 62, { continuous: true, runsHit: 850 }), 'continuous, 850 runs hit in 62 days'],
    ['never watched', outage(0, 0, { watchedHours: 0 }), 'no run could have shown it yet'],
  ])('%s', (_, cadence, line) => {
    expect(cadenceLine(cadence, verdict(cadence), NOW)).toBe(line)
  })
})

test('nothing that people read says fixed', () => {
  const all = [outage(12, 62, changed([])), outage(0, 90), perRun(3, 300, changed([]))]
  for (const cadence of all) expect(cadenceSentences(cadence, verdict(cadence), NOW).join(' ')).not.toMatch(/fixed/i)
})

test.each([
  [0.034, '0.03'],
  [0.3, '0.3'],
  [1, '1.0'],
  [8.79, '8.8'],
  [22.5, '22.5'],
  [29.96, '30'],
  [82.58, '83'],
  [999.4, '999'],
  [2449, '2,400'],
])('figure %d', (value, text) => {
  expect(figure(value)).toBe(text)
})

test.each([
  [HOUR, '1 hour'],
  [47 * HOUR, '47 hours'],
  [2 * DAY, '2 days'],
  [21.6 * DAY, '22 days'],
])('stretch %d', (ms, text) => {
  expect(stretch(ms)).toBe(text)
})

test.each([
  [-HOUR, 'less than an hour ago'],
  [1.9 * HOUR, '1 hour ago'],
  [47.9 * HOUR, '47 hours ago'],
  [2.9 * DAY, '2 days ago'],
])('age %d', (ms, text) => {
  expect(age(ms)).toBe(text)
})
