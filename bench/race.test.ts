import { describe, expect, test } from 'vitest'
import type { Pattern } from './patterns.ts'
import type { Peers } from './peers.ts'
import type { Counted, Prowl } from './prowl.ts'
import { race } from './race.ts'

const PATTERN: Pattern = { name: 'rare', kind: 'literal', pattern: 'needle', planted: { rare: 1, heartbeat: 1 / 4 } }
const PLANTED = { rare: 3, heartbeat: 8 }

const AGREEING: Engines = { lines: 5, first: 5, runs: 4, partial: [], rg: 5, ciSearch: 5, ciSearchFirst: 4 }

interface Engines {
  readonly lines: number
  readonly first: number
  readonly runs: number
  readonly partial: Counted['partial']
  readonly rg: number
  readonly ciSearch: number
  readonly ciSearchFirst: number
}

async function raced(engines: Partial<Engines>, pattern = PATTERN) {
  const { lines, first, runs, partial, rg, ciSearch, ciSearchFirst } = { ...AGREEING, ...engines }
  const prowl: Prowl = {
    count: async () => ({ lines: [lines], candidates: 2, partial }),
    first: async () => first,
    chart: async () => runs,
    narrow: async () => 2,
    close: async () => {},
  }
  const peers: Peers = { rg: () => rg, ciSearch: () => ciSearch, ciSearchFirst: () => ciSearchFirst }
  return await race(pattern, { prowl, peers, planted: PLANTED, blocks: 9, runs: 2, all: false })
}

describe('race', () => {
  test('gives a row of what engines that agree found', async () => {
    const { row, faults } = await raced({})
    expect(faults).toEqual([])
    expect(row).toMatchObject({ name: 'rare', pattern: 'needle', lines: 5, candidates: 2, blocks: 9 })
    expect(Object.keys(row)).toEqual(
      expect.arrayContaining(['prowlMs', 'firstMs', 'indexMs', 'chartMs', 'ciSearchMs', 'rgMs', 'ciSearchFirstMs']),
    )
  })

  test.each<[string, Partial<Engines>]>([
    ['lines by rg 6, by prowl 5', { rg: 6 }],
    ['lines by ci-search mode 4, by prowl 5', { ciSearch: 4 }],
    ['runs by rg -m1 3, by prowl 4', { ciSearchFirst: 3 }],
    ['first hits 5, by prowl 2', { first: 2 }],
    ['prowl’s count lacks lines: deadline', { partial: ['deadline'] }],
    ['planted lines 5, by prowl 6', { lines: 6, first: 6, rg: 6, ciSearch: 6 }],
  ])('%s is a fault', async (fault, engines) => {
    expect((await raced(engines)).faults).toEqual([`rare (needle): ${fault}`])
  })

  test('a pasted pattern outside the sample is counted by plain rg alone', async () => {
    const { row, faults } = await raced({ ciSearch: 0 }, { name: 'pasted 2', kind: 'pasted', pattern: 'needle' })
    expect(faults).toEqual([])
    expect(row).not.toHaveProperty('ciSearchMs')
    expect(row).not.toHaveProperty('chartMs')
  })
})
