import type { SQLInputValue } from 'node:sqlite'
import type { Exposure } from '../../model/hit.ts'
import type { Log, Run, RunKey } from '../../model/run.ts'
import { keptFindings } from '../record.ts'
import type { RunFindings, RunRecord } from '../store.ts'
import type { Database } from './database.ts'
import { oneOf } from './filter.ts'
import { addShares, bytesOf, exposureShares, sharesOf } from './sums.ts'

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
    addShares(catalogue, exposureShares(run, given.exposures), 1)
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
  const removed = rows.map(({ exposure }) => exposure)
  addShares(catalogue, exposureShares(run, removed), -1)
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

/** Adds (or, with −1, takes away) a run's shares of all sums, and its bytes of its day file's. */
function account(
  catalogue: Database,
  run: Run,
  logs: readonly Log[],
  exposures: readonly Exposure[],
  file: number,
  sign: 1 | -1,
): void {
  addShares(catalogue, sharesOf(run, logs, exposures), sign)
  catalogue.run('UPDATE files SET bytes = bytes + ? WHERE id = ?', sign * bytesOf(logs), file)
}

function insert(catalogue: Database, table: string, row: Readonly<Record<string, SQLInputValue>>): number {
  const columns = Object.keys(row)
  const sql = `INSERT INTO ${table}(${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
  return catalogue.run(sql, ...Object.values(row))
}
