import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { ProwlError } from '../../errors.ts'
import type { Block } from '../../model/block.ts'
import type { Day, LogKind, Run, RunKey } from '../../model/run.ts'
import { pack } from '../packed.ts'
import { checkTime, keptRecord } from '../record.ts'
import type { LogName, RunRecord, Version } from '../store.ts'
import type { Database } from './database.ts'
import type { DayFiles } from './day-files.ts'
import type { FreshBlock } from './grams/fresh-grams.ts'
import type { GramIndex } from './grams/gram-index.ts'
import { IndexKeeper } from './grams/keeper.ts'
import { publishedRun, putRun, type StoredLog } from './publish.ts'

/** Compressed bytes that a day file gathers before a commit: an fsync for each append would be most of the work. */
const COMMIT_BYTES = 8 << 20

/** `bytes` as compressed. */
interface WrittenBlock extends FreshBlock {
  readonly bytes: number
}

interface OpenVersion {
  readonly run: Run
  readonly file: number
  readonly day: Day
  readonly texts: Map<string, StoredLog>
  readonly kinds: Map<string, LogKind>
}

/**
 * Writes in the order that needs no transaction across files: a version's blocks first, committed and synced, then one
 * catalogue transaction that names them. Blocks that no catalogue row names do not exist for readers, and are swept.
 */
export class Writer {
  readonly #catalogue: Database
  readonly #files: DayFiles
  readonly #session = randomBytes(6).toString('hex')
  readonly #open = new Map<string, OpenVersion>()
  /** Compressed bytes since the last commit, by day file. */
  readonly #pending = new Map<number, number>()
  /** Day files that may hold orphans: at first any of them, since the last worker may have been killed. */
  readonly #unswept: Set<number>
  readonly #keeper: IndexKeeper
  #count = 0

  constructor(catalogue: Database, files: DayFiles, index: GramIndex) {
    this.#catalogue = catalogue
    this.#files = files
    this.#keeper = new IndexKeeper(files, index)
    this.#unswept = new Set(files.list().map((file) => file.id))
  }

  begin(run: Run): Version {
    const day = publishedRun(this.#catalogue, run)?.day ?? checkTime(run.time)
    const file = this.#files.ensure(day).id
    const id = `${this.#session}-${++this.#count}`
    this.#open.set(id, { run, file, day, texts: new Map(), kinds: new Map() })
    this.#unswept.add(file)
    return { id, day }
  }

  append(version: Version, { name: log, kind }: LogName, blocks: readonly Block[]): void {
    const open = this.#opened(version)
    if (blocks.length === 0) return
    const db = this.#database(open)
    try {
      if (!db.inTransaction) db.exec('BEGIN IMMEDIATE')
      const written = db.savepoint(() => {
        const { text, blocks: before } = open.texts.get(log) ?? { text: newText(db, version, open.run, log), blocks: 0 }
        open.kinds.set(log, kind)
        open.texts.set(log, { text, blocks: before + blocks.length })
        return blocks.map((block) => writeBlock(db, text, block))
      })
      this.#keeper.appended(open.file, db, written)
      const pending = written.reduce((sum, { bytes }) => sum + bytes, this.#pending.get(open.file) ?? 0)
      this.#pending.set(open.file, pending)
      if (pending >= COMMIT_BYTES) this.#commit(open.file, db)
    } catch (error) {
      this.#open.delete(version.id)
      if (!db.inTransaction) this.#abandon(open.file, db)
      throw error
    }
    if (!db.inTransaction) this.#keeper.committed(open.file, db)
  }

  publish(version: Version, record: RunRecord): void {
    const open = this.#opened(version)
    const kept = keptRecord(record, open.run, open.kinds)
    const db = this.#database(open)
    try {
      this.#commit(open.file, db)
    } catch (error) {
      this.#abandon(open.file, db)
      throw error
    }
    this.#catalogue.transaction(() => {
      const old = publishedRun(this.#catalogue, open.run)
      if (old && old.day !== open.day) {
        throw new ProwlError('STORE_FAILED', "the run's day was fixed meanwhile; begin again")
      }
      putRun(this.#catalogue, kept, open)
      if (old) this.#unswept.add(old.file)
    })
    this.#open.delete(version.id)
    this.#keeper.committed(open.file, db)
  }

  maintain(expireBefore: Day = ''): { readonly swept: number; readonly expiredDays: readonly Day[] } {
    this.#open.clear()
    this.#files.commit()
    this.#pending.clear()
    const swept = this.#files
      .list()
      .filter((file) => this.#unswept.has(file.id))
      .reduce((sum, file) => sum + this.#sweep(file.id), 0)
    this.#unswept.clear()
    const expired = this.#files.list().filter((file) => file.day < expireBefore)
    for (const file of expired) this.#files.remove(file)
    this.#keeper.maintain()
    return { swept, expiredDays: expired.map((file) => file.day).sort() }
  }

  /** Removes the blocks that no published log names; gives the number of versions that they were of. */
  #sweep(file: number): number {
    const db = this.#files.database(file)
    if (!db) return 0
    const published = this.#catalogue.all<{ text: number }>(
      'SELECT l.text FROM runs r JOIN logs l ON l.run = r.id WHERE r.file = ? AND l.text IS NOT NULL',
      file,
    )
    const named = new Set(published.map((row) => row.text))
    const orphans = db
      .all<{ id: number; version: string }>('SELECT id, version FROM texts')
      .filter((text) => !named.has(text.id))
    if (orphans.length === 0) return 0
    db.transaction(() => {
      for (const { id } of orphans) {
        db.run('DELETE FROM bytes WHERE id IN (SELECT id FROM blocks WHERE text = ?)', id)
        db.run('DELETE FROM blocks WHERE text = ?', id)
        db.run('DELETE FROM texts WHERE id = ?', id)
      }
    })
    return new Set(orphans.map((text) => text.version)).size
  }

  #commit(file: number, db: Database): void {
    if (db.inTransaction) db.exec('COMMIT')
    this.#pending.delete(file)
  }

  /** What a failed write took back with it may be blocks of any version in the file: none of them can be published. */
  #abandon(file: number, db: Database): void {
    db.rollback()
    this.#pending.delete(file)
    for (const [id, open] of this.#open) if (open.file === file) this.#open.delete(id)
  }

  #opened(version: Version): OpenVersion {
    const open = this.#open.get(version.id)
    if (!open) throw new ProwlError('STORE_FAILED', 'this version is published, swept or failed; begin another')
    return open
  }

  #database(open: OpenVersion): Database {
    const db = this.#files.database(open.file)
    if (!db) throw new ProwlError('STORE_FAILED', `the text of ${open.day} has expired; begin another version`)
    return db
  }
}

function newText(db: Database, version: Version, { bucket, path }: RunKey, log: string): number {
  return db.run('INSERT INTO texts(version, log, bucket, path) VALUES (?, ?, ?, ?)', version.id, log, bucket, path)
}

function writeBlock(db: Database, text: number, block: Block): WrittenBlock {
  const zstd = pack(block.bytes)
  const id = db.run('INSERT INTO bytes(size, crc, zstd) VALUES (?, ?, ?)', block.bytes.length, crc32(zstd), zstd)
  db.run(
    'INSERT INTO blocks(text, id, first_line, last_line, line_window, ascii) VALUES (?, ?, ?, ?, ?, ?)',
    text,
    id,
    block.firstLine,
    block.firstLine + block.lineCount - 1,
    block.window ?? null,
    Number(block.ascii),
  )
  return { id, bytes: zstd.length, grams: block.grams }
}
