import { GRAM_SPACE } from '../../../text/grams.ts'
import type { Database } from '../database.ts'
import type { ChunkReader, ChunkWriter } from './chunks.ts'
import { Damaged } from './damaged.ts'
import { isDropped } from './lists.ts'
import { chunksOf, idsOf, insertSegment, removeSegment, type Segment } from './segments.ts'

/** A merged segment's lists can be read in one go up to here: 2 GiB of log, and about 120 MB of index. */
export const MAX_BLOCKS = 32_768
/** Segments are of one class while their numbers of blocks have the same logarithm to this base. */
const CLASS_BASE = 16

/**
 * Neighbours to merge, undefined where there are none: with so many (`fanout`) of one class in a row, all of the row, smaller ones
 * between them included. Only neighbours, so that ranges stay apart.
 */
export function mergeable(segments: readonly Segment[], fanout: number): Segment[] | undefined {
  for (let top = 0; CLASS_BASE ** top <= MAX_BLOCKS; top++) {
    for (const row of rowsOf(segments, top)) {
      if (row.filter((each) => classOf(each) === top).length >= fanout) return row
    }
  }
  return undefined
}

/** Rows of neighbours of at most this class, as long as they may be merged. */
function rowsOf(segments: readonly Segment[], top: number): Segment[][] {
  const rows: Segment[][] = []
  let row: Segment[] = []
  let blocks = 0
  for (const segment of segments) {
    const joins = classOf(segment) <= top && row.at(-1)?.last === segment.first - 1
    if (!joins || blocks + segment.blocks > MAX_BLOCKS) {
      row = []
      blocks = 0
      rows.push(row)
    }
    if (classOf(segment) > top) continue
    row.push(segment)
    blocks += segment.blocks
  }
  return rows
}

function classOf({ blocks }: Segment): number {
  return Math.floor(Math.log2(blocks) / Math.log2(CLASS_BASE))
}

/** A segment being merged, by its lists. */
class Source {
  readonly segment: Segment
  /** Each ordinal's ordinal in the merged segment, −1 for a block that is no more. */
  readonly #places: Int32Array
  readonly #chunks: Generator<ChunkReader>
  readonly #list: Uint32Array
  #chunk: ChunkReader | undefined
  #count: number | undefined
  /** Its blocks that are still there. */
  readonly live: number
  /** What is to be read next; GRAM_SPACE at the end. */
  gram = -1

  constructor(db: Database, segment: Segment, places: Int32Array) {
    this.segment = segment
    this.#places = places
    this.#chunks = chunksOf(db, segment, GRAM_SPACE)
    this.#list = new Uint32Array(segment.blocks)
    this.live = places.filter((place) => place >= 0).length
    this.advance()
  }

  advance(): void {
    try {
      let gram = this.#chunk?.next()
      while (gram === undefined) {
        this.#chunk = this.#chunks.next().value ?? undefined
        if (!this.#chunk) break
        gram = this.#chunk.next()
      }
      this.gram = gram ?? GRAM_SPACE
    } catch (error) {
      throw ofSegment(error, this.segment)
    }
  }

  /** Reads the list of the present gram; false where it was dropped, so that every block may have it. */
  load(): boolean {
    try {
      this.#count = this.#chunk?.read(this.#list)
      return this.#count !== undefined
    } catch (error) {
      throw ofSegment(error, this.segment)
    }
  }

  /** Adds what was loaded from `at` on; where it ends. */
  copy(into: Uint32Array, at: number): number {
    let end = at
    for (let i = 0; i < (this.#count ?? this.segment.blocks); i++) {
      const place = this.#places[this.#count === undefined ? i : (this.#list[i] as number)] as number
      if (place >= 0) into[end++] = place
    }
    return end
  }
}

/** Puts one segment in place of neighbours, without their text; blocks swept since are left out. Throws Damaged, with its `segment`. */
export function mergeSegments(db: Database, segments: readonly Segment[]): void {
  const first = segments[0]?.first ?? 0
  const last = segments.at(-1)?.last ?? 0
  const live = db.all<{ id: number }>('SELECT id FROM blocks WHERE id BETWEEN ? AND ? ORDER BY id', first, last)
  const ids = Uint32Array.from(live, ({ id }) => id)
  db.transaction(() => {
    const sources = segments.map((segment) => new Source(db, segment, placesOf(segment, ids)))
    if (ids.length > 0) insertSegment(db, { first, last, ids }, (lists) => mergeLists(sources, lists, ids.length))
    for (const { id } of segments) removeSegment(db, id)
  })
}

function placesOf(segment: Segment, live: Uint32Array): Int32Array {
  const places = new Map(Array.from(live, (id, place) => [id, place]))
  try {
    return Int32Array.from(idsOf(segment), (id) => places.get(id) ?? -1)
  } catch (error) {
    throw ofSegment(error, segment)
  }
}

function mergeLists(sources: readonly Source[], lists: ChunkWriter, blocks: number): void {
  const merged = new Uint32Array(blocks)
  for (let gram = least(sources); gram < GRAM_SPACE; gram = least(sources)) {
    const holding = sources.filter((source) => source.gram === gram)
    const unknown = holding.reduce((sum, source) => sum + (source.load() ? 0 : source.live), 0)
    if (isDropped(unknown, blocks)) lists.drop(gram)
    else {
      const count = holding.reduce((at, source) => source.copy(merged, at), 0)
      if (count > blocks) throw new RangeError('a merged list has more blocks than its segment')
      if (count > 0) lists.add(gram, merged, count)
    }
    for (const source of holding) source.advance()
  }
  lists.end(GRAM_SPACE)
}

function least(sources: readonly Source[]): number {
  let gram = GRAM_SPACE
  for (const source of sources) if (source.gram < gram) gram = source.gram
  return gram
}

function ofSegment(error: unknown, { id }: Segment): unknown {
  return error instanceof Damaged ? new Damaged(error.message, id) : error
}
