import { expect, test } from 'vitest'
import { firstMissedBeat } from './plan.ts'
import { schedule } from './schedule.ts'
import { slice } from './slice.ts'
import { DAY, HEARTBEAT_GAPS, MINUTE, NEAR_MISSES, type PlantedSignature } from './story.ts'
import { storyOf } from './telling.ts'

const SEED = 1750890
const END = Date.UTC(2026, 10, 30, 12, 0, 30, 250)
const runs = schedule(SEED, END)
const story = storyOf(runs, SEED, END)

function planted(id: string): PlantedSignature {
  const found = story.signatures.find((signature) => signature.id === id)
  if (!found) throw new Error(`${id} is not planted`)
  return found
}

/** Days from day 0 of a signature's incidents. */
const days = (id: string) => planted(id).incidents.map(({ at }) => (at - story.start) / DAY)
const gaps = (of: readonly number[]) => of.slice(1).map((day, nth) => day - (of[nth] ?? 0))
const changeDay = (id: string) => ((planted(id).change?.at ?? Number.NaN) - story.start) / DAY

test('about 1,800 runs of ten jobs in 120 days, each within them', () => {
  expect(runs.length).toBeGreaterThan(1700)
  expect(runs.length).toBeLessThan(1950)
  expect(new Set(runs.map(({ job }) => job.name)).size).toBe(10)
  expect(new Set(runs.map(({ type }) => type))).toEqual(new Set(['periodic', 'postsubmit', 'presubmit', 'batch']))
  const odd = runs.filter(({ start, end }) => start < story.start - 3 * 60 * MINUTE || end > END || end <= start)
  expect(odd).toEqual([])
})

test('ids are unique, snowflakes but for two old jobs, and sequential in order of start', () => {
  expect(new Set(runs.map(({ path }) => path)).size).toBe(runs.length)
  const old = runs.filter(({ buildId }) => buildId.length < 10)
  const byJob = [...Map.groupBy(old, ({ job }) => job.name).values()]
  expect(byJob).toHaveLength(2)
  for (const each of byJob)
    expect(gaps(each.map(({ buildId }) => Number(buildId))).every((gap) => gap === 1)).toBe(true)
  const late = runs.filter(({ buildId, start }) => {
    const given = Number((BigInt(buildId) >> 22n) + 1_288_834_974_657n)
    return buildId.length > 10 && (start - given < 1000 || start - given > 10_000)
  })
  expect(late).toEqual([])
})

test('the founding story: 12 incidents in 62 days, gaps as drawn, one more on day 105', () => {
  const at = days('boskos.heartbeat')
  const before = at.filter((day) => day < changeDay('boskos.heartbeat'))
  expect(changeDay('boskos.heartbeat')).toBe(62)
  expect(before).toHaveLength(12)
  for (const [nth, gap] of gaps(before).entries()) expect(gap).toBeCloseTo(HEARTBEAT_GAPS[nth] ?? 0, 3)
  expect(at.slice(12).map((day) => Math.round(day * 10) / 10)).toEqual([105.3])
  expect(planted('boskos.heartbeat').incidents.at(-1)?.runs).toHaveLength(3)
})

test('a heartbeat incident hits 2 to 5 runs of different jobs, a third of them survive', () => {
  const { incidents } = planted('boskos.heartbeat')
  for (const { runs: hit } of incidents) {
    expect(hit.length).toBeGreaterThanOrEqual(2)
    expect(hit.length).toBeLessThanOrEqual(5)
    expect(new Set(hit.map(({ job }) => job)).size).toBe(hit.length)
  }
  const outcomes = incidents.flatMap(({ runs: hit }) => hit.map(({ outcome }) => outcome))
  const survived = outcomes.filter((outcome) => outcome === 'survived').length / outcomes.length
  expect(survived).toBeGreaterThan(0.2)
  expect(survived).toBeLessThan(0.45)
  expect(runs.filter(({ plants }) => plants.some(({ refused }) => refused)).length).toBeGreaterThan(0)
})

test('no other lease is in flight during an outage of Boskos', () => {
  for (const { at, runs: hit } of planted('boskos.heartbeat').incidents) {
    const paths = new Set(hit.map(({ path }) => path))
    const untouched = runs.filter(
      ({ lease, path }) => lease && lease.from < at + 10 * MINUTE && lease.to > at && !paths.has(path),
    )
    expect(untouched).toEqual([])
    for (const run of runs.filter(({ path }) => paths.has(path))) {
      expect(run.lease?.from).toBeLessThan(at)
      expect(run.lease?.to).toBeGreaterThan(at + MINUTE)
    }
  }
})

test('back at full rate: api.disruption strikes as often after its change as before', () => {
  const at = days('api.disruption')
  const change = changeDay('api.disruption')
  const before = at.filter((day) => day < change).length / change
  const after = at.filter((day) => day > change).length / (120 - change)
  expect(after / before).toBeGreaterThan(0.8)
  expect(after / before).toBeLessThan(1.3)
})

test('silent since its line is gone: mirror.mismatch, and its witness, end at its change', () => {
  expect(days('mirror.mismatch').every((day) => day < changeDay('mirror.mismatch'))).toBe(true)
  expect(runs.filter(({ job, oldMirror }) => job.style === 'images' && !oldMirror).length).toBeGreaterThan(50)
})

test('a long gap and no change: image.pull503', () => {
  const at = days('image.pull503')
  expect(at).toHaveLength(10)
  expect(120 - (at.at(-1) ?? 120)).toBeGreaterThan(45)
  expect(planted('image.pull503').change).toBeUndefined()
})

test('one pull request retested 15 times in two days: build.undefined', () => {
  const paths = planted('build.undefined').incidents.flatMap(({ runs: hit }) => hit.map(({ path }) => path))
  expect(paths).toHaveLength(15)
  expect(new Set(paths.map((path) => path.split('/').slice(0, 4).join('/'))).size).toBe(1)
  const at = days('build.undefined')
  expect((at.at(-1) ?? 0) - (at[0] ?? 0)).toBeLessThan(2.1)
})

test('dns.timeout ends at its change; lease.exhausted comes in bursts all along', () => {
  expect(days('dns.timeout').every((day) => day < changeDay('dns.timeout'))).toBe(true)
  expect(days('dns.timeout').length).toBeGreaterThan(10)
  expect(planted('lease.exhausted').incidents.some(({ runs: hit }) => hit.length >= 3)).toBe(true)
  expect(days('lease.exhausted').at(-1)).toBeGreaterThan(110)
})

test('outages hit at least two votes each', () => {
  for (const id of ['boskos.heartbeat', 'api.disruption', 'mirror.mismatch', 'image.pull503']) {
    for (const { runs: hit } of planted(id).incidents) {
      const votes = new Set(
        hit.map(({ path }) => (path.startsWith('pr-logs') ? path.split('/').slice(0, 4).join('/') : path)),
      )
      expect(votes.size, `${id} ${hit.map(({ path }) => path)}`).toBeGreaterThanOrEqual(2)
    }
  }
})

test('about seven in ten failed runs die of a planted failure', () => {
  const failed = runs.filter(({ state }) => state === 'failure' || state === 'error')
  const known = failed.filter(({ plants }) => plants.some(({ fatal }) => fatal)).length / failed.length
  expect(failed.length / runs.length).toBeGreaterThan(0.2)
  expect(failed.length / runs.length).toBeLessThan(0.4)
  expect(known).toBeGreaterThan(0.65)
  expect(known).toBeLessThan(0.85)
})

test('every oddity and near-miss is there', () => {
  expect(story.shapes.map(({ id }) => id).sort()).toEqual([
    'clone-failed',
    'container-build-logs',
    'crier-aborted',
    'died-before-logging',
    'empty-build-log',
    'finished-not-json',
    'finished-without-time',
    'lost',
    'no-build-log',
    'only-prowjob',
    'passed-null',
    'pending',
    'raw-bytes',
    'truncated-gzip',
  ])
  expect(story.nearMisses.map(({ id }) => id).sort()).toEqual([...NEAR_MISSES].sort())
})

test('the same seed and end make the same schedule, another seed another', () => {
  expect(schedule(SEED, END)).toEqual(runs)
  expect(schedule(SEED + 1, END)).not.toEqual(runs)
})

test('a slice holds whole incidents, every shape, job and signature', () => {
  const part = slice(runs, 0)
  expect(part.length).toBeLessThan(70)
  const told = storyOf(part, SEED, END)
  expect(told.signatures.map(({ id }) => id)).toEqual(story.signatures.map(({ id }) => id))
  expect(told.shapes.map(({ id }) => id).sort()).toEqual(story.shapes.map(({ id }) => id).sort())
  expect(new Set(part.map(({ job }) => job.name)).size).toBe(10)
  for (const { id, incidents } of told.signatures) {
    for (const incident of incidents) {
      expect(planted(id).incidents).toContainEqual(incident)
    }
  }
  expect(slice(runs, 0.5).length).toBeGreaterThanOrEqual(runs.length / 2)
})

test('the first missed beat is the first at or after the outage', () => {
  expect(firstMissedBeat(0, 1)).toBe(1)
  expect(firstMissedBeat(0, 30_000)).toBe(1)
  expect(firstMissedBeat(0, 30_001)).toBe(2)
})
