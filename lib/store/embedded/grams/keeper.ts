import { isProwlError } from '../../../errors.ts'
import { GRAM_SPACE } from '../../../text/grams.ts'
import type { Database } from '../database.ts'
import type { DayFiles } from '../day-files.ts'
import { Damaged } from './damaged.ts'
import { type FreshBlock, FreshGrams } from './fresh-grams.ts'
import { gapsBetween } from './gaps.ts'
import type { GramIndex } from './gram-index.ts'
import { mergeable, mergeSegments } from './merge.ts'
import { SEAL_BLOCKS, sealGap } from './seal.ts'
import { checkSegment, listSegments, removeSegment, type Segment } from './segments.ts'

/** So many segments of a size are merged: in a file that grows, and in one that is quiet. */
const BUSY_FANOUT = 16
const QUIET_FANOUT = 2
/** What one maintain may take: blocks sealed (1 GiB of log, some 20 s), bytes of segments checked. */
const MAX_SEALED = 16_384
const MAX_CHECKED = 64 << 20
/** So many free pages (2 MiB) are given back to the file system; fewer are filled again by what comes next. */
const MANY_FREE = 1024

/**
 * Keeps the index of a writer's day files: seals what gathers, merges segments, drops damaged ones. Each step is a
 * transaction of its day file, and whatever fails leaves blocks that are scanned, so errors of the store end a step only.
 */
export class IndexKeeper {
  readonly #files: DayFiles
  readonly #index: GramIndex
  /** Blocks not sealed yet, by day file, of files written to in this process. */
  readonly #unsealed = new Map<number, number>()
  readonly #written = new Set<number>()
  readonly #fresh = new FreshGrams()
  /** Segments found sound, until all are. */
  readonly #checked = new Set<string>()

  constructor(files: DayFiles, index: GramIndex) {
    this.#files = files
    this.#index = index
  }

  appended(file: number, db: Database, blocks: readonly FreshBlock[]): void {
    this.#written.add(file)
    this.#unsealed.set(file, (this.#unsealed.get(file) ?? this.#countUnsealed(file, db)) + blocks.length)
    this.#fresh.add(file, blocks)
  }

  /** To be called when nothing is pending in the file. */
  committed(file: number, db: Database): void {
    if ((this.#unsealed.get(file) ?? 0) < SEAL_BLOCKS) return
    this.#unsealed.set(file, 0)
    orLater(() => {
      for (const gap of this.#gaps(file, db).slice(-1))
        sealGap(db, gap, { atLeast: SEAL_BLOCKS, fresh: this.#fresh.of(file) })
      this.#merge(file, db, BUSY_FANOUT)
    })
  }

  /** The newest days first, as far as one call may take. */
  maintain(): void {
    const files = this.#files.list().sort((a, b) => (a.day < b.day ? 1 : -1))
    let sealed = 0
    let checked = 0
    for (const { id } of files) {
      const db = this.#files.database(id)
      if (!db) continue
      orLater(() => {
        checked += this.#check(id, db, MAX_CHECKED - checked)
        this.#dropDamaged(id, db)
        sealed += this.#seal(id, db, MAX_SEALED - sealed)
        this.#merge(id, db, this.#written.has(id) ? BUSY_FANOUT : QUIET_FANOUT)
        if (db.pragma('freelist_count') >= MANY_FREE) giveBack(db)
      })
    }
    if (checked < MAX_CHECKED) this.#checked.clear()
    this.#written.clear()
    this.#fresh.clear()
    this.#unsealed.clear()
  }

  /** Notes damaged segments among those not checked lately; the bytes looked at. */
  #check(file: number, db: Database, budget: number): number {
    const { sound, damaged } = listSegments(db)
    for (const id of damaged) this.#index.damaged(file).add(id)
    let size = 0
    for (const segment of sound) {
      const key = `${file} ${segment.id}`
      if (size >= budget) break
      if (this.#checked.has(key)) continue
      this.#checked.add(key)
      size += this.#guard(file, segment.id, () => checkSegment(db, segment, GRAM_SPACE)) ?? 0
    }
    return size
  }

  #dropDamaged(file: number, db: Database): void {
    const damaged = this.#index.damaged(file)
    if (damaged.size === 0) return
    db.transaction(() => {
      for (const id of damaged) removeSegment(db, id)
    })
    damaged.clear()
  }

  #seal(file: number, db: Database, budget: number): number {
    let sealed = 0
    for (const gap of this.#gaps(file, db).reverse())
      sealed += sealGap(db, gap, { limit: budget - sealed, fresh: this.#fresh.of(file) })
    return sealed
  }

  #merge(file: number, db: Database, fanout: number): void {
    for (;;) {
      const segments = mergeable(this.#sound(file, db), fanout)
      if (!segments) return
      const merged = this.#guard(file, undefined, () => {
        mergeSegments(db, segments)
        return true
      })
      if (!merged) return
    }
  }

  /** What `work` gives, undefined where a segment turns out to be damaged, which is noted. */
  #guard<T>(file: number, segment: number | undefined, work: () => T): T | undefined {
    try {
      return work()
    } catch (error) {
      const id = error instanceof Damaged ? (error.segment ?? segment) : undefined
      if (id === undefined) throw error
      this.#index.damaged(file).add(id)
      return undefined
    }
  }

  #sound(file: number, db: Database): Segment[] {
    const damaged = this.#index.damaged(file)
    return listSegments(db).sound.filter(({ id }) => !damaged.has(id))
  }

  #gaps(file: number, db: Database) {
    return gapsBetween(this.#sound(file, db))
  }

  #countUnsealed(file: number, db: Database): number {
    const { after = 0 } = this.#gaps(file, db).at(-1) ?? {}
    return db.get<{ n: number }>('SELECT count(*) AS n FROM blocks WHERE id > ?', after)?.n ?? 0
  }
}

/** Pages that merged segments or swept blocks were in, and the write-ahead log, which a large transaction has made long. */
function giveBack(db: Database): void {
  db.exec('PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)')
}

/** What could not be indexed now is scanned until it is. */
function orLater(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!isProwlError(error)) throw error
  }
}
