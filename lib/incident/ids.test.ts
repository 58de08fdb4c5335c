import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Incident } from '../model/incident.ts'
import { DAY, makeIncident } from '../testing/values.ts'
import { assignIds, incidentId } from './ids.ts'

function of(at: number, ...letters: string[]): Incident {
  const runs = letters.map((letter) => ({
    bucket: 'gs://ci',
    path: `logs/${letter}/1`,
    job: letter,
    buildId: '1',
    time: at,
    result: 'failure',
    outcome: 'died' as const,
  }))
  return makeIncident({ at: at * DAY, runs })
}

function named(id: string, incident: Incident, aliases: readonly string[] = []): Incident {
  return { ...incident, id, aliases }
}

function ids(fresh: readonly Incident[], stored: readonly Incident[]) {
  return assignIds(fresh, stored).map(({ id, aliases }) => [id, ...aliases].join(' '))
}

describe('assignIds', () => {
  test('an incident that shares a run with a stored one keeps its id', () => {
    expect(ids([of(1, 'a', 'b', 'c')], [named('old', of(1, 'a'))])).toEqual(['old'])
  })

  test('a merge keeps the id of the older, the other becomes an alias', () => {
    const stored = [named('later', of(2, 'b', 'c')), named('first', of(1, 'a'), ['before'])]
    expect(ids([of(1, 'a', 'b', 'c')], stored)).toEqual(['first before later'])
  })

  test('a split leaves the id with the larger share', () => {
    const [small, large] = assignIds([of(1, 'a'), of(2, 'b', 'c')], [named('old', of(1, 'a', 'b', 'c'))])
    expect(large?.id).toBe('old')
    expect(small?.id).not.toBe('old')
  })

  test('a run hit twice does not exchange the ids of its two incidents', () => {
    expect(ids([of(9, 'a'), of(1, 'a')], [named('first', of(1, 'a')), named('second', of(9, 'a'))])).toEqual([
      'second',
      'first',
    ])
  })

  test('a new id is never one in use, as an alias neither', () => {
    const fresh = of(1, 'a')
    const stored = [named(incidentId(fresh), of(1, 'x'), [incidentId(fresh, 1)])]
    expect(ids([fresh], stored)).toEqual([incidentId(fresh, 2)])
  })

  test('ids are short, and the same for all workers', () => {
    expect(incidentId(of(1, 'a'))).toMatch(/^[a-z2-7]{8}$/)
    expect(incidentId(of(1, 'a'))).toBe(incidentId(of(1, 'a')))
    expect(incidentId(of(1, 'a'))).not.toBe(incidentId(of(1, 'b')))
  })

  const incidents = fc
    .array(fc.tuple(fc.integer({ min: 0, max: 50 }), fc.subarray([...'abcdef'], { minLength: 1 })), { maxLength: 8 })
    .map((all) => all.map(([at, letters]) => of(at, ...letters)))

  test('whatever comes, ids and aliases stay unique, and none is lost while one of its runs is still hit', () => {
    fc.assert(
      fc.property(incidents, incidents, (earlier, later) => {
        const stored = assignIds(earlier, [])
        const fresh = assignIds(later, stored)
        const names = fresh.flatMap(({ id, aliases }) => [id, ...aliases])
        expect(new Set(names).size).toBe(names.length)
        const hit = new Set(later.flatMap(({ runs }) => runs.map(({ path }) => path)))
        for (const old of stored) {
          if (old.runs.some(({ path }) => hit.has(path))) expect(names).toContain(old.id)
        }
      }),
    )
  })

  test('nothing changes when nothing changed', () => {
    fc.assert(
      fc.property(incidents, (all) => {
        const once = assignIds(all, [])
        const again = assignIds(once, once)
        expect(new Set(again.map(({ id }) => id)).size).toBe(once.length)
      }),
    )
  })
})
