import { describe, expect, it } from 'vitest'
import { ProwlError } from '#lib/errors.ts'
import { chainDiscovery } from './chain.ts'
import type { Discovery, DiscoveryKind, Found, FoundRun, Scope } from './discovery.ts'

const DAY = 86_400_000
const SCOPE: Scope = { jobs: () => true, from: 100 * DAY, knownTimes: async () => new Map() }
const run = (job: string, failed?: boolean): FoundRun => ({
  path: `logs/${job}/1`,
  job,
  buildId: '1',
  type: 'periodic',
  ...(failed ? { failed } : {}),
})

/** Answers so, and notes up to when it was asked. */
function kind(name: DiscoveryKind, answer: Partial<Found> | Error, asked: Record<string, unknown> = {}): Discovery {
  return {
    kind: name,
    async find(scope) {
      asked[name] = scope.to === undefined ? 'all' : scope.to / DAY
      if (answer instanceof Error) throw answer
      return { runs: [], from: scope.from, gaps: [], ...answer }
    },
  }
}

const FAULT = new ProwlError('DISCOVERY_FAILED', 'https://deck answered HTML')

describe('a chain', () => {
  it.each<[string, readonly [DiscoveryKind, Partial<Found> | Error][], Record<string, unknown>, number]>([
    [
      'asks the first alone where it reaches all',
      [
        ['deck', {}],
        ['listing', {}],
      ],
      { deck: 'all' },
      100,
    ],
    [
      'asks the next for all where the first fails',
      [
        ['deck', FAULT],
        ['index', {}],
        ['listing', {}],
      ],
      { deck: 'all', index: 'all' },
      100,
    ],
    [
      'asks the next for the rest, and a day more',
      [
        ['deck', { from: 112 * DAY }],
        ['index', {}],
      ],
      { deck: 'all', index: 113 },
      100,
    ],
    [
      'asks each for what is left',
      [
        ['deck', { from: 112 * DAY }],
        ['index', { from: 105 * DAY }],
        ['listing', {}],
      ],
      { deck: 'all', index: 113, listing: 106 },
      100,
    ],
    [
      'passes over one that fails in between',
      [
        ['deck', { from: 112 * DAY }],
        ['index', FAULT],
        ['listing', {}],
      ],
      { deck: 'all', index: 113, listing: 113 },
      100,
    ],
    [
      'forgets nothing for one that reaches less far',
      [
        ['deck', { from: 112 * DAY }],
        ['index', { from: 120 * DAY }],
        ['listing', {}],
      ],
      { deck: 'all', index: 113, listing: 113 },
      100,
    ],
    [
      'keeps what it has where the last one fails',
      [
        ['deck', { from: 112 * DAY }],
        ['listing', FAULT],
      ],
      { deck: 'all', listing: 113 },
      112,
    ],
    [
      'takes any fault for a failure',
      [
        ['deck', new TypeError('x is undefined\nat y')],
        ['listing', {}],
      ],
      { deck: 'all', listing: 'all' },
      100,
    ],
  ])('%s', async (_, kinds, expected, from) => {
    const asked: Record<string, unknown> = {}
    const found = await chainDiscovery(kinds.map(([name, answer]) => kind(name, answer, asked))).find(SCOPE)
    expect(asked).toEqual(expected)
    expect(found.from / DAY).toBe(from)
    expect(found.attempts.map((attempt) => attempt.kind)).toEqual(Object.keys(expected))
  })

  it('tells what came of each, in one line', async () => {
    const found = await chainDiscovery([
      kind('deck', new Error('broken\nat some line')),
      kind('index', { from: 112 * DAY, runs: [run('a')], gaps: ['b'], skipped: { odd: 2 } }),
      kind('listing', { runs: [run('a'), run('b')], gaps: ['c'] }),
    ]).find(SCOPE)
    expect(found.attempts).toEqual([
      { kind: 'deck', runs: 0, error: 'broken' },
      { kind: 'index', runs: 1, from: 112 * DAY, skipped: { odd: 2 } },
      { kind: 'listing', runs: 2, from: 100 * DAY },
    ])
    expect(found.gaps).toEqual(['b', 'c'])
  })

  it('has each run once, the newest first, failed where any says so', async () => {
    const found = await chainDiscovery([
      kind('deck', { from: 112 * DAY, runs: [run('a'), run('b', true)] }),
      kind('listing', { runs: [run('c'), run('b'), run('a', true)] }),
    ]).find(SCOPE)
    expect(found.runs).toEqual([run('a', true), run('b', true), run('c')])
  })

  it('asks for no more than was asked of it', async () => {
    const asked: Record<string, unknown> = {}
    const kinds = [kind('deck', { from: 112 * DAY }, asked), kind('listing', {}, asked)]
    await chainDiscovery(kinds).find({ ...SCOPE, to: 105 * DAY })
    expect(asked).toEqual({ deck: 105, listing: 105 })
  })

  it('throws what the last one threw where none could answer', async () => {
    const denied = new ProwlError('BUCKET_DENIED', 'denied')
    await expect(chainDiscovery([kind('deck', FAULT), kind('listing', denied)]).find(SCOPE)).rejects.toBe(denied)
    await expect(chainDiscovery([]).find(SCOPE)).rejects.toThrow('no way to find runs')
  })

  it('ends when told to', async () => {
    const stop = new AbortController()
    const aborting: Discovery = {
      kind: 'deck',
      find: async () => {
        stop.abort()
        throw stop.signal.reason
      },
    }
    const asked: Record<string, unknown> = {}
    const chain = chainDiscovery([aborting, kind('listing', {}, asked)])
    await expect(chain.find({ ...SCOPE, signal: stop.signal })).rejects.toMatchObject({ name: 'AbortError' })
    expect(asked).toEqual({})
  })
})
