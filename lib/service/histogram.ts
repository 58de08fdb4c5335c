import type { RunResult } from '../model/run.ts'
import { dayOf } from '../store/order.ts'
import type { Rollup } from '../store/store.ts'
import { isFailed } from '../triage/failure-finder.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Bars that still tell something side by side. */
const MOST = 200
/** 5 January 1970 was a Monday. */
const UNITS = [
  { unit: 'hour', ms: HOUR, start: 0, upTo: 2 * DAY },
  { unit: 'day', ms: DAY, start: 0, upTo: 120 * DAY },
  { unit: 'week', ms: 7 * DAY, start: 4 * DAY, upTo: Number.POSITIVE_INFINITY },
] as const

/** Runs over a range, by the hour, day or week of UTC. */
export interface Histogram {
  readonly unit: (typeof UNITS)[number]['unit']
  /** From the oldest to the newest without a gap, those at the ends cut to the range. Epoch ms, `to` exclusive. */
  readonly bins: readonly Bin[]
  /** Runs before this moment (epoch ms) were not counted. */
  readonly countedFrom?: number
}

export interface Bin {
  readonly from: number
  readonly to: number
  readonly runs: number
  readonly failedRuns: number
  /** Runs of that time that the job filters leave; absent of hours and of what is cut. */
  readonly of?: number
}

interface Counted {
  readonly runs: readonly { readonly time: number; readonly result: RunResult }[]
  readonly countedFrom?: number | undefined
}

/**
 * The runs counted within a range. A range of more than 200 weeks begins with the oldest run there is, and its newest 200
 * weeks are told.
 */
export function histogramOf(
  { runs, countedFrom }: Counted,
  range: { readonly from: number; readonly to: number },
  rollups: readonly Pick<Rollup, 'day' | 'kind' | 'runs'>[],
): Histogram {
  const any = rollups.filter(({ kind }) => kind === 'any')
  const { from, to } = clipped(range, any)
  const { unit, ms, start } = UNITS.find(({ upTo }) => to - from <= upTo) ?? UNITS[2]
  const indexOf = (time: number) => Math.floor((time - start) / ms)
  const first = Math.max(indexOf(from), indexOf(to - 1) - MOST + 1)
  const byBin = Map.groupBy(runs, ({ time }) => indexOf(time))
  const all = unit === 'hour' ? undefined : Map.groupBy(any, ({ day }) => indexOf(Date.parse(day)))
  const bins = Array.from({ length: indexOf(to - 1) - first + 1 }, (_, i): Bin => {
    const begin = (first + i) * ms + start
    const ofBin = byBin.get(first + i) ?? []
    const bin = { from: Math.max(from, begin), to: Math.min(to, begin + ms) }
    const isCut = bin.to - bin.from < ms
    const of = (all?.get(first + i) ?? []).reduce((sum, rollup) => sum + rollup.runs, 0)
    return {
      ...bin,
      runs: ofBin.length,
      failedRuns: ofBin.filter(({ result }) => isFailed(result)).length,
      ...(all && !isCut ? { of } : {}),
    }
  })
  return { unit, bins, ...(countedFrom === undefined ? {} : { countedFrom }) }
}

/** A range open at an end, or nearly so, is told where there are runs. */
function clipped(
  { from, to }: { readonly from: number; readonly to: number },
  rollups: readonly Pick<Rollup, 'day'>[],
) {
  if (to - from <= MOST * 7 * DAY) return { from, to }
  const days = rollups.map(({ day }) => day).sort()
  const [oldest = dayOf(from), newest = dayOf(from)] = [days[0], days.at(-1)]
  return { from: Math.max(from, Date.parse(oldest)), to: Math.min(to, Date.parse(newest) + DAY) }
}
