import { Damaged } from './damaged.ts'
import { peekLength, readList, skipList, writeDropped, writeList } from './lists.ts'
import { ByteReader, ByteWriter } from './varint.ts'

/** Small enough to be read for one list; what SQLite leaves free of the last page is then little of it. */
const CHUNK_BYTES = 16_000

/** The lists of a stretch of the gram space, from `first` on. */
export interface Chunk {
  readonly first: number
  readonly data: Uint8Array
}

/**
 * Lays out a segment's lists as chunks that leave no gap in the gram space: each tells where it ends, so that a lost one
 * is noticed. Then, per gram: how far it is from the one before (or from the chunk's first), and its list.
 */
export class ChunkWriter {
  readonly #out = new ByteWriter()
  readonly #blocks: number
  readonly #emit: (chunk: Chunk) => void
  #first = 0
  #last = 0

  constructor(blocks: number, emit: (chunk: Chunk) => void) {
    this.#blocks = blocks
    this.#emit = emit
  }

  /** Grams ascending; of each the first `count` of `ordinals`, ascending. */
  add(gram: number, ordinals: Uint32Array, count: number): void {
    this.#start(gram)
    writeList(this.#out, ordinals, count, this.#blocks)
  }

  /** A gram whose list is not kept. */
  drop(gram: number): void {
    this.#start(gram)
    writeDropped(this.#out)
  }

  /** `space`: one past the largest gram there can be. */
  end(space: number): void {
    this.#flush(space)
  }

  #start(gram: number): void {
    if (this.#out.length >= CHUNK_BYTES) {
      this.#flush(gram)
      this.#first = gram
      this.#last = gram
    }
    this.#out.varint(gram - this.#last)
    this.#last = gram
  }

  #flush(end: number): void {
    const lists = this.#out.take()
    this.#out.varint(end - this.#first)
    this.#out.bytes(lists)
    this.#emit({ first: this.#first, data: this.#out.take() })
  }
}

/** Goes through the lists of a chunk. Throws Damaged where it is not what a ChunkWriter makes. */
export class ChunkReader {
  readonly end: number
  /** In bytes. */
  readonly size: number
  readonly #blocks: number
  readonly #from: ByteReader
  #next: number

  constructor({ first, data }: Chunk, blocks: number) {
    this.#blocks = blocks
    this.#from = new ByteReader(data)
    this.size = data.length
    this.end = first + this.#from.varint()
    if (this.end === first) throw new Damaged('a chunk is of nothing')
    this.#next = first
  }

  /** The next gram, whose list is then read or skipped; undefined at the end. */
  next(): number | undefined {
    if (this.#from.done) return undefined
    this.#next += this.#from.varint()
    if (this.#next >= this.end) throw new Damaged('a gram is outside of its chunk')
    return this.#next
  }

  /** How many ordinals there are, undefined where the list was dropped. */
  read(into: Uint32Array): number | undefined {
    return readList(this.#from, into, this.#blocks)
  }

  skip(): void {
    skipList(this.#from, this.#blocks)
  }

  /** Goes to the list of one gram; false where no block has it. */
  seek(gram: number): boolean {
    if (gram >= this.end) throw new Damaged('a chunk is missing')
    for (let found = this.next(); found !== undefined && found <= gram; found = this.next()) {
      if (found === gram) return true
      this.skip()
    }
    return false
  }

  /** About how many ordinals the list has that is read next. */
  get length(): number {
    return peekLength(this.#from, this.#blocks)
  }
}
