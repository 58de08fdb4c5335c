import type { SQLInputValue } from 'node:sqlite'
import type { FailureFilter, OrderKey, RunFilter } from '../store.ts'

/** Conditions that hold together, with the values of their `?`. */
export interface Clause {
  readonly sql: string
  readonly params: readonly SQLInputValue[]
}

/** The runs `r` of a filter. */
export function runClause(filter: RunFilter): Clause {
  const { pull } = filter
  return and([
    filter.from !== undefined && clause('r.time >= ?', filter.from),
    filter.to !== undefined && clause('r.time < ?', filter.to),
    filter.bucket !== undefined && clause('r.bucket = ?', filter.bucket),
    filter.buildId !== undefined && clause('r.build_id = ?', filter.buildId),
    filter.jobs && oneOf('r.job', filter.jobs),
    filter.results && oneOf('r.result', filter.results),
    filter.types && oneOf('r.type', filter.types),
    pull &&
      clause(
        'r.id IN (SELECT run FROM pulls WHERE org = ? AND repo = ? AND number = ?)',
        pull.org,
        pull.repo,
        pull.number,
      ),
  ])
}

/** The runs `r` of a filter, in a catalogue of layout 3. */
export function failureClause({ failures, ...filter }: FailureFilter): Clause {
  return and([runClause(filter), failures && oneOf('r.failure', failures)])
}

/** One text whatever the list's length keeps the statement prepared. */
export function oneOf(column: string, values: readonly string[]): Clause {
  const [only] = values
  return values.length === 1 && only !== undefined
    ? clause(`${column} = ?`, only)
    : clause(`${column} IN (SELECT value FROM json_each(?))`, JSON.stringify(values))
}

/**
 * What comes after the key in the total order; the first condition alone bounds the index's range. A run's own key stands
 * for its end, so it comes after one that is amid its logs.
 */
export function afterRun(after: OrderKey | undefined, table: 'r' | 'h' | 'p'): Clause {
  if (!after) return and([])
  const compare = after.log === undefined ? '>' : '>='
  return clause(
    `${table}.time <= ? AND (${table}.time < ? OR (${table}.bucket, ${table}.path) ${compare} (?, ?))`,
    after.time,
    after.time,
    after.bucket,
    after.path,
  )
}

export function clause(sql: string, ...params: SQLInputValue[]): Clause {
  return { sql, params }
}

export function and(clauses: readonly (Clause | false | undefined)[]): Clause {
  const given = clauses.filter((each) => each !== false && each !== undefined)
  return {
    sql: given.map((each) => `(${each.sql})`).join(' AND ') || 'TRUE',
    params: given.flatMap((each) => each.params),
  }
}
