import { ascending, descending, flatRollup, group, min, sum } from 'd3-array'
import type { Day } from '../model/run.ts'
import { dayOf } from '../store/order.ts'
import type { FailureCount } from '../store/store.ts'
import type { DiedRun } from './coverage.ts'

/** Failed runs that died of nothing known and failed with lines that are alike. */
export interface Group {
  /** Lasts: made from the folded text alone. */
  readonly id: string
  readonly runs: number
  /** Of every day of the window, in order. */
  readonly days: readonly number[]
  /** The most first. */
  readonly jobs: readonly { readonly job: string; readonly runs: number }[]
}

/** Groups of unexplained failures, the largest first: of all runs that failed with such lines, less those that died of something known. */
export function groupsOf(
  counts: readonly FailureCount[],
  died: ReadonlyMap<string, DiedRun>,
  days: readonly Day[],
): Group[] {
  const keyOf = (row: Pick<FailureCount, 'group' | 'job' | 'day'>) => JSON.stringify([row.group, row.job, row.day])
  const explained = new Map<string, number>()
  for (const { failure, job, time } of died.values()) {
    if (failure === undefined) continue
    const key = keyOf({ group: failure, job, day: dayOf(time) })
    explained.set(key, (explained.get(key) ?? 0) + 1)
  }
  const left = counts
    .map((count) => ({ ...count, runs: count.runs - (explained.get(keyOf(count)) ?? 0) }))
    .filter(({ runs }) => runs > 0)
  const runsOf = (rows: readonly FailureCount[]) => sum(rows, ({ runs }) => runs)
  return [...group(left, ({ group: id }) => id)]
    .map(([id, rows]) => {
      const byDay = new Map(flatRollup(rows, runsOf, ({ day }) => day))
      return {
        id,
        runs: runsOf(rows),
        days: days.map((day) => byDay.get(day) ?? 0),
        jobs: flatRollup(rows, runsOf, ({ job }) => job)
          .map(([job, runs]) => ({ job, runs }))
          .sort((a, b) => descending(a.runs, b.runs) || ascending(a.job, b.job)),
      }
    })
    .sort((a, b) => descending(a.runs, b.runs) || ascending(a.id, b.id))
}

const DAY_MS = 86_400_000
const NEW_DAYS = 7

/**
 * When a group was first seen, and whether that is news: within the last seven days, while lines of other failures are
 * known for as long before that.
 */
export function noveltyOf(
  id: string,
  counts: readonly FailureCount[],
  today: Day,
): { readonly firstSeen: Day; readonly isNew: boolean } | undefined {
  const firstSeen = min(counts.filter(({ group: of }) => of === id).map(({ day }) => day))
  const known = min(counts.map(({ day }) => day))
  if (firstSeen === undefined || known === undefined) return undefined
  const daysBetween = (a: Day, b: Day) => (Date.parse(b) - Date.parse(a)) / DAY_MS
  return { firstSeen, isNew: daysBetween(firstSeen, today) < NEW_DAYS && daysBetween(known, firstSeen) >= NEW_DAYS }
}
