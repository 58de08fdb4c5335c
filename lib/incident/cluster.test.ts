import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Hit } from '../model/hit.ts'
import { HOUR, MINUTE, makeHit } from '../testing/values.ts'
import { type Cluster, clusterHits } from './cluster.ts'

const RULE = { windowMs: 30 * MINUTE, maxSpanMs: 2 * HOUR }

/** A hit between two minutes of a day, of a run named by its letter. */
function between(run: string, from: number, to = from): Hit {
  const at = ((from + to) / 2) * MINUTE
  return makeHit({ path: `logs/${run}/1`, at, within: ((to - from) / 2) * MINUTE })
}

function runs(clusters: readonly Cluster[]): string {
  return clusters.map(({ hits }) => hits.map(({ job }) => job).join('')).join(' ')
}

describe('clusterHits', () => {
  const cases: [string, Hit[], string][] = [
    ['none', [], ''],
    ['one', [between('a', 0)], 'a'],
    ['the same instant', [between('a', 0), between('b', 0)], 'ab'],
    ['within the window', [between('a', 0), between('b', 30)], 'ab'],
    ['just beyond it', [between('a', 0), between('b', 30.1)], 'a b'],
    ['linked through one between', [between('a', 0), between('b', 25), between('c', 50)], 'abc'],
    ['ranges, not their middles, are compared', [between('a', 0, 30), between('b', 60, 90)], 'ab'],
    ['the span is capped', [0, 25, 50, 75, 100, 125].map((at) => between('a', at)), 'aaaaa a'],
    ['a wide hit joins', [between('a', 60), between('w', 0, 180)], 'wa'],
    ['a wide hit glues nothing', [between('a', 10), between('b', 170), between('w', 0, 180)], 'wa b'],
    ['a wide hit joins the nearest', [between('a', 10), between('b', 100), between('w', 0, 180)], 'a wb'],
    ['a wide hit joins its own run first', [between('w', 10), between('b', 100), between('w', 0, 180)], 'ww b'],
    ['wide hits alone share a moment', [between('a', 0, 180), between('b', 120, 300), between('c', 170, 400)], 'abc'],
    [
      'wide hits do not chain',
      [between('a', 0, 120), between('b', 100, 220), between('c', 200, 320), between('d', 300, 420)],
      'ab cd',
    ],
  ]
  test.each(cases)('%s', (_, hits, expected) => {
    expect(runs(clusterHits(hits, RULE))).toBe(expected)
  })

  test('bounds are those of the hits that are known, a wide one moves none', () => {
    const [cluster] = clusterHits([between('a', 50, 60), between('b', 58, 70), between('w', 0, 180)], RULE)
    expect(cluster?.from).toEqual({ earliest: 50 * MINUTE, latest: 60 * MINUTE })
    expect(cluster?.to).toEqual({ earliest: 58 * MINUTE, latest: 70 * MINUTE })
  })

  test('wide hits alone fell in what all of them cover', () => {
    const [cluster] = clusterHits([between('a', 0, 180), between('b', 120, 300)], RULE)
    expect(cluster?.from).toEqual({ earliest: 120 * MINUTE, latest: 180 * MINUTE })
    expect(cluster?.to).toEqual(cluster?.from)
  })

  const hit = fc
    .record({
      run: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      from: fc.integer({ min: 0, max: 2000 }),
      width: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 30 }), fc.integer({ min: 31, max: 600 })),
      line: fc.integer({ min: 1, max: 9 }),
      cause: fc.constantFrom('eof', 'no_route'),
    })
    .map(({ run, from, width, line, cause }) => ({ ...between(run, from, from + width), line, cause }))
  const hits = fc.array(hit, { maxLength: 40 })
  const isWide = ({ placed }: Hit) => placed.latest - placed.earliest > RULE.windowMs

  test('does not depend on the order of the hits', () => {
    fc.assert(
      fc.property(
        hits.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        ([all, shuffled]) => {
          expect(clusterHits(shuffled, RULE)).toEqual(clusterHits(all, RULE))
        },
      ),
    )
  })

  test('each hit is in one cluster, whose bounds are in order and whose span is capped', () => {
    fc.assert(
      fc.property(hits, (all) => {
        const clusters = clusterHits(all, RULE)
        expect(clusters.flatMap((cluster) => cluster.hits).length).toBe(all.length)
        expect(new Set(clusters.flatMap((cluster) => cluster.hits))).toEqual(new Set(all))
        for (const { from, to, hits } of clusters) {
          expect(from.earliest).toBeLessThanOrEqual(from.latest)
          expect(to.earliest).toBeLessThanOrEqual(to.latest)
          expect(from.earliest).toBeLessThanOrEqual(to.earliest)
          expect(from.latest).toBeLessThanOrEqual(to.latest)
          if (hits.some((one) => !isWide(one))) {
            expect(to.latest - from.earliest).toBeLessThanOrEqual(RULE.maxSpanMs)
          }
        }
      }),
    )
  })

  test('wide hits never change how the others are gathered', () => {
    fc.assert(
      fc.property(hits, (all) => {
        const known = clusterHits(all, RULE).map((cluster) => cluster.hits.filter((one) => !isWide(one)))
        const alone = clusterHits(
          all.filter((one) => !isWide(one)),
          RULE,
        ).map((cluster) => cluster.hits)
        expect(known.filter((own) => own.length > 0)).toEqual(alone)
      }),
    )
  })

  test('known hits left apart are further apart than the window, or together longer than the cap', () => {
    fc.assert(
      fc.property(hits, (all) => {
        const clusters = clusterHits(
          all.filter((one) => !isWide(one)),
          RULE,
        )
        clusters.slice(1).forEach((cluster, i) => {
          const before = clusters[i]
          const first = cluster.hits[0]?.placed
          if (!before || !first) return
          const apart = first.earliest - before.to.latest > RULE.windowMs
          const tooLong = Math.max(first.latest, before.to.latest) - before.from.earliest > RULE.maxSpanMs
          expect(apart || tooLong).toBe(true)
        })
      }),
    )
  })

  test('ten thousand hits at one instant are one incident', () => {
    const many = Array.from({ length: 10_000 }, (_, i) =>
      makeHit({ path: `logs/e2e/${i}`, at: 0, within: i % 2 ? HOUR : 0 }),
    )
    expect(clusterHits(many, RULE)).toHaveLength(1)
  })
})
