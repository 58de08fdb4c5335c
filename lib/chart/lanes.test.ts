import { describe, expect, test } from 'vitest'
import type { Track } from '../model/hit.ts'
import { HOUR, MINUTE, makeHit, makeIncident, makeRun } from '../testing/values.ts'
import { lanes } from './lanes.ts'

const START = Date.UTC(2026, 10, 3, 2, 14)
const incident = makeIncident({ at: START, to: { earliest: START + 17 * MINUTE, latest: START + 17 * MINUTE } })

function track(...marks: [what: string, minute: number][]): Track {
  return {
    bucket: 'gs://ci',
    path: 'logs/e2e-aws/1',
    signature: 'boskos.heartbeat',
    resource: 'r',
    log: 'lease.log',
    marks: marks.map(([what, minute], line) => {
      const at = START + minute * MINUTE
      return { what, line: line + 1, placed: { earliest: at, latest: at, source: 'heartbeats' } }
    }),
  }
}

const died = {
  run: makeRun({ startedAt: START - 2 * HOUR, finishedAt: START + 20 * MINUTE }),
  tracks: [track(['witness', -2], ['witness', -1], ['eof', 0], ['no_route', 2], ['no_route', 8])],
  hits: [makeHit({ at: START, cause: 'eof', log: 'lease.log', line: 3 })],
  outcome: 'died' as const,
  end: 'died of it',
}
const survived = {
  run: makeRun({
    path: 'logs/e2e-gcp/2',
    startedAt: START - 3 * MINUTE,
    finishedAt: START + 3 * HOUR,
    result: 'success',
  }),
  tracks: [],
  hits: [makeHit({ at: START + MINUTE, within: 5 * MINUTE, cause: 'eof' })],
  outcome: 'passed' as const,
  end: 'passed',
}

describe('lanes', () => {
  const drawn = lanes({ incident, lanes: [died, survived] })

  test('a row a run, with its marks in time and each line once', () => {
    const [first] = drawn.rows
    expect(first?.marks.map(({ what, line }) => `${what}:${line}`)).toEqual([
      'witness:1',
      'witness:2',
      'eof:3',
      'no_route:4',
      'no_route:5',
    ])
    const xs = first?.marks.map(({ x }) => x) ?? []
    expect(xs).toEqual([...xs].sort((a, b) => a - b))
    expect(drawn.rows.map(({ y }) => y)).toEqual([36, 60])
  })

  test('the incident and what lies near it fill the plot; spans are cut at its edges', () => {
    expect(drawn.from).toBeLessThanOrEqual(START - 5 * MINUTE)
    expect(drawn.to).toBeGreaterThan(START + 20 * MINUTE)
    expect(drawn.to).toBeLessThan(START + HOUR)
    expect(drawn.rows.map(({ span }) => [span.cutLeft, span.cutRight])).toEqual([
      [true, false],
      [false, true],
    ])
    expect(drawn.rows[0]?.span.x1).toBe(drawn.plot.left)
  })

  test('the end is drawn where it is near, and told in any case', () => {
    expect(drawn.rows[0]?.end).toMatchObject({ outcome: 'died', words: 'died of it', at: START + 20 * MINUTE })
    expect(drawn.rows[0]?.end.x).toBe(drawn.rows[0]?.span.x2)
    expect(drawn.rows[1]?.end).toEqual({ outcome: 'passed', words: 'passed', at: START + 3 * HOUR })
  })

  test('a hit known roughly shows its range', () => {
    const [mark] = drawn.rows[1]?.marks ?? []
    expect(mark).toMatchObject({ what: 'eof', log: 'build-log.txt' })
    expect((mark?.range?.x2 ?? 0) - (mark?.range?.x1 ?? 0)).toBeGreaterThan(6)
  })

  test('marks of one kind that would lie on each other are drawn once and counted', () => {
    const beats = track(...Array.from({ length: 2000 }, (_, i): [string, number] => ['witness', i / 100]))
    const [row] = lanes({ incident, lanes: [{ ...died, tracks: [beats], hits: [] }] }).rows
    const marks = row?.marks ?? []
    expect(marks.length).toBeLessThan(200)
    expect(marks.reduce((all, { hidden }) => all + hidden + 1, 0)).toBe(2000)
  })

  test('clock ticks are round and few', () => {
    expect(drawn.ticks.length).toBeLessThanOrEqual(9)
    for (const { at } of drawn.ticks) expect(at % MINUTE).toBe(0)
  })

  test('no lanes at all are drawn as an empty plot', () => {
    expect(lanes({ incident, lanes: [] }).rows).toEqual([])
  })
})
