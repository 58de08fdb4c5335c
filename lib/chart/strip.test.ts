import { expect, test } from 'vitest'
import { DAY, makeIncident } from '../testing/values.ts'
import { strip } from './strip.ts'

const window = { from: 0, to: 90 * DAY }

test('ticks stand at their time, taller with the runs hit, hollow below two votes', () => {
  const incidents = [
    makeIncident({ at: 0, votes: 1 }),
    makeIncident({ at: 45 * DAY, votes: 4 }),
    makeIncident({ at: 99 * DAY }),
  ]
  const { ticks } = strip({ window, incidents, changes: [] }, 240, 20)
  expect(ticks).toMatchObject([
    { x: 1, y1: 12, y2: 20, runs: 1, jobs: 1, counted: false },
    { x: 120, y1: 6, y2: 20, runs: 4, jobs: 4, counted: true },
  ])
})

test('no tick is taller than the strip', () => {
  const { ticks } = strip({ window, incidents: [makeIncident({ at: 1, votes: 5000 })], changes: [] })
  expect(ticks[0]?.y1).toBe(0)
})

test('changes within the window are rules, what is not complete is hatched', () => {
  const changes = [62, 91].map((day) => ({ at: day * DAY, title: 'change' }))
  const drawn = strip({ window, incidents: [], changes, completeTo: 89 * DAY }, 182)
  expect(drawn.changes).toMatchObject([{ x: 125 }])
  expect(drawn.hatch).toEqual({ x: 179, width: 2 })
})
