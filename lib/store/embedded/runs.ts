import type { Exposure, Hit, Track } from '../../model/hit.ts'
import type { Log, Run, RunKey, RunResult } from '../../model/run.ts'
import { cutPage, runOrder } from '../record.ts'
import type { FailureFilter, Page, Paged, RunStamp, StoredRun } from '../store.ts'
import type { Database } from './database.ts'
import { afterRun, and, failureClause, runClause } from './filter.ts'
import { isOfLayout } from './layout.ts'

export interface RecordRow {
  readonly record: string
}

export function findStamps(catalogue: Database, bucket: string, paths: readonly string[]): RunStamp[] {
  return catalogue
    .all<{ path: string; result: RunResult; fingerprint: string; time: number; first_seen: number }>(
      `SELECT r.path, r.result, r.fingerprint, r.time, r.first_seen FROM json_each(?) p
        CROSS JOIN runs r ON r.bucket = ? AND r.path = p.value`,
      JSON.stringify([...new Set(paths)]),
      bucket,
    )
    .map(({ first_seen: firstSeen, ...stamp }) => ({ ...stamp, firstSeen }))
}

export function findRun(catalogue: Database, key: RunKey): StoredRun | undefined {
  const row = catalogue.get<RecordRow & { id: number; fingerprint: string; first_seen: number; expired: number }>(
    `SELECT id, record, fingerprint, first_seen, file NOT IN (SELECT id FROM files) AS expired
      FROM runs WHERE bucket = ? AND path = ?`,
    key.bucket,
    key.path,
  )
  if (!row) return undefined
  return {
    run: JSON.parse(row.record),
    fingerprint: row.fingerprint,
    firstSeen: row.first_seen,
    logs: parsed<Log>(catalogue.all('SELECT record FROM logs WHERE run = ? ORDER BY name', row.id)),
    hits: parsed<Hit>(catalogue.all('SELECT record FROM hits WHERE run = ? ORDER BY id', row.id)),
    tracks: parsed<Track>(catalogue.all('SELECT record FROM tracks WHERE run = ? ORDER BY id', row.id)),
    exposures: parsed<Exposure>(catalogue.all('SELECT record FROM exposures WHERE run = ? ORDER BY id', row.id)),
    expired: row.expired === 1,
  }
}

export function findRuns(catalogue: Database, keys: readonly RunKey[]): Run[] {
  const rows = catalogue.all<RecordRow>(
    `SELECT DISTINCT r.id, r.record FROM json_each(?) k
      CROSS JOIN runs r ON r.bucket = k.value ->> 0 AND r.path = k.value ->> 1`,
    JSON.stringify(keys.map(({ bucket, path }) => [bucket, path])),
  )
  return parsed<Run>(rows)
}

export function listRuns(catalogue: Database, { failures, ...filter }: FailureFilter, page: Page): Paged<Run> {
  if (failures && !isOfLayout(catalogue, 3)) return { items: [] }
  const wanted = failures ? failureClause({ failures, ...filter }) : runClause(filter)
  const { sql, params } = and([wanted, afterRun(page.after, 'r')])
  const limit = Math.max(1, page.limit)
  const rows = catalogue.all<RecordRow>(
    `SELECT r.record FROM runs r WHERE ${sql} ORDER BY r.time DESC, r.bucket, r.path LIMIT ?`,
    ...params,
    limit + 1,
  )
  return cutPage(parsed<Run>(rows), limit, runOrder)
}

/** Steps from each name to the next, however many runs have it. */
export function listJobs(catalogue: Database): string[] {
  return catalogue
    .all<{ job: string }>(
      `WITH RECURSIVE names(job) AS (SELECT min(job) FROM runs
        UNION ALL SELECT (SELECT min(r.job) FROM runs r WHERE r.job > names.job) FROM names WHERE names.job IS NOT NULL)
        SELECT job FROM names WHERE job IS NOT NULL`,
    )
    .map((row) => row.job)
}

export function parsed<T>(rows: readonly RecordRow[]): T[] {
  return rows.map((row): T => JSON.parse(row.record))
}
