import { isProwlError } from '../../../errors.ts'
import type { Plan } from '../../../model/plan.ts'
import type { IndexStatus } from '../../store.ts'
import type { Database } from '../database.ts'
import type { DayFiles } from '../day-files.ts'
import { isOfLayout } from '../layout.ts'
import { Damaged } from './damaged.ts'
import { inReadingOrder, matchingOrdinals } from './evaluate.ts'
import { type FoundText, foundTexts } from './found-texts.ts'
import { gapsBetween } from './gaps.ts'
import { idsOf, listSegments, type Segment } from './segments.ts'

/** What a plan leaves of a day file. */
export interface Found {
  /** Whether the block may satisfy the plan: always true of one that came after the plan was looked up. */
  has(id: number): boolean
  /** The texts that have such blocks, where these are few. */
  readonly texts: readonly FoundText[] | undefined
}

interface Kept {
  readonly stamp: string
  readonly found: Found
  readonly bytes: number
}

/** What is kept of plans looked up before, so that each page of a search need not look up again. */
const KEPT_BYTES = 128 * 1024 * 1024
/** In V8's heap, of a block's row, of a text with its names, and of all else that is kept of a plan beside its own text. */
const ROW_BYTES = 100
const TEXT_BYTES = 400
const PLAN_BYTES = 500
const EVERYTHING: Found = { has: () => true, texts: undefined }

/** Narrows day files by plans. A damaged segment is noted, and from then on scanned as if it were not there. */
export class GramIndex {
  readonly #files: DayFiles
  /** Damaged segments by day file. */
  readonly #damaged = new Map<number, Set<number>>()
  /** By use, the longest unused first. */
  readonly #kept = new Map<string, Kept>()
  #keptBytes = 0

  constructor(files: DayFiles) {
    this.#files = files
  }

  /** Undefined once the day has expired. */
  find(file: number, plan: Plan): Found | undefined {
    return this.#files.read(file, (db) => {
      if (!isOfLayout(db, 2)) return EVERYTHING
      return db.snapshot(() => {
        const key = `${file} ${JSON.stringify(plan)}`
        const stamp = `${db.pragma('data_version')} ${db.changes}`
        const kept = this.#kept.get(key)
        if (kept?.stamp === stamp) {
          this.#keep(key, kept)
          return kept.found
        }
        const ids = this.#idsOf(file, db, inReadingOrder(plan))
        const seen = db.get<{ id: number | null }>('SELECT max(id) AS id FROM blocks')?.id ?? 0
        const texts = foundTexts(db, ids)
        const found = { has: (id: number) => id > seen || includes(ids, id), texts }
        const rowBytes = texts ? ids.length * ROW_BYTES + texts.length * TEXT_BYTES : 0
        this.#keep(key, { stamp, found, bytes: ids.byteLength + rowBytes + 2 * key.length + PLAN_BYTES })
        return found
      })
    })
  }

  /** Segments of a day file known to be damaged. */
  damaged(file: number): Set<number> {
    const known = this.#damaged.get(file) ?? new Set()
    this.#damaged.set(file, known)
    return known
  }

  status(): IndexStatus {
    const sums = { blocks: 0, indexed: 0, segments: 0, quarantined: 0 }
    for (const { id } of this.#files.list()) {
      const part = this.#files.read(id, (db) => db.snapshot(() => this.#statusOf(id, db)))
      if (!part) continue
      sums.blocks += part.indexed + part.unindexed
      sums.indexed += part.indexed
      sums.segments += part.segments
      sums.quarantined += part.quarantined
    }
    return sums
  }

  #statusOf(file: number, db: Database) {
    const all = isOfLayout(db, 2) ? db.all<Segment>('SELECT id, first, last, blocks FROM segments ORDER BY first') : []
    const damaged = this.damaged(file)
    const sound = all.filter(({ id }) => !damaged.has(id))
    return {
      indexed: sound.reduce((sum, { blocks }) => sum + blocks, 0),
      unindexed: gapsBetween(sound).reduce((sum, { after, before }) => {
        return sum + (db.get<{ n: number }>(`SELECT count(*) AS n ${IN_GAP}`, after, before)?.n ?? 0)
      }, 0),
      segments: all.length,
      quarantined: all.length - sound.length,
    }
  }

  /** Ids, ascending, of the blocks that may satisfy the plan, those of no sound segment among them. */
  #idsOf(file: number, db: Database, plan: Plan): Uint32Array {
    const known = this.damaged(file)
    const { sound, damaged } = listSegments(db)
    for (const id of damaged) known.add(id)
    const read = sound.flatMap((segment) => {
      if (known.has(segment.id)) return []
      try {
        return [{ segment, ids: matchingIds(db, segment, plan) }]
      } catch (error) {
        if (!(error instanceof Damaged) && !(isProwlError(error) && error.code === 'STORE_CORRUPT')) throw error
        known.add(segment.id)
        return []
      }
    })
    const rest = gapsBetween(read.map(({ segment }) => segment)).flatMap(({ after, before }) =>
      db.all<{ id: number }>(`SELECT id ${IN_GAP}`, after, before).map(({ id }) => id),
    )
    return Uint32Array.from([...read.flatMap(({ ids }) => [...ids]), ...rest]).sort()
  }

  #keep(key: string, kept: Kept): void {
    this.#drop(key)
    this.#kept.set(key, kept)
    this.#keptBytes += kept.bytes
    for (const oldest of this.#kept.keys()) {
      if (this.#keptBytes <= KEPT_BYTES) break
      this.#drop(oldest)
    }
  }

  #drop(key: string): void {
    this.#keptBytes -= this.#kept.get(key)?.bytes ?? 0
    this.#kept.delete(key)
  }
}

/** Blocks of an index of its own, which the bytes' pages are no part of. */
const IN_GAP = 'FROM blocks WHERE id > ? AND id < ?'

function matchingIds(db: Database, segment: Segment, plan: Plan): Uint32Array | readonly number[] {
  const ordinals = matchingOrdinals(db, segment, plan)
  if (ordinals?.length === 0) return []
  const ids = idsOf(segment)
  return ordinals ? ordinals.map((ordinal) => ids[ordinal] as number) : ids
}

function includes(sorted: Uint32Array, id: number): boolean {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] as number) < id) low = middle + 1
    else high = middle
  }
  return sorted[low] === id
}
