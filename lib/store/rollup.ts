import type { Exposure } from '../model/hit.ts'
import type { Log, Run } from '../model/run.ts'
import { compareBytes } from './order.ts'
import type { ExposedRuns, Rollup } from './store.ts'

const HOUR_MS = 3_600_000
/** A run watched longer than this counts as watched this long: a broken record must not fill years of hours. */
const MAX_EXPOSURE_HOURS = 31 * 24

/** What one run adds to the rollups of its job and day. */
export interface RollupPart {
  readonly kind: Rollup['kind']
  readonly logs: number
  readonly bytes: number
  readonly truncated: number
  readonly broken: number
}

/** One part a kind of log that the run has, and `any` for all of them. */
export function rollupParts(logs: readonly Log[]): RollupPart[] {
  const kinds = [...new Set(logs.map((log) => log.kind))]
  return [
    part('any', logs),
    ...kinds.map((kind) =>
      part(
        kind,
        logs.filter((log) => log.kind === kind),
      ),
    ),
  ]
}

function part(kind: Rollup['kind'], logs: readonly Log[]): RollupPart {
  return {
    kind,
    logs: logs.length,
    bytes: logs.reduce((sum, log) => sum + log.bytes, 0),
    truncated: logs.filter((log) => log.truncatedFrom !== undefined).length,
    broken: logs.filter((log) => log.broken !== undefined).length,
  }
}

/** The hours (epoch ms of their starts) that an exposure touches; `to` is exclusive, and one of no length touches its hour. */
export function exposureHours({ from, to }: Pick<Exposure, 'from' | 'to'>): number[] {
  const first = hourOf(from)
  const last = Math.max(first, hourOf(to - 1))
  const count = Math.min(MAX_EXPOSURE_HOURS, (last - first) / HOUR_MS + 1)
  return Array.from({ length: count }, (_, i) => first + i * HOUR_MS)
}

/** What a run is, as exposed runs are counted by. */
export function exposedAs({ job, type, result, cluster = '', refs }: Run): Omit<ExposedRuns, 'runs'> {
  return { job, type, result, cluster, branch: refs?.baseRef ?? '' }
}

/** Epoch ms of the start of the hour. */
export function hourOf(time: number): number {
  return Math.floor(time / HOUR_MS) * HOUR_MS
}

/** By job, day, result and kind: the order in which rollups are told. */
export function compareRollups(a: Rollup, b: Rollup): number {
  return (
    compareBytes(a.job, b.job) ||
    compareBytes(a.day, b.day) ||
    compareBytes(a.result, b.result) ||
    compareBytes(a.kind, b.kind)
  )
}
