import type { Block } from '#lib/model/block.ts'
import { BlockCutter } from '#lib/text/blocks.ts'

const NEWLINE = 0x0a
/** A part line this long is kept as the windows of a cut line; a shorter one is left out with the middle. */
const LONG_LINE = 64 * 1024

/**
 * Cuts one log into blocks and holds it to a number of bytes: the first half of them and the last are kept, what lies
 * between is left out, and line numbers after it stay exact. Only the tail is ever held in memory.
 */
export class CappedLog {
  /** Decoded bytes pushed. */
  received = 0
  readonly #cutter = new BlockCutter()
  readonly #maxBytes: number
  #tail: Tail | undefined

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  push(chunk: Uint8Array): Block[] {
    this.received += chunk.byteLength
    if (this.#tail) {
      this.#tail.push(chunk)
      return []
    }
    const room = Math.ceil(this.#maxBytes / 2) - this.#cutter.bytes
    if (chunk.byteLength <= room) return this.#cutter.push(chunk)
    const wholeLines = chunk.subarray(0, room).lastIndexOf(NEWLINE) + 1
    const cut = wholeLines > 0 ? wholeLines : room
    this.#tail = new Tail(this.#maxBytes - this.#cutter.bytes - cut)
    this.#tail.push(chunk.subarray(cut))
    return this.#cutter.push(chunk.subarray(0, cut))
  }

  /** The rest, bit by bit, as the tail may be large. */
  *end(): Generator<Block[]> {
    const tail = this.#tail
    if (tail && tail.dropped > 0) yield this.#cutter.gap(tail.startAtLine())
    for (const chunk of tail?.take() ?? []) yield this.#cutter.push(chunk)
    yield this.#cutter.end()
  }

  /** Bytes kept, lines in all (those left out included), and what the log held if its middle was left out. */
  get counts(): { readonly bytes: number; readonly lines: number; readonly truncatedFrom?: number } {
    return {
      bytes: this.#cutter.bytes,
      lines: this.#cutter.lines,
      ...(this.#tail && this.#tail.dropped > 0 ? { truncatedFrom: this.received } : {}),
    }
  }
}

/** The last bytes of what is pushed, and how much and how many newlines were dropped before them. */
class Tail {
  dropped = 0
  readonly #max: number
  #chunks: Uint8Array[] = []
  #bytes = 0
  #newlines = 0
  #lastDropped = NEWLINE

  constructor(max: number) {
    this.#max = max
  }

  push(chunk: Uint8Array): void {
    if (chunk.byteLength === 0) return
    // Copied where the chunk is a small view of something larger, which it would keep in memory.
    this.#chunks.push(chunk.byteLength * 2 < chunk.buffer.byteLength ? chunk.slice() : chunk)
    this.#bytes += chunk.byteLength
    while (this.#bytes > this.#max) this.#drop(this.#bytes - this.#max)
  }

  /** Gives the chunks away, one by one. */
  *take(): Generator<Uint8Array> {
    for (let chunk = this.#chunks.shift(); chunk; chunk = this.#chunks.shift()) yield chunk
  }

  /** Leaves out the part line at the start, unless it is a long one; the newlines dropped in all. */
  startAtLine(): number {
    if (this.#lastDropped === NEWLINE) return this.#newlines
    let before = 0
    for (const chunk of this.#chunks) {
      const at = chunk.indexOf(NEWLINE)
      before += at < 0 ? chunk.byteLength : at + 1
      if (at >= 0 && before <= LONG_LINE) {
        for (let left = before; left > 0; ) left -= this.#drop(left)
        break
      }
      if (at >= 0 || before > LONG_LINE) break
    }
    return this.#newlines
  }

  /** Drops up to so many bytes of the first chunk; how many. */
  #drop(count: number): number {
    const first = this.#chunks[0]
    if (first === undefined) return 0
    const gone = first.subarray(0, count)
    if (gone.byteLength === first.byteLength) this.#chunks.shift()
    else this.#chunks[0] = first.subarray(count)
    this.#bytes -= gone.byteLength
    this.dropped += gone.byteLength
    this.#newlines += countNewlines(gone)
    this.#lastDropped = gone.at(-1) ?? NEWLINE
    return gone.byteLength
  }
}

function countNewlines(bytes: Uint8Array): number {
  let count = 0
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count++
  return count
}
