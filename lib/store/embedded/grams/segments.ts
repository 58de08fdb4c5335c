import { crc32 } from 'node:zlib'
import { GRAM_SPACE, gramsOf } from '../../../text/grams.ts'
import type { Database } from '../database.ts'
import { type Chunk, ChunkReader, ChunkWriter } from './chunks.ts'
import { Damaged } from './damaged.ts'
import { ByteReader, ByteWriter } from './varint.ts'

/**
 * A part of a day file's index that is written once: lists of all blocks with ids from `first` to `last` that there were
 * when it was written. Segments never overlap; blocks outside of all of them are not indexed.
 */
export interface Segment {
  readonly id: number
  readonly first: number
  readonly last: number
  /** How many blocks it has; those swept since are among them. */
  readonly blocks: number
  /** Their ids as gaps. */
  readonly ids: Uint8Array
}

interface SegmentRow extends Segment {
  readonly crc: number
}

interface ChunkRow {
  readonly id: number
  readonly crc: number
  readonly data: Uint8Array
}

/** Keys of chunks: the segment's number, and below it the chunk's first gram. */
const KEYS = 2 ** 21

/** Text that shows what grams are: a segment written when they were others is as good as damaged, and made anew. */
const PROBE =
  'Failed to create pod-sandbox 12ab a b\n\u212a\u017f \u00e9x y: dial tcp 172.30.0.1:443 EOF\\n"msg"=\t{[_%'
const GRAMS = crc32(JSON.stringify([GRAM_SPACE, ...gramsOf(PROBE)]))

/** By range; those whose row is damaged are told apart, and their range is not to be trusted. */
export function listSegments(db: Database): { readonly sound: Segment[]; readonly damaged: number[] } {
  const rows = db.all<SegmentRow>('SELECT id, first, last, blocks, ids, crc FROM segments ORDER BY first')
  const isSound = (row: SegmentRow) => row.crc === headCrc(row)
  return { sound: rows.filter(isSound), damaged: rows.filter((row) => !isSound(row)).map(({ id }) => id) }
}

/** Ids of the blocks by ordinal. Throws Damaged. */
export function idsOf({ first, last, blocks, ids }: Segment): Uint32Array {
  const from = new ByteReader(ids)
  const list = new Uint32Array(blocks)
  let next = first
  for (let i = 0; i < blocks; i++) {
    const id = next + from.varint()
    list[i] = id
    next = id + 1
  }
  if (!from.done || next > last + 1) throw new Damaged('a segment lists other blocks than it has')
  return list
}

/** The chunk that holds a gram's list. Throws Damaged. */
export function chunkAt(db: Database, segment: Segment, gram: number): ChunkReader {
  const key = segment.id * KEYS
  const row = db.get<ChunkRow>(
    'SELECT id, crc, data FROM postings WHERE id BETWEEN ? AND ? ORDER BY id DESC LIMIT 1',
    key,
    key + gram,
  )
  if (!row) throw new Damaged('a chunk is missing')
  return new ChunkReader(checked(row, key), segment.blocks)
}

/** All chunks in order, read one at a time. Throws Damaged. */
export function* chunksOf(db: Database, segment: Segment, space: number): Generator<ChunkReader> {
  for (let gram = 0; gram < space; ) {
    const row = db.get<ChunkRow>('SELECT id, crc, data FROM postings WHERE id = ?', segment.id * KEYS + gram)
    if (!row) throw new Damaged('a chunk is missing')
    const chunk = new ChunkReader(checked(row, segment.id * KEYS), segment.blocks)
    yield chunk
    gram = chunk.end
  }
}

/** Bytes of a segment, all checksums right. Throws Damaged. */
export function checkSegment(db: Database, segment: Segment, space: number): number {
  let size = idsOf(segment).length
  for (const chunk of chunksOf(db, segment, space)) size += chunk.size
  return size
}

/** Writes a segment of the blocks `ids` (ascending) within the caller's transaction; `write` gives its lists. */
export function insertSegment(
  db: Database,
  given: { readonly first: number; readonly last: number; readonly ids: Uint32Array },
  write: (lists: ChunkWriter) => void,
): Segment {
  const head = { first: given.first, last: given.last, blocks: given.ids.length, ids: gapsOf(given.first, given.ids) }
  const id = db.run(
    'INSERT INTO segments(first, last, blocks, ids, crc) VALUES (?, ?, ?, ?, ?)',
    head.first,
    head.last,
    head.blocks,
    head.ids,
    headCrc(head),
  )
  write(
    new ChunkWriter(head.blocks, ({ first, data }) => {
      db.run('INSERT INTO postings(id, crc, data) VALUES (?, ?, ?)', id * KEYS + first, chunkCrc({ first, data }), data)
    }),
  )
  return { id, ...head }
}

export function removeSegment(db: Database, id: number): void {
  db.run('DELETE FROM postings WHERE id >= ? AND id < ?', id * KEYS, (id + 1) * KEYS)
  db.run('DELETE FROM segments WHERE id = ?', id)
}

function checked({ id, crc, data }: ChunkRow, key: number): Chunk {
  const chunk = { first: id - key, data }
  if (crc !== chunkCrc(chunk)) throw new Damaged('a checksum is wrong')
  return chunk
}

/** Starts from the place, so that a chunk in another's place is noticed. */
function chunkCrc({ first, data }: Chunk): number {
  return crc32(data, first)
}

function headCrc({ first, last, blocks, ids }: Omit<Segment, 'id'>): number {
  return crc32(ids, crc32(`${GRAMS} ${first} ${last} ${blocks}`))
}

function gapsOf(first: number, ids: Uint32Array): Uint8Array {
  const out = new ByteWriter()
  let next = first
  for (const id of ids) {
    out.varint(id - next)
    next = id + 1
  }
  return out.take()
}
