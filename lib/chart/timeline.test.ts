import { describe, expect, test } from 'vitest'
import { DAY, makeIncident } from '../testing/values.ts'
import { type TimelineInput, timeline } from './timeline.ts'

const START = Date.UTC(2026, 7, 1)
const WIDTH = 1080

function day(n: number): number {
  return START + n * DAY
}

function chart(given: Partial<TimelineInput> = {}, width = WIDTH) {
  return timeline({ window: { from: day(0), to: day(120) }, incidents: [], changes: [], days: [], ...given }, width)
}

const perDay = (chart().plot.right - chart().plot.left) / 120
const at = (n: number) => chart().plot.left + n * perDay

describe('timeline', () => {
  test('marks stand at their time, in order, with the days between them written', () => {
    const { marks, gaps } = chart({ incidents: [105.3, 4.5, 9.9].map((n) => makeIncident({ at: day(n), votes: 3 })) })
    expect(marks.map(({ x }) => x)).toEqual([4.5, 9.9, 105.3].map((n) => expect.closeTo(at(n), 0)))
    expect(marks.map(({ label }) => label)).toEqual(['3', '3', '3'])
    expect(gaps.map(({ label }) => label)).toEqual(['5.4', '95.4'])
    expect(gaps[0]?.x).toBeCloseTo(at(7.2), 0)
  })

  test('a mark grows with the runs hit, and stays a dot', () => {
    const radius = (votes: number) => chart({ incidents: [makeIncident({ at: day(1), votes })] }).marks[0]?.radius ?? 0
    expect(radius(4)).toBeGreaterThan(radius(1))
    expect(radius(10_000)).toBe(9)
  })

  test('one vote is drawn hollow and takes no part in the gaps', () => {
    const incidents = [
      makeIncident({ at: day(1) }),
      makeIncident({ at: day(20), votes: 1 }),
      makeIncident({ at: day(31) }),
    ]
    const { marks, gaps } = chart({ incidents })
    expect(marks.map(({ counted }) => counted)).toEqual([true, false, true])
    expect(gaps).toMatchObject([{ days: 30 }])
  })

  test('of labels that would touch the larger is kept, and a gap too narrow is not written', () => {
    const incidents = [makeIncident({ at: day(10), votes: 2 }), makeIncident({ at: day(10.5), votes: 5 })]
    const { marks, gaps } = chart({ incidents })
    expect(marks.map(({ label }) => label)).toEqual([undefined, '5'])
    expect(gaps).toMatchObject([{ days: 0.5 }])
    expect(gaps[0]?.label).toBeUndefined()
  })

  test('a first hit known only roughly shows its range', () => {
    const rough = makeIncident({ at: day(10), from: { earliest: day(8), latest: day(12) } })
    const [mark] = chart({ incidents: [rough] }).marks
    expect(mark?.range?.x1).toBeCloseTo(at(8), 0)
    expect(mark?.range?.x2).toBeCloseTo(at(12), 0)
    expect(chart({ incidents: [makeIncident({ at: day(10) })] }).marks[0]).not.toHaveProperty('range')
  })

  test('changes are rules with their titles in rows that do not overlap, turned inwards at the edge', () => {
    const changes = [
      { at: day(62), title: 'a high priority class for Boskos' },
      { at: day(63), title: 'and two replicas' },
      { at: day(119), title: 'and no volume' },
      { at: day(-3), title: 'outside' },
    ]
    const drawn = chart({ changes })
    expect(drawn.changes.map(({ row, anchor }) => [row, anchor])).toEqual([
      [0, 'start'],
      [1, 'start'],
      [0, 'end'],
    ])
    expect(drawn.height).toBeGreaterThan(chart({ changes: changes.slice(0, 1) }).height)
  })

  test('hours watched are bars of up to a day, from one base', () => {
    const days = [0, 12, 24, 99].map((watchedHours, i) => ({ day: day(i), watchedHours }))
    const { bars, rows } = chart({ days })
    expect(bars.map(({ height }) => height)).toEqual([0, 18, 36, 36])
    for (const bar of bars) expect(bar.y + bar.height).toBeCloseTo(rows.watched, 6)
  })

  test('what is not complete yet is hatched up to the end', () => {
    const { hatch, plot } = chart({ completeTo: day(118) })
    expect(hatch?.x).toBeCloseTo(at(118), 0)
    expect((hatch?.x ?? 0) + (hatch?.width ?? 0)).toBeCloseTo(plot.right, 6)
    expect(chart({ completeTo: day(120) })).not.toHaveProperty('hatch')
  })

  test('ticks are months with names and Mondays without', () => {
    const { ticks } = chart()
    expect(ticks.filter(({ major }) => major).map(({ label }) => label)).toEqual(['Aug', 'Sep', 'Oct', 'Nov'])
    const mondays = ticks.filter(({ major }) => !major)
    expect(mondays).toHaveLength(17)
    expect(mondays.every((tick) => new Date(tick.at).getUTCDay() === 1)).toBe(true)
  })

  test('a short window names its Mondays', () => {
    const { ticks } = chart({ window: { from: day(0), to: day(21) } })
    expect(ticks.map(({ label }) => label)).toEqual(['Aug', '3 Aug', '10 Aug', '17 Aug'])
  })

  test('nothing lies outside the view box, and every number is one', () => {
    const incidents = Array.from({ length: 300 }, (_, i) => makeIncident({ at: day(i * 0.41), votes: 1 + (i % 5) }))
    const drawn = chart({ incidents, completeTo: day(119), changes: [{ at: day(60), title: 'x'.repeat(400) }] }, 360)
    for (const x of [...drawn.marks, ...drawn.ticks, ...drawn.changes].map((one) => one.x)) {
      expect(x).toBeGreaterThanOrEqual(0)
      expect(x).toBeLessThanOrEqual(drawn.width)
    }
    expect(JSON.stringify(drawn)).not.toMatch(/null|NaN/)
  })

  test('a window of no length is drawn', () => {
    expect(
      JSON.stringify(chart({ window: { from: day(0), to: day(0) }, incidents: [makeIncident({ at: day(0) })] })),
    ).not.toMatch(/null|NaN/)
  })
})
