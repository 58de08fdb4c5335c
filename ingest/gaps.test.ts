import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Gap } from '#lib/model/gap.ts'
import { downGap, fillGaps, openSince, withGaps } from './gaps.ts'

const MINUTE = 60_000
const gap = (from: number, to: number, more: Partial<Gap> = {}): Gap => ({
  from,
  to,
  why: 'discovery',
  detail: 'logs/x/: 503',
  ...more,
})

describe('a time without a pass', () => {
  it.each([
    ['the first pass', undefined, MINUTE, false],
    ['one that was not to follow', 0, undefined, false],
    ['three turns and ten minutes', 100 * MINUTE - 13 * MINUTE, MINUTE, false],
    ['longer', 100 * MINUTE - 14 * MINUTE, MINUTE, true],
  ])('%s', (_, last, every, isGap) => {
    const found = downGap(last, every, 100 * MINUTE)
    expect(found).toEqual(isGap ? expect.objectContaining({ from: last, to: 100 * MINUTE, why: 'down' }) : undefined)
  })
})

describe('gaps', () => {
  it('grow while they are open, and begin anew once they were filled', () => {
    const known = withGaps(withGaps([], [gap(10, 20)]), [gap(15, 30), gap(1, 2, { detail: 'other' })])
    expect(known).toEqual([gap(10, 30), gap(1, 2, { detail: 'other' })])
    const filled = fillGaps(known, [], { from: 0 }, 50)
    expect(filled.map(({ filledAt }) => filledAt)).toEqual([50, 50])
    expect(withGaps(filled, [gap(60, 70)]).at(-1)).toEqual(gap(60, 70))
  })

  it('stay open as far as a pass does not reach back, or still lacks them', () => {
    const down = gap(10, 50, { why: 'down', detail: 'd' })
    expect(fillGaps([down, gap(5, 9), gap(20, 60)], [gap(40, 70)], { from: 30 }, 100)).toEqual([
      { ...down, to: 30 },
      { ...down, from: 30, filledAt: 100 },
      gap(5, 9),
      gap(20, 70),
    ])
  })

  it('are made up for in part by a backfill', () => {
    expect(fillGaps([gap(10, 50)], [], { from: 20, to: 30 }, 100)).toEqual([
      gap(10, 20),
      gap(20, 30, { filledAt: 100 }),
      gap(30, 50),
    ])
    expect(fillGaps([gap(10, 20)], [], { from: 0, to: 10 }, 100)).toEqual([gap(10, 20)])
  })

  it.each<[readonly Gap[], number | undefined]>([
    [[], undefined],
    [[gap(10, 40, { filledAt: 5 })], undefined],
    [[gap(10, 20)], undefined],
    [[gap(10, 40), gap(35, 50)], 30],
    [[gap(35, 50)], 35],
  ])('%j are looked for again since %j', (gaps, since) => {
    expect(openSince(gaps, 30)).toBe(since)
  })

  it('are bounded, those that are open last to go', () => {
    const many = Array.from({ length: 700 }, (_, at) =>
      gap(at, at + 1, { detail: String(at), ...(at % 2 ? { filledAt: 1 } : {}) }),
    )
    const kept = withGaps([], many)
    expect(kept).toHaveLength(500)
    expect(kept.filter(({ filledAt }) => filledAt === undefined)).toHaveLength(350)
  })

  const random = fc.record({
    from: fc.integer({ min: 0, max: 50 }),
    to: fc.integer({ min: 50, max: 100 }),
    why: fc.constantFrom('down' as const, 'discovery' as const),
    detail: fc.constantFrom('a', 'b'),
  })
  const edge = fc.integer({ min: 0, max: 120 })
  it('never lose a moment that is open, however passes fill them', () => {
    fc.assert(
      fc.property(fc.array(random), fc.array(random), edge, edge, (known, remaining, from, to) => {
        const before = withGaps([], known)
        const after = fillGaps(before, remaining, { from, to }, 200)
        const open = (gaps: readonly Gap[], at: number) =>
          gaps.some((each) => each.filledAt === undefined && each.from <= at && at < each.to)
        for (let at = 0; at < 100; at++) {
          if (open(before, at) && (at < from || at >= to)) expect(open(after, at)).toBe(true)
          if (open(remaining, at)) expect(open(after, at)).toBe(true)
        }
      }),
    )
  })
})
