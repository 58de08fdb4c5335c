import { cutPage, problemKey } from '../record.ts'
import type { Page, Paged, Problem, State } from '../store.ts'
import type { Database } from './database.ts'
import { afterRun } from './filter.ts'
import { parsed, type RecordRow } from './runs.ts'

export function listStates(catalogue: Database): State[] {
  return catalogue
    .all<{ key: string; value: string }>('SELECT key, value FROM state ORDER BY key')
    .map(({ key, value }) => ({ key, value: JSON.parse(value) }))
}

export function listProblems(catalogue: Database, page: Page): Paged<Problem> {
  const limit = Math.max(1, page.limit)
  const { sql, params } = afterRun(page.after, 'p')
  const rows = catalogue.all<RecordRow>(
    `SELECT p.record FROM (SELECT *, at AS time FROM problems) p WHERE ${sql}
      ORDER BY p.time DESC, p.bucket, p.path LIMIT ?`,
    ...params,
    limit + 1,
  )
  return cutPage(parsed<Problem>(rows), limit, problemKey)
}
