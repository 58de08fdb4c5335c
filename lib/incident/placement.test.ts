import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { comparePlaced, isNear, place, resolveTime, runSpan, timeOnLine } from './placement.ts'

const at = (text: string) => Date.parse(text)
const HOUR = 3_600_000

const span = runSpan({
  startedAt: at('2020-01-07T12:26:30Z'),
  finishedAt: at('2020-01-07T14:00:00Z'),
  time: at('2020-01-07T14:00:00Z'),
})
const newYear = runSpan({ startedAt: at('2019-12-31T23:30:00Z'), finishedAt: at('2020-01-01T02:00:00Z'), time: 0 })

describe('the span of a run', () => {
  const [started, finished, id] = [1_000_000, 5_000_000, 900_000]
  test.each([
    [
      { startedAt: started, finishedAt: finished, idTime: id },
      { from: started, to: finished, source: 'run' },
    ],
    [{ startedAt: started }, { from: started, to: started + 24 * HOUR, source: 'run' }],
    [
      { finishedAt: finished, idTime: id },
      { from: id, to: finished, source: 'id' },
    ],
    [{ finishedAt: finished }, { from: finished - 24 * HOUR, to: finished, source: 'id' }],
    [{ idTime: id }, { from: id, to: id + 24 * HOUR, source: 'id' }],
    [{}, { from: 7, to: 7 + 24 * HOUR, source: 'id' }],
    [
      { startedAt: finished, finishedAt: started },
      { from: finished, to: finished, source: 'run' },
    ],
  ])('%o', (times, expected) => expect(runSpan({ ...times, time: 7 })).toEqual(expected))
})

describe('the time on a line', () => {
  test.each([
    ['the innermost counts', '2020/01/07 13:43:59 Jan 07 13:19:49.383 I m', '2020-01-07T13:19:49.383Z'],
    ['an inner one far from the run does not', '2020/01/07 13:43:59 Jan 05 13:19:49.383 I m', '2020-01-07T13:43:59Z'],
    ['nor one of another year', '2020/01/07 13:43:59 2019/01/07 13:43:00 m', '2020-01-07T13:43:59Z'],
    ['nor any, if all are far', '2020/01/06 13:43:59 m', undefined],
    ['up to an hour before the start', '2020/01/07 11:26:30 m', '2020-01-07T11:26:30Z'],
    ['and no more', '2020/01/07 11:26:29 m', undefined],
    ['up to an hour after the end', '2020/01/07 15:00:00 m', '2020-01-07T15:00:00Z'],
    ['of two zones, the one that fits', '13:39:45: I0107 09:39:45.854640', '2020-01-07T13:39:45Z'],
    ['counted from the start', '[   90.5s] m', '2020-01-07T12:28:00.500Z'],
    ['a record’s own time', '{"msg":"m","time":"2020-01-07T13:00:00Z"}', '2020-01-07T13:00:00Z'],
    ['none', 'm', undefined],
  ])('%s', (_, line, expected) => expect(timeOnLine(line, span)).toBe(expected && at(expected)))

  test.each([
    ['Dec 31 23:45:00 m', '2019-12-31T23:45:00Z'],
    ['Jan  1 00:15:00 m', '2020-01-01T00:15:00Z'],
    ['I0101 01:59:59.000000 1 m', '2020-01-01T01:59:59Z'],
    ['23:50:00: m', '2019-12-31T23:50:00Z'],
    ['00:10:00: m', '2020-01-01T00:10:00Z'],
    ['Jul  1 00:15:00 m', undefined],
  ])('over New Year: %s', (line, expected) => expect(timeOnLine(line, newYear)).toBe(expected && at(expected)))

  test('a run that starts in the first minutes of a year may hold lines of the last one', () => {
    const run = runSpan({ startedAt: at('2020-01-01T00:05:00Z'), finishedAt: at('2020-01-01T01:00:00Z'), time: 0 })
    expect(timeOnLine('Dec 31 23:59:00 m', run)).toBe(at('2019-12-31T23:59:00Z'))
  })

  test('29 February only where the year has one', () => {
    const leap = { kind: 'yearless', month: 2, day: 29, msOfDay: 0 } as const
    const of = (day: string) => runSpan({ startedAt: at(day), finishedAt: at(day) + HOUR, time: 0 })
    expect(resolveTime(leap, of('2020-02-29T00:00:00Z'))).toBe(at('2020-02-29T00:00:00Z'))
    expect(resolveTime(leap, of('2019-03-01T00:00:00Z'))).toBeUndefined()
  })
})

describe('rules in their order', () => {
  const [before, after, line, beat] = ['12:40', '13:10', '12:50', '12:45'].map((hm) => at(`2020-01-07T${hm}:00Z`)) as [
    number,
    number,
    number,
    number,
  ]
  const clock = { at: beat, slackMs: 14_000 }
  const around = { before, after, dumped: false }
  const alone = { dumped: false }

  test.each([
    ['the line', { line, clock, around }, { earliest: line, latest: line, source: 'line' }],
    ['heartbeats', { clock, around }, { earliest: beat, latest: beat + 14_000, source: 'heartbeats' }],
    ['heartbeats alone', { clock, around: alone }, { earliest: beat, latest: beat + 14_000, source: 'heartbeats' }],
    [
      'heartbeats not after the next timed line',
      { clock, around: { after: beat + 5000, dumped: true } },
      { earliest: beat, latest: beat + 5000, source: 'heartbeats' },
    ],
    [
      'heartbeats not after the run',
      { clock: { at: span.to + 10_000, slackMs: 9 }, around: alone },
      { earliest: span.to, latest: span.to, source: 'heartbeats' },
    ],
    [
      'heartbeats far from the run count for nothing',
      { clock: { at: span.to + 3 * HOUR, slackMs: 9 }, around },
      { earliest: before, latest: after, source: 'neighbours' },
    ],
    ['neighbours', { around }, { earliest: before, latest: after, source: 'neighbours' }],
    [
      'neighbours whose clocks disagree',
      { around: { before: after, after: before, dumped: false } },
      { earliest: before, latest: after, source: 'neighbours' },
    ],
    ['one before', { around: { before, dumped: false } }, { earliest: before, latest: span.to, source: 'neighbours' }],
    ['one after', { around: { after, dumped: false } }, { earliest: span.from, latest: after, source: 'neighbours' }],
    [
      'in a dumped log, only one after',
      { around: { before, after, dumped: true } },
      { earliest: span.from, latest: after, source: 'neighbours' },
    ],
    ['the run', { around: alone }, { earliest: span.from, latest: span.to, source: 'run' }],
  ])('%s', (_, clues, expected) => expect(place(clues, span)).toEqual(expected))

  test('the build id', () => {
    const byId = runSpan({ idTime: 1000, time: 1000 })
    expect(place({ around: alone }, byId)).toEqual({ earliest: 1000, latest: 1000 + 24 * HOUR, source: 'id' })
  })

  test('property: in order, and near the run', () => {
    const near = fc.integer({ min: span.from - HOUR, max: span.to + HOUR })
    const clues = fc.record(
      {
        line: near,
        clock: fc.record({ at: fc.integer({ min: 0, max: 2 * span.to }), slackMs: fc.nat(HOUR) }),
        around: fc.record({ before: near, after: near, dumped: fc.boolean() }, { requiredKeys: ['dumped'] }),
      },
      { requiredKeys: ['around'] },
    )
    fc.assert(
      fc.property(clues, (given) => {
        const { earliest, latest } = place(given, span)
        expect(earliest).toBeLessThanOrEqual(latest)
        expect(isNear(earliest, span) && isNear(latest, span)).toBe(true)
      }),
    )
  })
})

test('the better source first, then the narrower range', () => {
  const placed = [
    { earliest: 0, latest: 0, source: 'run' },
    { earliest: 0, latest: 9, source: 'heartbeats' },
    { earliest: 0, latest: 5, source: 'heartbeats' },
    { earliest: 0, latest: 0, source: 'neighbours' },
    { earliest: 8, latest: 8, source: 'line' },
  ] as const
  const order = placed.toSorted(comparePlaced).map(({ source, latest }) => `${source} ${latest}`)
  expect(order).toEqual(['line 8', 'heartbeats 5', 'heartbeats 9', 'neighbours 0', 'run 0'])
})
