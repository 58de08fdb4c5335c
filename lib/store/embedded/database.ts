import { backup, DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { type ErrorCode, ProwlError } from '../../errors.ts'

const BUSY_TIMEOUT_MS = 5000
const MAX_STATEMENTS = 200
/** Pages that a copy takes at a time. */
const COPY_PAGES = 2000

/** One SQLite connection: statements prepared once, answers read whole (an open iterator lets the WAL grow), coded errors. */
export class Database {
  readonly #db: DatabaseSync
  readonly #file: string
  readonly #statements = new Map<string, StatementSync>()
  /** Opened by a URL that says so: SQLite takes no locks, and notices nobody who writes. */
  readonly isImmutable: boolean

  constructor(file: string | URL, { readOnly = false, timeoutMs = BUSY_TIMEOUT_MS } = {}) {
    this.#file = file instanceof URL ? fileURLToPath(file) : file
    this.isImmutable = file instanceof URL && file.searchParams.has('immutable')
    this.#db = this.#attempt(() => new DatabaseSync(file, { readOnly, timeout: timeoutMs }))
  }

  /** All rows; `T` names the columns as the statement selects them. */
  all<T>(sql: string, ...params: SQLInputValue[]): T[] {
    return this.#attempt(() => this.#statement(sql).all(...params) as T[])
  }

  get<T>(sql: string, ...params: SQLInputValue[]): T | undefined {
    return this.#attempt(() => this.#statement(sql).get(...params) as T | undefined)
  }

  /** The id of the row that was inserted. */
  run(sql: string, ...params: SQLInputValue[]): number {
    return this.#attempt(() => Number(this.#statement(sql).run(...params).lastInsertRowid))
  }

  exec(sql: string): void {
    this.#attempt(() => this.#db.exec(sql))
  }

  pragma(name: string): number {
    return this.get<{ value: number }>(`SELECT ${name} AS value FROM pragma_${name}`)?.value ?? 0
  }

  get inTransaction(): boolean {
    return this.#db.isTransaction
  }

  /** Rows that this connection has changed: with `data_version`, which tells of the others, it says whether anything did. */
  get changes(): number {
    return this.get<{ value: number }>('SELECT total_changes() AS value')?.value ?? 0
  }

  /** All that `work` reads is of one moment; within a transaction, of that one's. */
  snapshot<T>(work: () => T): T {
    if (this.inTransaction) return work()
    this.exec('BEGIN')
    try {
      return work()
    } finally {
      this.rollback()
    }
  }

  transaction<T>(work: () => T): T {
    this.exec('BEGIN IMMEDIATE')
    try {
      const result = work()
      this.exec('COMMIT')
      return result
    } catch (error) {
      this.rollback()
      throw error
    }
  }

  /** Within a transaction: takes back what `work` did where it fails, and leaves the rest pending. */
  savepoint<T>(work: () => T): T {
    this.exec('SAVEPOINT work')
    try {
      return work()
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK TO work')
      throw error
    } finally {
      if (this.#db.isTransaction) this.#db.exec('RELEASE work')
    }
  }

  /** SQLite may have rolled back by itself, as on a full disk. */
  rollback(): void {
    if (this.#db.isOpen && this.#db.isTransaction) this.#db.exec('ROLLBACK')
  }

  /** From now on this connection sees the file as it is now, whatever others write. Their log grows meanwhile. */
  pin(): void {
    this.exec('BEGIN')
    this.get('SELECT count(*) FROM sqlite_schema')
  }

  /** Copies what this connection sees into a new file. `onShare` tells how much is done, 0 to 1. */
  async copyTo(file: string, onShare: (share: number) => void): Promise<void> {
    try {
      await backup(this.#db, file, {
        rate: COPY_PAGES,
        progress: ({ totalPages, remainingPages }) => onShare(1 - remainingPages / totalPages),
      })
    } catch (error) {
      throw coded(error, file)
    }
  }

  close(): void {
    this.rollback()
    this.#statements.clear()
    if (this.#db.isOpen) this.#attempt(() => this.#db.close())
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql)
    if (known) return known
    if (this.#statements.size >= MAX_STATEMENTS) this.#statements.clear()
    const statement = this.#db.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }

  #attempt<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw coded(error, this.#file)
    }
  }
}

const FULL = ['STORE_FULL', 'could not grow: the disk is full; make room, or shorten retention'] as const

/** SQLite's primary result codes (https://www.sqlite.org/rescode.html) that ask for something of people, and an extended one. */
const CODES: Readonly<Record<number, readonly [ErrorCode, string]>> = {
  // SQLITE_IOERR_SHMSIZE: there is no room for the index of the write-ahead log.
  4874: FULL,
  5: ['STORE_FAILED', 'stayed locked by another process; end it, then try again'],
  8: ['DATA_DIR_UNWRITABLE', 'is read-only; mend its permissions, or name another data directory'],
  10: ['STORE_FAILED', 'could not be read or written; check the disk'],
  11: ['STORE_CORRUPT', 'is damaged; restore it, or read the bucket again into an empty data directory'],
  13: FULL,
  14: ['DATA_DIR_UNWRITABLE', 'can not be opened; mend its permissions, or name another data directory'],
  26: ['STORE_CORRUPT', 'is no SQLite database; move it away, or name another data directory'],
}

function coded(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || !('errcode' in error)) return error
  const errcode = Number(error.errcode)
  const [code, what] = CODES[errcode] ?? CODES[errcode & 0xff] ?? ['STORE_FAILED', `failed: ${error.message}`]
  return new ProwlError(code, `${file} ${what}`, { cause: error })
}

/** Whether another process held what was asked for (SQLITE_BUSY). */
export function isLocked(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'errcode' in cause && (Number(cause.errcode) & 0xff) === 5
}
