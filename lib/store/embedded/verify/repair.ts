import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { RunKey } from '../../../model/run.ts'
import { unread } from '../../record.ts'
import type { Database } from '../database.ts'
import { DAYS_DIRECTORY } from '../day-files.ts'
import { openEmbedded } from '../embedded-store.ts'
import { removeSegment } from '../grams/segments.ts'
import { CATALOGUE_FILE, openForReading, openForWriting } from '../layout.ts'
import { SUMS } from '../sums.ts'
import { lockDirectory } from '../writer-lock.ts'
import { OF_RUNS, sumsOf } from './catalogue.ts'
import type { Fault, FaultCode } from './fault.ts'

interface Repair {
  readonly dataDir: string
  readonly catalogue: Database
  /** Epoch ms. */
  readonly now: number
}

/** What is done about faults of each kind, all of a file at once. */
const REPAIRS: Partial<Record<FaultCode, (repair: Repair, file: string, faults: readonly Fault[]) => void>> = {
  FILE_DAMAGED: mendFile,
  FILE_MISSING: strikeOff,
  TEXT_MISSING: (repair, _, faults) => markAll(repair, faults),
  BLOCK_DAMAGED: (repair, _, faults) => markAll(repair, faults),
  INDEX_DAMAGED: dropSegments,
  SUM_WRONG: ({ catalogue }) => writeSums(catalogue),
  ROW_LOST: ({ catalogue }) => {
    for (const table of OF_RUNS) catalogue.run(`DELETE FROM ${table} WHERE run NOT IN (SELECT id FROM runs)`)
  },
  HIT_DOUBLED: ({ catalogue }) => {
    catalogue.run('DELETE FROM hits WHERE id NOT IN (SELECT min(id) FROM hits GROUP BY run, record)')
  },
}

/**
 * Mends what can be mended, as the directory's one writer; gives how many faults that was tried for. Text comes back as
 * the worker reads its runs again. Throws DATA_DIR_LOCKED, and touches nothing, while a worker holds the directory.
 */
export async function repairDirectory(dataDir: string, faults: readonly Fault[], now: number): Promise<void> {
  const lock = lockDirectory(dataDir)
  try {
    const isLost = faults.some(({ code, file }) => code === 'FILE_DAMAGED' && file === CATALOGUE_FILE)
    if (isLost && !mended(join(dataDir, CATALOGUE_FILE), 'catalogue')) return
    const catalogue = openForWriting(join(dataDir, CATALOGUE_FILE), 'catalogue')
    try {
      // Sums last: what is mended before may change them.
      for (const code of Object.keys(REPAIRS).sort(sumsLast) as FaultCode[])
        for (const [file, own] of Map.groupBy(
          faults.filter((fault) => fault.code === code),
          (fault) => fault.file,
        ))
          REPAIRS[code]?.({ dataDir, catalogue, now }, file, own)
    } finally {
      catalogue.close()
    }
  } finally {
    lock.close()
  }
  await indexAnew(dataDir)
}

function sumsLast(a: string, b: string): number {
  return Number(a === 'SUM_WRONG') - Number(b === 'SUM_WRONG')
}

function mendFile(repair: Repair, file: string): void {
  if (!file.startsWith(DAYS_DIRECTORY)) return
  if (!mended(join(repair.dataDir, file), 'day')) strikeOff(repair, file)
}

/** Makes indices anew; whether SQLite finds nothing else. */
function mended(path: string, kind: 'catalogue' | 'day'): boolean {
  try {
    if (!openForReading(path)) return false
    const db = openForWriting(path, kind)
    try {
      db.exec('REINDEX')
      return db.get<{ integrity_check: string }>('PRAGMA integrity_check(1)')?.integrity_check === 'ok'
    } finally {
      db.close()
    }
  } catch {
    return false
  }
}

/** A day file that is no more, or is put aside as it is; its runs are read again into another one. */
function strikeOff({ dataDir, catalogue, now }: Repair, file: string): void {
  const row = catalogue.get<{ id: number }>(`SELECT id FROM files WHERE '${DAYS_DIRECTORY}/' || name = ?`, file)
  if (!row) return
  const runs = catalogue.all<RunKey>('SELECT bucket, path FROM runs WHERE file = ?', row.id)
  catalogue.transaction(() => {
    for (const run of runs) mark(catalogue, run, `${file} is lost`, now)
    catalogue.run('DELETE FROM files WHERE id = ?', row.id)
  })
  const path = join(dataDir, file)
  for (const suffix of ['', '-wal', '-shm'])
    if (existsSync(path + suffix)) renameSync(path + suffix, `${path}.damaged${suffix}`)
}

function markAll({ catalogue, now }: Repair, faults: readonly Fault[]): void {
  catalogue.transaction(() => {
    for (const { run, detail } of faults) if (run) mark(catalogue, run, detail, now)
  })
}

/** No look at a bucket gives such a fingerprint, and a problem of this code has the run looked for wherever it is. */
function mark(catalogue: Database, { bucket, path }: RunKey, message: string, at: number): void {
  const row = catalogue.get<{ fingerprint: string }>(
    'SELECT fingerprint FROM runs WHERE bucket = ? AND path = ?',
    bucket,
    path,
  )
  if (!row) return
  catalogue.run('UPDATE runs SET fingerprint = ? WHERE bucket = ? AND path = ?', unread(row.fingerprint), bucket, path)
  const problem = JSON.stringify({ bucket, path, code: 'STORE_CORRUPT', message, at })
  catalogue.run('INSERT OR REPLACE INTO problems VALUES (?, ?, ?, ?)', bucket, path, at, problem)
}

function dropSegments({ dataDir }: Repair, file: string, faults: readonly Fault[]): void {
  const db = openForWriting(join(dataDir, file), 'day')
  try {
    db.transaction(() => {
      for (const { segment } of faults) if (segment !== undefined) removeSegment(db, segment)
    })
  } finally {
    db.close()
  }
}

function writeSums(catalogue: Database): void {
  catalogue.transaction(() => {
    const { tables, fileBytes } = sumsOf(catalogue, () => {})
    for (const [table, sums] of tables) {
      const { key, values } = SUMS[table]
      catalogue.run(`DELETE FROM ${table}`)
      const columns = [...key, ...values]
      const sql = `INSERT INTO ${table}(${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
      for (const [name, numbers] of sums) catalogue.run(sql, ...JSON.parse(name), ...numbers)
    }
    for (const { id } of catalogue.all<{ id: number }>('SELECT id FROM files'))
      catalogue.run('UPDATE files SET bytes = ? WHERE id = ?', fileBytes.get(id) ?? 0, id)
  })
}

/** As the worker does between its passes, until nothing is left that can be. */
async function indexAnew(dataDir: string): Promise<void> {
  const store = openEmbedded({ dataDir, mode: 'write' })
  try {
    for (let before = -1; ; ) {
      await store.maintain()
      const { indexed } = (await store.status()).index
      if (indexed <= before) return
      before = indexed
    }
  } finally {
    await store.close()
  }
}
