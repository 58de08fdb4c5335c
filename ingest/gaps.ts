import type { Gap } from '#lib/model/gap.ts'

/** Kept of a bucket; the oldest of those made up for go first. */
const MAX_GAPS = 500
const LATE_PASSES = 3
const LATE_MS = 600_000
const DOWN = 'no pass of the worker ended'

/** The time without a pass that ends now, of a bucket that is to be followed; undefined where passes were in time. */
export function downGap(lastPassEnd: number | undefined, everyMs: number | undefined, now: number): Gap | undefined {
  if (lastPassEnd === undefined || everyMs === undefined) return undefined
  if (now - lastPassEnd <= LATE_PASSES * everyMs + LATE_MS) return undefined
  return { from: lastPassEnd, to: now, why: 'down', detail: DOWN }
}

/** Adds gaps to those known: one that is still open grows by what overlaps it. */
export function withGaps(known: readonly Gap[], found: readonly Gap[]): Gap[] {
  const gaps = [...known]
  for (const gap of found) {
    const at = gaps.findIndex((other) => other.filledAt === undefined && isSame(other, gap) && overlap(other, gap))
    const other = gaps[at]
    if (other) gaps[at] = { ...other, from: Math.min(other.from, gap.from), to: Math.max(other.to, gap.to) }
    else gaps.push(gap)
  }
  return bounded(gaps)
}

/** Epoch ms; `to` absent: until now. */
export interface Period {
  readonly from: number
  readonly to?: number | undefined
}

/**
 * After a pass that looked for all runs of a period and lacks `remaining`: what lies in that period of all other gaps is
 * made up for. The rest of them stays open.
 */
export function fillGaps(known: readonly Gap[], remaining: readonly Gap[], period: Period, at: number): Gap[] {
  const { from, to = Number.POSITIVE_INFINITY } = period
  const gaps = known.flatMap((gap): Gap[] => {
    const isOut = gap.to <= from || gap.from >= to
    if (isOut || gap.filledAt !== undefined || remaining.some((other) => isSame(other, gap))) return [gap]
    const before = gap.from < from ? [{ ...gap, to: from }] : []
    const after = gap.to > to ? [{ ...gap, from: to }] : []
    return [...before, { ...gap, from: Math.max(gap.from, from), to: Math.min(gap.to, to), filledAt: at }, ...after]
  })
  return withGaps(gaps, remaining)
}

/** Since when runs have to be looked for again, so that open gaps in reach are made up for. */
export function openSince(gaps: readonly Gap[], reach: number): number | undefined {
  const starts = gaps.filter((gap) => gap.filledAt === undefined && gap.to > reach).map((gap) => gap.from)
  return starts.length === 0 ? undefined : Math.max(reach, Math.min(...starts))
}

function overlap(a: Gap, b: Gap): boolean {
  return a.from <= b.to && b.from <= a.to
}

function isSame(a: Gap, b: Gap): boolean {
  return a.why === b.why && a.detail === b.detail
}

function bounded(gaps: readonly Gap[]): Gap[] {
  const over = gaps.length - MAX_GAPS
  if (over <= 0) return [...gaps]
  const oldest = gaps
    .filter((gap) => gap.filledAt !== undefined)
    .sort((a, b) => a.to - b.to)
    .slice(0, over)
  const rest = gaps.filter((gap) => !oldest.includes(gap))
  return rest.slice(Math.max(0, rest.length - MAX_GAPS))
}
