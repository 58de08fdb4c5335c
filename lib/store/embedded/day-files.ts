import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ProwlError } from '../../errors.ts'
import type { Day } from '../../model/run.ts'
import type { Database } from './database.ts'
import { openForReading, openForWriting } from './layout.ts'

/** A UTC day's text: registered in the catalogue, and never again under the same id or name. */
export interface DayFile {
  readonly id: number
  readonly day: Day
  readonly name: string
}

export const DAYS_DIRECTORY = 'days'
/** Each has a handful of descriptors. */
const MAX_OPEN = 64
/** SQLite's own cache of a file that is read, KiB: it keeps the tree. Texts are read once, and the system caches them for all threads. */
const CACHE_KIB = 256
const SUFFIXES = ['', '-wal', '-shm']

/** The day files that the catalogue lists, opened when asked for and closed when the list no longer has them. */
export class DayFiles {
  readonly #catalogue: Database
  readonly #directory: string
  readonly #writable: boolean
  #files = new Map<number, DayFile>()
  #seen: number | undefined
  /** By use, the longest unused first. */
  readonly #open = new Map<number, Database>()

  constructor(catalogue: Database, dataDir: string, writable: boolean) {
    this.#catalogue = catalogue
    this.#directory = join(dataDir, DAYS_DIRECTORY)
    this.#writable = writable
    if (writable) this.#removeStrays()
  }

  list(): DayFile[] {
    this.#refresh()
    return [...this.#files.values()]
  }

  /** Undefined once the file's day has expired. */
  database(id: number): Database | undefined {
    this.#refresh()
    const file = this.#files.get(id)
    if (!file) return undefined
    const db = this.#open.get(id) ?? this.#openFile(file)
    this.#open.delete(id)
    this.#open.set(id, db)
    this.#closeUnused()
    return db
  }

  /** What `work` reads, undefined where the day has expired: before it, or while it read and so failed. */
  read<T>(id: number, work: (db: Database) => T): T | undefined {
    try {
      const db = this.database(id)
      return db && work(db)
    } catch (error) {
      this.#refresh()
      if (!this.#files.has(id)) return undefined
      throw error
    }
  }

  /** The file of a day, made where there is none: first the file, then its entry, so that no entry lacks its file. */
  ensure(day: Day): DayFile {
    const known = this.list().find((file) => file.day === day)
    if (known) return known
    this.#make()
    const name = `${day}-${randomBytes(6).toString('hex')}.sqlite`
    const db = openForWriting(join(this.#directory, name), 'day')
    const file = { id: this.#catalogue.run('INSERT INTO files(day, name) VALUES (?, ?)', day, name), day, name }
    this.#files.set(file.id, file)
    this.#open.set(file.id, db)
    return file
  }

  /** Readers that meet the list without its entry close the file; so the entry goes first. */
  remove(file: DayFile): void {
    this.#catalogue.run('DELETE FROM files WHERE id = ?', file.id)
    this.#files.delete(file.id)
    this.#close(file.id)
    this.#unlink(file.name)
  }

  /** Writes what is pending in every open file to the disk. */
  commit(): void {
    for (const db of this.#open.values()) if (db.inTransaction) db.exec('COMMIT')
  }

  pathOf({ name }: DayFile): string {
    return join(this.#directory, name)
  }

  /** Bytes on disk. */
  size(): number {
    const names = this.list().flatMap((file) => SUFFIXES.map((suffix) => file.name + suffix))
    return names.reduce((sum, name) => {
      return sum + (statSync(join(this.#directory, name), { throwIfNoEntry: false })?.size ?? 0)
    }, 0)
  }

  close(): void {
    for (const id of [...this.#open.keys()]) this.#close(id)
  }

  #openFile(file: DayFile): Database {
    const path = this.pathOf(file)
    // An empty one in its place would give the ids of the texts that it held to others.
    const isThere = !this.#writable || existsSync(path)
    const db = isThere && (this.#writable ? openForWriting(path, 'day') : openForReading(path))
    if (db) {
      if (!this.#writable) db.exec(`PRAGMA cache_size=-${CACHE_KIB}`)
      return db
    }
    throw new ProwlError(
      'STORE_CORRUPT',
      `${path} is missing; restore it, or have its runs read again: npm run verify -- --repair`,
    )
  }

  #make(): void {
    try {
      mkdirSync(this.#directory, { recursive: true })
    } catch (cause) {
      const isFull = cause instanceof Error && 'code' in cause && cause.code === 'ENOSPC'
      const [code, what] = isFull
        ? (['STORE_FULL', 'make room'] as const)
        : (['DATA_DIR_UNWRITABLE', 'mend its permissions'] as const)
      throw new ProwlError(code, `${this.#directory} can not be made; ${what}`, { cause })
    }
  }

  /** Not those with blocks pending, which a close would take back. */
  #closeUnused(): void {
    for (const [id, db] of this.#open) {
      if (this.#open.size <= MAX_OPEN) return
      if (!db.inTransaction) this.#close(id)
    }
  }

  #close(id: number): void {
    const db = this.#open.get(id)
    this.#open.delete(id)
    db?.close()
  }

  /** Reads the list again where another process has written since. */
  #refresh(): void {
    const version = this.#catalogue.pragma('data_version')
    if (version === this.#seen) return
    this.#seen = version
    const files = this.#catalogue.all<DayFile>('SELECT id, day, name FROM files ORDER BY id')
    this.#files = new Map(files.map((file) => [file.id, file]))
    for (const id of [...this.#open.keys()]) if (!this.#files.has(id)) this.#close(id)
  }

  /** Files of a worker that was killed before it registered, or after it struck off, a file. */
  #removeStrays(): void {
    const listed = new Set(this.list().map((file) => file.name))
    const names = statSync(this.#directory, { throwIfNoEntry: false }) ? readdirSync(this.#directory) : []
    const files = new Set(names.flatMap((name) => /^(\d{4}-\d\d-\d\d-[0-9a-f]{12}\.sqlite)/.exec(name)?.[1] ?? []))
    for (const name of files) if (!listed.has(name)) this.#unlink(name)
  }

  #unlink(name: string): void {
    for (const suffix of SUFFIXES) rmSync(join(this.#directory, name + suffix), { force: true })
  }
}
