import { type Day, RUN_RESULTS, type RunResult } from '../../model/run.ts'
import { dayOf } from '../order.ts'
import { MAX_TIME, noRuns } from '../record.ts'
import { compareRollups, hourOf } from '../rollup.ts'
import type {
  ExposedRuns,
  ExposureHour,
  FailureCount,
  FailureFilter,
  Problem,
  Rollup,
  RunFilter,
  StoreStatus,
} from '../store.ts'
import type { Database } from './database.ts'
import { countEvidence } from './evidence.ts'
import { and, type Clause, clause, failureClause, runClause } from './filter.ts'
import { isOfLayout, LAYOUT } from './layout.ts'
import type { Opened } from './opened.ts'
import { parsed, type RecordRow } from './runs.ts'

const DAY_MS = 86_400_000
const PROBLEMS_TOLD = 100

/** Whole days come from the rollups, the parts of days at a range's ends from the runs themselves. */
export function listRollups(catalogue: Database, filter: RunFilter): Rollup[] {
  const { days, ends } = parts(filter)
  const rows = [...ends.flatMap((end) => scan(catalogue, end)), ...(days ? wholeDays(catalogue, days) : [])]
  return rows.sort(compareRollups)
}

export function countRuns(catalogue: Database, filter: RunFilter): number {
  const { days, ends } = parts(filter)
  const count = (table: string, { sql, params }: Clause) =>
    catalogue.get<{ value: number }>(`SELECT ${table} WHERE ${sql}`, ...params)?.value ?? 0
  const whole = days ? and([daysClause(days), clause("r.kind = 'any'")]) : undefined
  return (
    (whole ? count('coalesce(sum(r.runs), 0) AS value FROM rollups r', whole) : 0) +
    ends.reduce((sum, end) => sum + count('count(*) AS value FROM runs r', runClause(end)), 0)
  )
}

interface Bounded extends RunFilter {
  readonly from: number
  readonly to: number
}

/** The whole UTC days of a range that rollups tell of, and what is left of it at its ends. */
function parts(filter: RunFilter): { readonly days?: Bounded; readonly ends: readonly Bounded[] } {
  const from = Math.max(0, filter.from ?? 0)
  const to = Math.min(MAX_TIME, filter.to ?? MAX_TIME)
  if (from >= to) return { ends: [] }
  const firstDay = Math.ceil(from / DAY_MS) * DAY_MS
  const lastDay = Math.floor(to / DAY_MS) * DAY_MS
  const single = filter.buildId !== undefined || filter.pull !== undefined
  if (single || firstDay >= lastDay) return { ends: [{ ...filter, from, to }] }
  const ends = [
    { ...filter, from, to: firstDay },
    { ...filter, from: lastDay, to },
  ]
  return { days: { ...filter, from: firstDay, to: lastDay }, ends: ends.filter((end) => end.from < end.to) }
}

function daysClause({ from, to, ...filter }: Bounded): Clause {
  const end = to < MAX_TIME && clause('r.day < ?', dayOf(to))
  return and([clause('r.day >= ?', dayOf(from)), end, runClause(filter)])
}

function wholeDays(catalogue: Database, days: Bounded): Rollup[] {
  const { sql, params } = daysClause(days)
  return plain(
    catalogue.all<Rollup>(
      `SELECT r.job, r.day, r.result, r.kind, sum(r.runs) AS runs, sum(r.bytes) AS bytes FROM rollups r WHERE ${sql}
        GROUP BY r.job, r.day, r.result, r.kind`,
      ...params,
    ),
  )
}

function scan(catalogue: Database, filter: RunFilter): Rollup[] {
  const where: Clause = runClause(filter)
  const day = "date(r.time / 1000, 'unixepoch') AS day"
  return plain(
    catalogue.all<Rollup>(
      `SELECT job, day, result, kind, count(*) AS runs, sum(bytes) AS bytes FROM (
        SELECT r.job, ${day}, r.result, l.kind, sum(l.bytes) AS bytes FROM runs r CROSS JOIN logs l ON l.run = r.id
          WHERE ${where.sql} GROUP BY r.id, l.kind
        UNION ALL SELECT r.job, ${day}, r.result, 'any',
          (SELECT coalesce(sum(l.bytes), 0) FROM logs l WHERE l.run = r.id) FROM runs r WHERE ${where.sql}
      ) GROUP BY job, day, result, kind`,
      ...where.params,
      ...where.params,
    ),
  )
}

export function exposureHours(catalogue: Database, signature: string, from: number, to: number): ExposureHour[] {
  return plain(
    catalogue.all<ExposureHour>(
      'SELECT hour, runs, starts FROM exposure_hours WHERE signature = ? AND hour >= ? AND hour < ? ORDER BY hour',
      signature,
      hourOf(from),
      to,
    ),
  )
}

export function countExposed(catalogue: Database, signature: string, from: Day, to: Day): ExposedRuns[] {
  if (!isOfLayout(catalogue, 3)) return []
  return plain(
    catalogue.all<ExposedRuns>(
      `SELECT job, type, result, cluster, branch, sum(runs) AS runs FROM exposed_runs
        WHERE signature = ? AND day >= ? AND day <= ? GROUP BY job, type, result, cluster, branch`,
      signature,
      from,
      to,
    ),
  )
}

export function countFailures(catalogue: Database, filter: FailureFilter): FailureCount[] {
  if (!isOfLayout(catalogue, 3)) return []
  const { sql, params } = failureClause(filter)
  return plain(
    catalogue.all<FailureCount>(
      `SELECT r.failure AS "group", r.job, date(r.time / 1000, 'unixepoch') AS day, count(*) AS runs FROM runs r
        WHERE r.failure IS NOT NULL AND ${sql} GROUP BY r.failure, r.job, date(r.time / 1000, 'unixepoch')`,
      ...params,
    ),
  )
}

/** Rows of SQLite have no prototype, which a deep comparison minds. */
function plain<T extends object>(rows: readonly T[]): T[] {
  return rows.map((row) => ({ ...row }))
}

export function storeStatus({ catalogue, files, index, evidence }: Opened): StoreStatus {
  const count = (sql: string) => catalogue.get<{ value: number | null }>(`SELECT ${sql} AS value`)?.value ?? undefined
  const sums = catalogue.all<{ result: RunResult; runs: number; logs: number; truncated: number; broken: number }>(
    `SELECT result, sum(runs) AS runs, sum(logs) AS logs, sum(truncated) AS truncated, sum(broken) AS broken
      FROM rollups WHERE kind = 'any' GROUP BY result`,
  )
  const total = (of: 'logs' | 'truncated' | 'broken') => sums.reduce((sum, row) => sum + row[of], 0)
  const runs = noRuns()
  for (const result of RUN_RESULTS) runs[result] = sums.find((row) => row.result === result)?.runs ?? 0
  const oldest = count('(SELECT min(time) FROM runs)')
  const newest = count('(SELECT max(time) FROM runs)')
  return {
    kind: 'embedded',
    layout: LAYOUT,
    runs,
    logs: total('logs'),
    truncatedLogs: total('truncated'),
    brokenLogs: total('broken'),
    hits: count('(SELECT count(*) FROM hits)') ?? 0,
    evidence: countEvidence(evidence.read()),
    rawBytes: count('(SELECT sum(bytes) FROM files)') ?? 0,
    storedBytes: files.size(),
    index: index.status(),
    days: files
      .list()
      .map((file) => file.day)
      .sort()
      .reverse(),
    ...(oldest === undefined || newest === undefined ? {} : { oldest, newest }),
    problems: parsed<Problem>(
      catalogue.all<RecordRow>(`SELECT record FROM problems ORDER BY at DESC, bucket, path LIMIT ${PROBLEMS_TOLD}`),
    ),
    problemCount: count('(SELECT count(*) FROM problems)') ?? 0,
  }
}
