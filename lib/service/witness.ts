import { sum } from 'd3-array'
import type { WitnessShare, WitnessShares } from '../incident/verdict.ts'
import { dayOf } from '../store/order.ts'
import type { ExposedRuns, Store } from '../store/store.ts'

/** Whole UTC days, epoch ms; `to` is exclusive. */
export interface Range {
  readonly from: number
  readonly to: number
}

/** What is compared: days before a change, an incident or lately, and those after it. */
export interface Sides {
  readonly before: Range
  readonly since: Range
}

const ENDED = ['success', 'failure', 'error'] as const

/** None where there is no such day. Times are epoch ms of whole UTC days. */
export async function exposedIn(
  store: Pick<Store, 'exposedRuns'>,
  id: string,
  { from, to }: Range,
): Promise<readonly ExposedRuns[]> {
  return to > from ? await store.exposedRuns(id, dayOf(from), dayOf(to - 1)) : []
}

/** Of the jobs that showed the witness before: their ended runs, and those that showed it. */
export async function witnessShares(
  store: Pick<Store, 'countRuns'>,
  days: Sides,
  before: readonly ExposedRuns[],
  since: readonly ExposedRuns[],
): Promise<WitnessShares> {
  const jobs = [...new Set(before.map(({ job }) => job))]
  const share = async (range: Range, exposed: readonly ExposedRuns[]): Promise<WitnessShare> => {
    if (jobs.length === 0 || range.to <= range.from) return { shown: 0, runs: 0 }
    const runs = await store.countRuns({ ...range, jobs, results: ENDED })
    const shown = exposed.filter(({ job, result }) => jobs.includes(job) && ENDED.some((ended) => ended === result))
    return { shown: sum(shown, (row) => row.runs), runs }
  }
  const [earlier, later] = await Promise.all([share(days.before, before), share(days.since, since)])
  return { before: earlier, since: later }
}
