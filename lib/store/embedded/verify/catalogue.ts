import type { Exposure, Hit, Track } from '../../../model/hit.ts'
import type { Log, Run } from '../../../model/run.ts'
import type { Database } from '../database.ts'
import { CATALOGUE_FILE, isOfLayout } from '../layout.ts'
import { bytesOf, SUMS, type SumTable, sharesOf } from '../sums.ts'
import { type Findings, parsed } from './findings.ts'

const RUNS_AT_ONCE = 500
/** Tables of rows that belong to a run. */
export const OF_RUNS = ['pulls', 'logs', 'hits', 'tracks', 'exposures'] as const

interface RunRow {
  readonly id: number
  readonly bucket: string
  readonly path: string
  readonly file: number
  readonly time: number
  readonly job: string
  readonly build_id: string
  readonly type: string
  readonly result: string
  readonly record: string
}

interface PartRow {
  readonly run: number
  readonly record: string
  /** What the row is found by, as the record must say it too. */
  readonly told: string
}

/** What the sums would be, worked out from the runs: by table (`files` for bytes), by key as JSON. */
export interface Sums {
  readonly tables: ReadonlyMap<SumTable, ReadonlyMap<string, readonly number[]>>
  readonly fileBytes: ReadonlyMap<number, number>
}

/** Rows against their records, and sums against the rows: all of one moment. */
export async function verifyCatalogue(catalogue: Database, findings: Findings): Promise<void> {
  catalogue.snapshot(() => {
    const damaged = (detail: string) => findings.fault({ code: 'ROW_DAMAGED', file: CATALOGUE_FILE, detail })
    const sums = sumsOf(catalogue, damaged, findings)
    for (const [table, wrong] of wrongSums(catalogue, sums))
      findings.fault({
        code: 'SUM_WRONG',
        file: CATALOGUE_FILE,
        detail: `${table}: ${wrong} rows are not what runs add up to`,
      })
    for (const [table, lost] of lostRows(catalogue))
      findings.fault({ code: 'ROW_LOST', file: CATALOGUE_FILE, detail: `${table}: ${lost} rows are of no run` })
    const doubled = catalogue.get<{ n: number }>(
      'SELECT coalesce(sum(n - 1), 0) AS n FROM (SELECT count(*) AS n FROM hits GROUP BY run, record HAVING count(*) > 1)',
    )?.n
    if (doubled)
      findings.fault({ code: 'HIT_DOUBLED', file: CATALOGUE_FILE, detail: `${doubled} hits are there twice` })
  })
}

/** Goes through all runs; `damaged` is told of rows that are not what their records say. */
export function sumsOf(catalogue: Database, damaged: (detail: string) => void, findings?: Findings): Sums {
  const tables = new Map(Object.keys(SUMS).map((table) => [table as SumTable, new Map<string, number[]>()]))
  const fileBytes = new Map<number, number>()
  for (let after = 0; ; ) {
    const runs = catalogue.all<RunRow>(
      `SELECT id, bucket, path, file, time, job, build_id, type, result, record FROM runs WHERE id > ? ORDER BY id LIMIT ${RUNS_AT_ONCE}`,
      after,
    )
    const last = runs.at(-1)
    if (!last) return { tables, fileBytes }
    const parts = partsOf(catalogue, after + 1, last.id, damaged)
    for (const row of runs) {
      const run = checkedRun(row, damaged)
      if (!run) continue
      const { logs = [], exposures = [], hits = [] } = parts.get(row.id) ?? {}
      findings?.count('runs')
      findings?.count('hits', hits.length)
      fileBytes.set(row.file, (fileBytes.get(row.file) ?? 0) + bytesOf(logs))
      for (const { table, key, values } of sharesOf(run, logs, exposures)) {
        const sums = tables.get(table)
        const name = JSON.stringify(key)
        const before = sums?.get(name)
        sums?.set(name, before ? before.map((value, i) => value + (values[i] ?? 0)) : [...values])
      }
    }
    after = last.id
  }
}

interface Parts {
  logs: Log[]
  exposures: Exposure[]
  hits: Hit[]
  tracks: Track[]
}

/** What rows are found by, beside their records. */
const TOLD: Readonly<Record<keyof Parts, { readonly columns: string; readonly of: (record: never) => unknown[] }>> = {
  logs: { columns: 'name, kind, bytes', of: ({ name, kind, bytes }: Log) => [name, kind, bytes] },
  exposures: { columns: '', of: () => [] },
  hits: {
    columns: 'signature, time, bucket, path, log, line',
    of: ({ signature, time, bucket, path, log, line }: Hit) => [signature, time, bucket, path, log, line],
  },
  tracks: { columns: 'signature', of: ({ signature }: Track) => [signature] },
}

/** By run, of runs with ids `from` to `to`. */
function partsOf(catalogue: Database, from: number, to: number, damaged: (detail: string) => void): Map<number, Parts> {
  const byRun = new Map<number, Parts>()
  for (const [table, { columns, of }] of Object.entries(TOLD)) {
    const rows = catalogue.all<PartRow>(
      `SELECT run, record, json_array(${columns}) AS told FROM ${table} WHERE run BETWEEN ? AND ?`,
      from,
      to,
    )
    for (const { run, record, told } of rows) {
      const part = parsed<never>(record)
      const parts = byRun.get(run) ?? { logs: [], exposures: [], hits: [], tracks: [] }
      byRun.set(run, parts)
      if (part && JSON.stringify(of(part)) === JSON.stringify(JSON.parse(told))) parts[table as keyof Parts].push(part)
      else damaged(`${table}: a row of run ${run} is not what its record says`)
    }
  }
  return byRun
}

function checkedRun(row: RunRow, damaged: (detail: string) => void): Run | undefined {
  const run = parsed<Run>(row.record)
  const columns = [row.bucket, row.path, row.time, row.job, row.build_id, row.type, row.result]
  const told = run && [run.bucket, run.path, run.time, run.job, run.buildId, run.type, run.result]
  if (JSON.stringify(columns) === JSON.stringify(told)) return run
  damaged(`runs: the row of ${row.path} in ${row.bucket} is not what its record says`)
  return undefined
}

/** How many rows of each table are other than they should be, where some are. */
function wrongSums(catalogue: Database, { tables, fileBytes }: Sums): [string, number][] {
  const wrong: [string, number][] = []
  for (const [table, sums] of tables) {
    if (table === 'exposed_runs' && !isOfLayout(catalogue, 3)) continue
    const { key, values } = SUMS[table]
    const rows = catalogue.all<{ key: string; sums: string }>(
      `SELECT json_array(${key.join(', ')}) AS key, json_array(${values.join(', ')}) AS sums FROM ${table}`,
    )
    const equal = rows.filter((row) => {
      return JSON.stringify(sums.get(JSON.stringify(JSON.parse(row.key)))) === row.sums
    }).length
    const differing = rows.length - equal + (sums.size - equal)
    if (differing > 0) wrong.push([table, differing])
  }
  const files = catalogue.all<{ id: number; bytes: number }>('SELECT id, bytes FROM files')
  const other = files.filter(({ id, bytes }) => bytes !== (fileBytes.get(id) ?? 0)).length
  return other > 0 ? [...wrong, ['files', other]] : wrong
}

function lostRows(catalogue: Database): [string, number][] {
  return OF_RUNS.flatMap((table): [string, number][] => {
    const sql = `SELECT count(*) AS n FROM ${table} WHERE run NOT IN (SELECT id FROM runs)`
    const lost = catalogue.get<{ n: number }>(sql)?.n ?? 0
    return lost > 0 ? [[table, lost]] : []
  })
}
