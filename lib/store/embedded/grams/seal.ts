import { ProwlError } from '../../../errors.ts'
import { GRAM_SPACE, gramsOf } from '../../../text/grams.ts'
import { indexText } from '../../../text/index-text.ts'
import { type BytesRow, unpack } from '../../packed.ts'
import type { Database } from '../database.ts'
import type { Gap } from './gaps.ts'
import { chunkAt, insertSegment, type Segment } from './segments.ts'

/** Of one segment as it is sealed: what 512 blocks need meanwhile is about 50 MB. */
export const SEAL_BLOCKS = 512
/** Blocks of a fresh segment, and grams of each, that are looked up again. */
const SAMPLE_BLOCKS = 4
const SAMPLE_GRAMS = 64

interface SealedRow {
  readonly id: number
  readonly ascii: number
}

interface SealOptions {
  readonly limit?: number
  readonly atLeast?: number
  /** Grams that are known, by block id; those of what is sealed are taken out. */
  readonly fresh?: Map<number, Uint32Array>
}

interface Group {
  readonly first: number
  readonly ids: number[]
  readonly grams: Uint32Array[]
}

/**
 * Seals blocks of a gap, the oldest first, a transaction for each segment, up to `limit` and as long as there are
 * `atLeast`; gives how many. One that can't be read stays outside of every segment: a search comes upon it, and tells.
 */
export function sealGap(db: Database, gap: Gap, options: SealOptions = {}): number {
  const { limit = Number.POSITIVE_INFINITY, atLeast = 1, fresh = new Map() } = options
  let sealed = 0
  for (let { after } = gap; sealed < limit; ) {
    const blocks = db.all<SealedRow>(
      'SELECT id, ascii FROM blocks WHERE id > ? AND id < ? ORDER BY id LIMIT ?',
      after,
      gap.before,
      Math.min(SEAL_BLOCKS, limit - sealed),
    )
    if (blocks.length < atLeast) break
    const groups = groupsOf(blocks, after + 1, (block) => fresh.get(block.id) ?? gramsOfStored(db, block))
    for (const group of groups) if (group.ids.length > 0) db.transaction(() => sealGroup(db, group))
    for (const { id } of blocks) fresh.delete(id)
    sealed += groups.reduce((sum, { ids }) => sum + ids.length, 0)
    after = blocks.at(-1)?.id ?? after
  }
  return sealed
}

/** Blocks in a row that can be read, with their grams. */
function groupsOf(
  blocks: readonly SealedRow[],
  first: number,
  gramsOfBlock: (block: SealedRow) => Uint32Array | undefined,
): Group[] {
  const groups: Group[] = [{ first, ids: [], grams: [] }]
  for (const block of blocks) {
    const grams = gramsOfBlock(block)
    const group = groups.at(-1)
    if (grams && group) {
      group.ids.push(block.id)
      group.grams.push(grams)
    } else groups.push({ first: block.id + 1, ids: [], grams: [] })
  }
  return groups
}

/** Undefined where the block can't be read. */
function gramsOfStored(db: Database, { id, ascii }: SealedRow): Uint32Array | undefined {
  const row = db.get<BytesRow>('SELECT size, crc, zstd FROM bytes WHERE id = ?', id)
  const bytes = row && unpack(row)
  return bytes && gramsOf(indexText(bytes, ascii === 1))
}

function sealGroup(db: Database, { first, ids, grams }: Group): void {
  const { starts, ordinals } = invert(grams)
  const last = ids.at(-1) ?? first
  const segment = insertSegment(db, { first, last, ids: Uint32Array.from(ids) }, (lists) => {
    for (let gram = 0; gram < GRAM_SPACE; gram++) {
      const from = starts[gram] as number
      const to = starts[gram + 1] as number
      if (to > from) lists.add(gram, ordinals.subarray(from, to), to - from)
    }
    lists.end(GRAM_SPACE)
  })
  checkSample(db, segment, grams)
}

/** From grams of each block to blocks of each gram: those of gram g are `ordinals[starts[g]…starts[g + 1] − 1]`. */
function invert(grams: readonly Uint32Array[]): { starts: Uint32Array; ordinals: Uint32Array } {
  const starts = new Uint32Array(GRAM_SPACE + 1)
  const total = grams.reduce((sum, each) => sum + each.length, 0)
  for (const each of grams) for (const gram of each) starts[gram + 1] = (starts[gram + 1] ?? 0) + 1
  for (let gram = 0; gram < GRAM_SPACE; gram++)
    starts[gram + 1] = (starts[gram + 1] as number) + (starts[gram] as number)
  if (starts[GRAM_SPACE] !== total) throw new RangeError('a gram lies outside of the gram space')
  const ordinals = new Uint32Array(total)
  const next = starts.slice()
  for (const [ordinal, each] of grams.entries()) {
    for (const gram of each) {
      const at = next[gram] as number
      ordinals[at] = ordinal
      next[gram] = at + 1
    }
  }
  return { starts, ordinals }
}

/** Looks some grams of some blocks up as a search would. Throws STORE_CORRUPT where the index doesn't lead to the block. */
function checkSample(db: Database, segment: Segment, grams: readonly Uint32Array[]): void {
  const into = new Uint32Array(segment.blocks)
  for (const ordinal of spread(grams.length, SAMPLE_BLOCKS)) {
    const own = grams[ordinal] ?? new Uint32Array()
    for (const gram of spread(own.length, SAMPLE_GRAMS).map((at) => own[at] as number)) {
      const chunk = chunkAt(db, segment, gram)
      const count = chunk.seek(gram) ? chunk.read(into) : 0
      if (count !== undefined && !into.subarray(0, count).includes(ordinal))
        throw new ProwlError(
          'STORE_CORRUPT',
          `a fresh index lacks gram ${gram} of block ${ordinal}; report this as a bug`,
        )
    }
  }
}

/** Up to `count` places among `length`, the first and last among them. */
function spread(length: number, count: number): number[] {
  if (length <= count) return Array.from({ length }, (_, i) => i)
  return Array.from({ length: count }, (_, i) => Math.round((i * (length - 1)) / (count - 1)))
}
