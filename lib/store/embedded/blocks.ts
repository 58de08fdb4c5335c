import { crc32, zstdDecompressSync } from 'node:zlib'
import { ProwlError } from '../../errors.ts'
import type { BlockRef, Candidate } from '../../model/block.ts'
import type { RunKey } from '../../model/run.ts'
import { cutPage } from '../record.ts'
import type { CandidateFilter, OrderKey, Page, Paged } from '../store.ts'
import type { Database } from './database.ts'
import type { DayFiles } from './day-files.ts'
import { afterRun, and, type Clause, clause, oneOf, runClause } from './filter.ts'
import { pageRows } from './page-rows.ts'

const TEXTS_AT_ONCE = 200
const RETRIES = 5

/** A log's blocks: which day file, and which text in it. */
interface TextRow extends RunKey {
  readonly time: number
  readonly day: string
  readonly file: number
  readonly log: string
  readonly text: number
}

interface BlockRow {
  readonly id: number
  readonly first_line: number
  readonly last_line: number
  readonly line_window: number | null
  readonly ascii: number
}

interface BytesRow {
  readonly size: number
  readonly crc: number
  readonly zstd: Uint8Array
}

const TEXT_COLUMNS = 'r.time, r.bucket, r.path, r.day, r.file, l.name AS log, l.text'

export function blocksOfLog(catalogue: Database, files: DayFiles, key: RunKey, log: string, from: number, to: number) {
  return untilStable(() => {
    const row = catalogue.get<TextRow>(
      `SELECT ${TEXT_COLUMNS} FROM runs r JOIN logs l ON l.run = r.id
        WHERE r.bucket = ? AND r.path = ? AND l.name = ? AND l.text IS NOT NULL`,
      key.bucket,
      key.path,
      log,
    )
    const range = 'SELECT * FROM blocks WHERE text = ? AND last_line >= ? AND first_line <= ? ORDER BY id'
    return row ? candidatesOf(files, row, (db) => db.all<BlockRow>(range, row.text, from, to)) : []
  })
}

/** Every block of the logs that the filter leaves: where grams narrow them, that is done here, a day file at a time. */
export function listCandidates(catalogue: Database, files: DayFiles, filter: CandidateFilter, page: Page) {
  const found = untilStable(() => candidatesPage(catalogue, files, filter, page))
  return { ...found, considered: found.items.length }
}

function candidatesPage(
  catalogue: Database,
  files: DayFiles,
  filter: CandidateFilter,
  page: Page,
): Paged<Candidate> | undefined {
  const { after } = page
  const limit = Math.max(1, page.limit)
  const found: Candidate[] = []
  let key = after
  for (;;) {
    const texts = textRows(catalogue, filter, key)
    for (const row of texts) {
      const blocks = candidatesOf(files, row, (db) => blocksAfter(db, row, after, limit - found.length))
      if (!blocks) return undefined
      found.push(...blocks)
      const cut = cutPage(found, limit, blockEnd)
      if (cut.next) return cut
    }
    const last = texts.at(-1)
    if (!last || texts.length < TEXTS_AT_ONCE) return { items: found }
    key = { time: last.time, bucket: last.bucket, path: last.path, log: last.log }
  }
}

/** Logs in the total order: from the one that `after` names a line of, or after the one that it names whole. */
function textRows(catalogue: Database, filter: CandidateFilter, after: OrderKey | undefined): TextRow[] {
  const { sql, params } = and([
    runClause(filter),
    filter.kinds && oneOf('l.kind', filter.kinds),
    after && (after.log === undefined ? afterRun(after, 'r') : fromLog(after, after.log)),
    clause('l.text IS NOT NULL AND +r.file IN (SELECT id FROM files)'),
  ])
  return catalogue.all<TextRow>(
    `SELECT ${TEXT_COLUMNS} FROM runs r CROSS JOIN logs l ON l.run = r.id WHERE ${sql}
      ORDER BY r.time DESC, r.bucket, r.path, l.name LIMIT ${TEXTS_AT_ONCE}`,
    ...params,
  )
}

function fromLog({ time, bucket, path, line }: OrderKey, log: string): Clause {
  const compare = line === undefined ? '>' : '>='
  return clause(
    `r.time <= ? AND (r.time < ? OR (r.bucket, r.path, l.name) ${compare} (?, ?, ?))`,
    time,
    time,
    bucket,
    path,
    log,
  )
}

function blocksAfter(db: Database, row: TextRow, after: OrderKey | undefined, room: number): BlockRow[] {
  const inside = after?.log === row.log && after.path === row.path && after.bucket === row.bucket
  const line = inside && after.time === row.time ? (after.line ?? 0) : 0
  const fetch = (count: number) =>
    db.all<BlockRow>('SELECT * FROM blocks WHERE text = ? AND last_line > ? ORDER BY id LIMIT ?', row.text, line, count)
  return pageRows(room, fetch, (a, b) => a.last_line === b.last_line)
}

/** None once the day has expired; undefined where the text, named a moment ago, was replaced and swept meanwhile. */
function candidatesOf(files: DayFiles, row: TextRow, list: (db: Database) => BlockRow[]): Candidate[] | undefined {
  const rows = files.read(row.file, (db) => {
    const blocks = list(db)
    const swept = blocks.length === 0 && !db.get('SELECT 1 FROM texts WHERE id = ?', row.text)
    return swept ? 'swept' : blocks
  })
  return rows === 'swept' ? undefined : (rows ?? []).map((block) => candidate(row, block))
}

/** A read that meets a version being swept gives undefined, and starts again. */
function untilStable<T>(read: () => T | undefined): T {
  for (let i = 0; i < RETRIES; i++) {
    const answer = read()
    if (answer !== undefined) return answer
  }
  throw new ProwlError('STORE_CORRUPT', 'blocks that the catalogue names are missing; read the bucket again')
}

function candidate(row: TextRow, block: BlockRow): Candidate {
  return {
    ref: { day: row.day, id: `${row.file}.${block.id}` },
    bucket: row.bucket,
    path: row.path,
    time: row.time,
    log: row.log,
    firstLine: block.first_line,
    lineCount: block.last_line - block.first_line + 1,
    ascii: block.ascii === 1,
    ...(block.line_window === null ? {} : { window: block.line_window }),
  }
}

function blockEnd({ time, bucket, path, log, firstLine, lineCount }: Candidate): OrderKey {
  return { time, bucket, path, log, line: firstLine + lineCount - 1 }
}

export function readBlocks(files: DayFiles, refs: readonly BlockRef[]): (Uint8Array | undefined)[] {
  return refs.map((ref) => {
    const [file = Number.NaN, id = Number.NaN] = ref.id.split('.').map(Number)
    const row = files.read(file, (db) => db.get<BytesRow>('SELECT size, crc, zstd FROM bytes WHERE id = ?', id))
    return row && unpack(ref, row)
  })
}

function unpack(ref: BlockRef, { size, crc, zstd }: BytesRow): Uint8Array {
  try {
    if (crc32(zstd) !== crc) throw new Error('checksum')
    // One chunk just above the size decompresses a third faster than several of the default size (and none is smaller than 64).
    const bytes = zstdDecompressSync(zstd, { chunkSize: size + 64, maxOutputLength: Math.max(1, size) })
    if (bytes.length !== size) throw new Error('size')
    return bytes
  } catch (cause) {
    throw new ProwlError(
      'STORE_CORRUPT',
      `block ${ref.id} of ${ref.day} is damaged; read its runs again from their bucket`,
      { cause },
    )
  }
}
