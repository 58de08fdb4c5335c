import type { SQLInputValue } from 'node:sqlite'
import type { Exposure } from '../../model/hit.ts'
import type { Log, Run, RunKey } from '../../model/run.ts'
import { dayOf } from '../order.ts'
import { keptFindings } from '../record.ts'
import { exposedAs, exposureHours, rollupParts } from '../rollup.ts'
import type { RunFindings, RunRecord } from '../store.ts'
import type { Database } from './database.ts'
import { oneOf } from './filter.ts'

/** A log's text in a day file, and how many blocks it has. */
export interface StoredLog {
  readonly text: number
  readonly blocks: number
}

/** Where a version's text is: the day file, and in it the blocks of each log that has some. */
export interface StoredText {
  readonly file: number
  readonly day: string
  readonly texts: ReadonlyMap<string, StoredLog>
}

interface OldRun {
  readonly id: number
  readonly file: number
  readonly record: string
  readonly first_seen: number
}

/** The id and day file of the version that a run had before. */
export function publishedRun(catalogue: Database, { bucket, path }: RunKey) {
  return catalogue.get<OldRun & { readonly day: string }>(
    'SELECT id, file, day, record, first_seen FROM runs WHERE bucket = ? AND path = ?',
    bucket,
    path,
  )
}

/** Puts a run in place of its earlier version, within the caller's transaction. */
export function putRun(catalogue: Database, record: RunRecord, text: StoredText): void {
  const old = publishedRun(catalogue, record.run)
  if (old) retract(catalogue, old)
  const run = writeRun(catalogue, record, text, old)
  for (const log of record.logs) {
    const { name, kind, bytes } = log
    insert(catalogue, 'logs', {
      run,
      name,
      kind,
      bytes,
      text: text.texts.get(name)?.text ?? null,
      blocks: text.texts.get(name)?.blocks ?? null,
      record: JSON.stringify(log),
    })
  }
  insertFindings(catalogue, run, record)
  account(catalogue, record.run, record.logs, record.exposures, text.file, 1)
  catalogue.run('DELETE FROM problems WHERE bucket = ? AND path = ?', record.run.bucket, record.run.path)
  if (record.cursor) putState(catalogue, record.cursor.key, record.cursor.value)
}

/** Puts what the runs' text says of the signatures in place of what it said before; how many runs are still of that version. */
export function replaceFindings(
  catalogue: Database,
  signatures: readonly string[],
  runs: readonly RunFindings[],
): number {
  const known = runs.flatMap((given) => {
    const row = catalogue.get<{ id: number; fingerprint: string; record: string }>(
      'SELECT id, fingerprint, record FROM runs WHERE bucket = ? AND path = ?',
      given.bucket,
      given.path,
    )
    return row?.fingerprint === given.fingerprint ? [{ given, id: row.id, run: JSON.parse(row.record) as Run }] : []
  })
  for (const { given, id, run } of known) {
    removeFindings(catalogue, id, run, signatures)
    insertFindings(catalogue, id, { ...keptFindings(given, run), exposures: given.exposures })
    accountExposures(catalogue, run, given.exposures, 1)
  }
  return known.length
}

function insertFindings(
  catalogue: Database,
  run: number,
  { hits, tracks, exposures }: Pick<RunRecord, 'hits' | 'tracks' | 'exposures'>,
): void {
  for (const hit of hits) {
    const { signature, time, bucket, path, log, line } = hit
    const latest = hit.placed.latest
    insert(catalogue, 'hits', { run, signature, time, bucket, path, log, line, latest, record: JSON.stringify(hit) })
  }
  for (const track of tracks) {
    insert(catalogue, 'tracks', { run, signature: track.signature, record: JSON.stringify(track) })
  }
  for (const exposure of exposures) insert(catalogue, 'exposures', { run, record: JSON.stringify(exposure) })
}

function removeFindings(catalogue: Database, id: number, run: Run, signatures: readonly string[]): void {
  for (const table of ['hits', 'tracks']) {
    const { sql, params } = oneOf('signature', signatures)
    catalogue.run(`DELETE FROM ${table} WHERE run = ? AND ${sql}`, id, ...params)
  }
  const rows = catalogue
    .all<{ id: number; record: string }>('SELECT id, record FROM exposures WHERE run = ?', id)
    .map(({ id, record }) => ({ id, exposure: JSON.parse(record) as Exposure }))
    .filter(({ exposure }) => signatures.includes(exposure.signature))
  for (const { id } of rows) catalogue.run('DELETE FROM exposures WHERE id = ?', id)
  accountExposures(
    catalogue,
    run,
    rows.map(({ exposure }) => exposure),
    -1,
  )
}

export function putState(catalogue: Database, key: string, value: unknown): void {
  if (value === undefined) catalogue.run('DELETE FROM state WHERE key = ?', key)
  else catalogue.run('INSERT OR REPLACE INTO state(key, value) VALUES (?, ?)', key, JSON.stringify(value))
}

function writeRun(catalogue: Database, record: RunRecord, text: StoredText, old: OldRun | undefined): number {
  const { run, fingerprint } = record
  const id = insert(catalogue, 'runs', {
    id: old?.id ?? null,
    bucket: run.bucket,
    path: run.path,
    day: text.day,
    file: text.file,
    time: run.time,
    job: run.job,
    build_id: run.buildId,
    type: run.type,
    result: run.result,
    failure: run.failure?.group ?? null,
    fingerprint,
    first_seen: old?.first_seen ?? record.firstSeen,
    record: JSON.stringify(run),
  })
  for (const number of new Set(run.refs?.pulls.map((pull) => pull.number))) {
    insert(catalogue, 'pulls', { org: run.refs?.org ?? '', repo: run.refs?.repo ?? '', number, run: id })
  }
  return id
}

/** Takes all that a run's version had added out again. */
function retract(catalogue: Database, old: OldRun): void {
  const records = (table: string) =>
    catalogue.all<{ record: string }>(`SELECT record FROM ${table} WHERE run = ?`, old.id).map((row) => row.record)
  const run: Run = JSON.parse(old.record)
  const logs = records('logs').map((record): Log => JSON.parse(record))
  const exposures = records('exposures').map((record): Exposure => JSON.parse(record))
  account(catalogue, run, logs, exposures, old.file, -1)
  for (const table of ['pulls', 'logs', 'hits', 'tracks', 'exposures']) {
    catalogue.run(`DELETE FROM ${table} WHERE run = ?`, old.id)
  }
  catalogue.run('DELETE FROM runs WHERE id = ?', old.id)
}

/** Adds (or, with −1, takes away) a run's share of the rollups, hours watched and bytes of its day file. */
function account(
  catalogue: Database,
  run: Run,
  logs: readonly Log[],
  exposures: readonly Exposure[],
  file: number,
  sign: 1 | -1,
): void {
  const day = dayOf(run.time)
  for (const part of rollupParts(logs)) {
    const key = [day, run.job, run.bucket, run.type, run.result, part.kind]
    const sums = [1, part.logs, part.bytes, part.truncated, part.broken].map((value) => sign * value)
    catalogue.run(ADD_ROLLUP, ...key, ...sums)
    if (sign < 0) catalogue.run(DROP_ROLLUP, ...key)
    if (part.kind === 'any') catalogue.run('UPDATE files SET bytes = bytes + ? WHERE id = ?', sign * part.bytes, file)
  }
  accountExposures(catalogue, run, exposures, sign)
}

function accountExposures(catalogue: Database, run: Run, exposures: readonly Exposure[], sign: 1 | -1): void {
  const { job, type, result, cluster, branch } = exposedAs(run)
  for (const signature of new Set(exposures.map((exposure) => exposure.signature))) {
    const key = [signature, dayOf(run.time), job, type, result, cluster, branch]
    catalogue.run(ADD_EXPOSED, ...key, sign)
    if (sign < 0) catalogue.run(DROP_EXPOSED, ...key)
  }
  for (const exposure of exposures) {
    for (const [i, hour] of exposureHours(exposure).entries()) {
      catalogue.run(ADD_HOUR, exposure.signature, hour, sign, i === 0 ? sign : 0)
      if (sign < 0) catalogue.run(DROP_HOUR, exposure.signature, hour)
    }
  }
}

const ADD_ROLLUP = `INSERT INTO rollups VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
  runs = runs + excluded.runs, logs = logs + excluded.logs, bytes = bytes + excluded.bytes,
  truncated = truncated + excluded.truncated, broken = broken + excluded.broken`
const DROP_ROLLUP = `DELETE FROM rollups WHERE day = ? AND job = ? AND bucket = ? AND type = ? AND result = ? AND kind = ?
  AND runs = 0`
const ADD_HOUR = `INSERT INTO exposure_hours VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET
  runs = runs + excluded.runs, starts = starts + excluded.starts`
const ADD_EXPOSED =
  'INSERT INTO exposed_runs VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET runs = runs + excluded.runs'
const DROP_EXPOSED = `DELETE FROM exposed_runs WHERE signature = ? AND day = ? AND job = ? AND type = ? AND result = ?
  AND cluster = ? AND branch = ? AND runs = 0`
const DROP_HOUR = 'DELETE FROM exposure_hours WHERE signature = ? AND hour = ? AND runs = 0'

function insert(catalogue: Database, table: string, row: Readonly<Record<string, SQLInputValue>>): number {
  const columns = Object.keys(row)
  const sql = `INSERT INTO ${table}(${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
  return catalogue.run(sql, ...Object.values(row))
}
