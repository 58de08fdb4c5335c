import { describe, expect, test } from 'vitest'
import type { Pattern } from './patterns.ts'
import type { Peers } from './peers.ts'
import type { Counted, Prowl } from './prowl.ts'
import { race, raceMerged } from './race.ts'

const PATTERN: Pattern = { name: 'rare', kind: 'literal', pattern: 'needle' }
const OURS: Ours = { lines: 5, first: 5, runs: 4, partial: [] }
const AGREEING: Engines = { ...OURS, rg: 5, ciSearch: 5, ciSearchFirst: 4, elastic: OURS }

interface Ours {
  readonly lines: number
  readonly first: number
  readonly runs: number
  readonly partial: Counted['partial']
}

interface Engines extends Ours {
  readonly elastic: Ours
  readonly rg: number
  readonly ciSearch: number
  readonly ciSearchFirst: number
}

function prowlOf({ lines, first, runs, partial }: Ours): Prowl {
  return {
    count: async () => ({ lines: [lines], candidates: 2, partial }),
    first: async () => first,
    chart: async () => runs,
    narrow: async () => 2,
    close: async () => {},
  }
}

async function raced(engines: Partial<Engines>, pattern = PATTERN) {
  const { rg, ciSearch, ciSearchFirst, elastic, ...ours } = { ...AGREEING, ...engines }
  const peers: Peers = { rg: () => rg, ciSearch: () => ciSearch, ciSearchFirst: () => ciSearchFirst }
  const stores = { prowl: prowlOf(ours), elastic: prowlOf(elastic) }
  return await race(pattern, { ...stores, peers, blocks: 9, runs: 2, all: false })
}

describe('race', () => {
  test('gives a row of what engines that agree found', async () => {
    const { row, faults } = await raced({})
    expect(faults).toEqual([])
    expect(row).toMatchObject({ name: 'rare', pattern: 'needle', lines: 5, candidates: 2, blocks: 9 })
    const ours = ['prowlMs', 'firstMs', 'indexMs', 'chartMs', 'elasticMs', 'elasticFirstMs', 'elasticIndexMs']
    expect(Object.keys(row)).toEqual(expect.arrayContaining([...ours, 'ciSearchMs', 'rgMs', 'ciSearchFirstMs']))
  })

  test.each<[string, Partial<Engines>]>([
    ['lines by rg 6, by prowl 5', { rg: 6 }],
    ['lines by ci-search mode 4, by prowl 5', { ciSearch: 4 }],
    ['runs by rg -m1 3, by prowl 4', { ciSearchFirst: 3 }],
    ['first hits 5, by prowl 2', { first: 2, elastic: { ...OURS, first: 2 } }],
    ['lines by Elasticsearch 4, by prowl 5', { elastic: { ...OURS, lines: 4 } }],
    ['first hits by Elasticsearch 4, by prowl 5', { elastic: { ...OURS, first: 4 } }],
    ['Elasticsearch’s count lacks lines: deadline', { elastic: { ...OURS, partial: ['deadline'] } }],
    ['prowl’s count lacks lines: deadline', { partial: ['deadline'] }],
  ])('%s is a fault', async (fault, engines) => {
    expect((await raced(engines)).faults).toEqual([`rare (needle): ${fault}`])
  })

  test('where the text was not kept, lines that ripgrep counted before and prowl did not find are a fault', async () => {
    const over = { prowl: prowlOf(OURS), blocks: 9, runs: 1, all: false }
    expect((await race(PATTERN, { ...over, counts: { needle: 5 } })).faults).toEqual([])
    const { faults } = await race(PATTERN, { ...over, counts: { needle: 6 } })
    expect(faults).toEqual(['rare (needle): lines by rg 6, by prowl 5'])
  })

  test('lines that a merge loses are a fault', async () => {
    const { row } = await raced({})
    expect(await raceMerged(prowlOf(OURS), [row], 1)).toMatchObject({ rows: [{ ...row }], faults: [] })
    const { faults } = await raceMerged(prowlOf({ ...OURS, lines: 4 }), [row], 1)
    expect(faults).toEqual(['rare (needle): lines by Elasticsearch once merged 4, by prowl 5'])
  })

  test('a pasted pattern outside the sample is counted by plain rg alone', async () => {
    const { row, faults } = await raced({ ciSearch: 0 }, { name: 'pasted 2', kind: 'pasted', pattern: 'needle' })
    expect(faults).toEqual([])
    expect(row).not.toHaveProperty('ciSearchMs')
    expect(row).not.toHaveProperty('chartMs')
  })
})
