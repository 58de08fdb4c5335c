import type { Hit, Track } from '../../model/hit.ts'
import type { Incident } from '../../model/incident.ts'
import type { RunKey } from '../../model/run.ts'
import { cutPage } from '../record.ts'
import type { HitCount, HitFilter, OrderKey, Page, Paged, Store } from '../store.ts'
import type { Database } from './database.ts'
import { afterRun, and, type Clause, clause, runClause } from './filter.ts'
import { pageRows } from './page-rows.ts'
import { parsed, type RecordRow } from './runs.ts'

interface HitRow extends RecordRow {
  readonly time: number
  readonly bucket: string
  readonly path: string
  readonly log: string
  readonly line: number
}

export function listHits(catalogue: Database, filter: HitFilter, page: Page): Paged<Hit> {
  const { sql, params } = and([hitClause(filter), afterHit(page.after)])
  const limit = Math.max(1, page.limit)
  const fetch = (count: number) =>
    catalogue.all<HitRow>(
      `SELECT h.record, h.time, h.bucket, h.path, h.log, h.line FROM hits h CROSS JOIN runs r ON r.id = h.run
        WHERE ${sql} ORDER BY h.time DESC, h.bucket, h.path, h.log, h.line, h.signature, h.id LIMIT ?`,
      ...params,
      count,
    )
  const rows = pageRows(limit, fetch, (a, b) => {
    return a.line === b.line && a.log === b.log && a.path === b.path && a.bucket === b.bucket
  })
  const { items, next } = cutPage(rows, limit, ({ record: _, ...key }): OrderKey => key)
  return { items: parsed<Hit>(items), ...(next ? { next } : {}) }
}

export function countHits(catalogue: Database, filter: HitFilter): HitCount[] {
  const { sql, params } = hitClause(filter)
  return catalogue
    .all<HitCount>(
      `SELECT h.signature, count(*) AS hits, count(DISTINCT h.run) AS runs, max(h.latest) AS last
        FROM hits h CROSS JOIN runs r ON r.id = h.run WHERE ${sql} GROUP BY h.signature ORDER BY h.signature`,
      ...params,
    )
    .map((row) => ({ ...row }))
}

/** A hit's time is its run's; the copy beside it has the index. */
function hitClause({ signature, from, to, ...filter }: HitFilter): Clause {
  return and([
    signature !== undefined && clause('h.signature = ?', signature),
    from !== undefined && clause('h.time >= ?', from),
    to !== undefined && clause('h.time < ?', to),
    runClause(filter),
  ])
}

function afterHit(after: OrderKey | undefined): Clause {
  if (after?.log === undefined) return afterRun(after, 'h')
  const { time, bucket, path, log, line } = after
  return line === undefined
    ? clause(`${BEFORE} (h.bucket, h.path, h.log) > (?, ?, ?))`, time, time, bucket, path, log)
    : clause(`${BEFORE} (h.bucket, h.path, h.log, h.line) > (?, ?, ?, ?))`, time, time, bucket, path, log, line)
}

const BEFORE = 'h.time <= ? AND (h.time < ? OR'

export function findTracks(catalogue: Database, signature: string, runs: readonly RunKey[]): Track[] {
  return runs.flatMap((run) =>
    parsed<Track>(
      catalogue.all(
        `SELECT t.record FROM runs r CROSS JOIN tracks t ON t.run = r.id
          WHERE r.bucket = ? AND r.path = ? AND t.signature = ? ORDER BY t.id`,
        run.bucket,
        run.path,
        signature,
      ),
    ),
  )
}

export function putIncidents(catalogue: Database, signature: string, incidents: readonly Incident[]): void {
  catalogue.transaction(() => {
    for (const table of ['incidents', 'incident_names']) {
      catalogue.run(`DELETE FROM ${table} WHERE signature = ?`, signature)
    }
    for (const incident of incidents) {
      const { id, at, aliases } = incident
      catalogue.run('INSERT INTO incidents VALUES (?, ?, ?, ?)', signature, id, at, JSON.stringify(incident))
      for (const name of new Set([id, ...aliases])) {
        catalogue.run('INSERT INTO incident_names VALUES (?, ?, ?)', name, signature, id)
      }
    }
  })
}

export function listIncidents(catalogue: Database, filter: Parameters<Store['incidents']>[0]): Incident[] {
  const { signature, id, from, to } = filter
  const { sql, params } = and([
    signature !== undefined && clause('signature = ?', signature),
    id !== undefined && clause('(signature, id) IN (SELECT signature, id FROM incident_names WHERE name = ?)', id),
    from !== undefined && clause('at >= ?', from),
    to !== undefined && clause('at < ?', to),
  ])
  return parsed<Incident>(
    catalogue.all(`SELECT record FROM incidents WHERE ${sql} ORDER BY at DESC, id, signature`, ...params),
  )
}
