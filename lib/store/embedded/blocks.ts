import { ProwlError } from '../../errors.ts'
import type { BlockRef, Candidate, ListedBlock } from '../../model/block.ts'
import type { RunKey } from '../../model/run.ts'
import { type BytesRow, unpack } from '../packed.ts'
import type { Database } from './database.ts'
import type { DayFiles } from './day-files.ts'
import { type BlockRow, candidate, TEXT_COLUMNS, type TextRow } from './rows.ts'

const RETRIES = 5

export function blocksOfLog(catalogue: Database, files: DayFiles, key: RunKey, log: string, from: number, to: number) {
  return untilStable(() => {
    const row = catalogue.get<TextRow>(
      `SELECT ${TEXT_COLUMNS} FROM runs r JOIN logs l ON l.run = r.id
        WHERE r.bucket = ? AND r.path = ? AND l.name = ? AND l.text IS NOT NULL`,
      key.bucket,
      key.path,
      log,
    )
    if (!row) return []
    const range = `SELECT b.*, y.size FROM blocks b JOIN bytes y ON y.id = b.id
      WHERE b.text = ? AND b.last_line >= ? AND b.first_line <= ? ORDER BY b.id`
    const list = (db: Database) => db.all<BlockRow & { readonly size: number }>(range, row.text, from, to)
    return candidatesOf(
      files,
      row,
      list,
      (text, block): ListedBlock => ({ ...candidate(text, block), size: block.size }),
    )
  })
}

/** None once the day has expired; undefined where the text, named a moment ago, was replaced and swept meanwhile. */
export function candidatesOf<R extends BlockRow, C extends Candidate = Candidate>(
  files: DayFiles,
  row: TextRow,
  list: (db: Database) => readonly R[],
  present: (row: TextRow, block: R) => C,
): C[] | undefined {
  const rows = files.read(row.file, (db) => {
    const blocks = list(db)
    const swept = blocks.length === 0 && !db.get('SELECT 1 FROM texts WHERE id = ?', row.text)
    return swept ? 'swept' : blocks
  })
  return rows === 'swept' ? undefined : (rows ?? []).map((block) => present(row, block))
}

/** A read that meets a version being swept gives undefined, and starts again. */
export function untilStable<T>(read: () => T | undefined): T {
  for (let i = 0; i < RETRIES; i++) {
    const answer = read()
    if (answer !== undefined) return answer
  }
  throw new ProwlError('STORE_CORRUPT', 'blocks that the catalogue names are missing; read the bucket again')
}

export function readBlocks(files: DayFiles, refs: readonly BlockRef[]): (Uint8Array | undefined)[] {
  return refs.map((ref) => {
    const [file = Number.NaN, id = Number.NaN] = ref.id.split('.').map(Number)
    const row = files.read(file, (db) => db.get<BytesRow>('SELECT size, crc, zstd FROM bytes WHERE id = ?', id))
    const bytes = row && unpack(row)
    if (row && !bytes)
      throw new ProwlError(
        'STORE_CORRUPT',
        `block ${ref.id} of ${ref.day} is damaged; read its runs again from their bucket`,
      )
    return bytes
  })
}
