import { describe, expect, test } from 'vitest'
import { runFiles } from '../files.ts'
import { BEAT, firstMissedBeat } from '../plan.ts'
import { readText } from '../readable.ts'
import { schedule } from '../schedule.ts'

const runs = schedule(1750890, Date.UTC(2026, 10, 30, 12))

describe('a lease in an outage', () => {
  const hit = runs.filter(({ plants }) => plants.some(({ id }) => id === 'boskos.heartbeat'))

  test.each(hit.map((run) => [run.path, run] as const))('%s', (_, run) => {
    const objects = runFiles(run)
    const lease = objects.find(({ name }) => name.endsWith('/container-logs/lease.log'))
    if (!lease) throw new Error('no lease.log')
    const text = readText(lease)
    const lines = text.split('\n')
    const failed = lines.filter((line) => line.startsWith('failed to send heartbeat'))
    const plant = run.plants.find(({ id }) => id === 'boskos.heartbeat')
    expect(failed.filter((line) => line.endsWith(': EOF'))).toEqual(failed.slice(0, 1))
    expect(failed.slice(1).every((line) => /connect: (?:no route to host|connection refused)$/.test(line))).toBe(true)
    expect(failed).toHaveLength(plant?.missed ?? 0)

    const leased = Date.parse(/"lastupdate":"([^"]+)"/.exec(text)?.[1] ?? '')
    const beats = lines.filter((line) => /heartbeat/.test(line) && !line.startsWith('[INFO]'))
    const cut = leased + (beats.findIndex((line) => line.endsWith(': EOF')) + 1) * BEAT
    expect(firstMissedBeat(leased, plant?.at ?? 0)).toBeGreaterThan(1)
    expect(cut - (plant?.at ?? 0)).toBeGreaterThanOrEqual(0)
    expect(cut - (plant?.at ?? 0)).toBeLessThanOrEqual(BEAT)

    const build = objects.find(({ name }) => name === 'build-log.txt')
    const top = build ? readText(build) : ''
    const at = top.indexOf('Container lease in pod')
    expect(top.includes(failed[0] ?? 'no line')).toBe(plant?.fatal)
    if (plant?.fatal) expect(top.slice(top.indexOf(failed[0] ?? ''), at)).toContain(failed.at(-1))
    expect(top.includes('failed, exit code 1, reason Error') && /Container lease in pod \S+ failed/.test(top)).toBe(
      plant?.fatal,
    )
  })
})
