import { isAscii } from 'node:buffer'
import type { Block } from '../model/block.ts'

const BLOCK = 64 * 1024
const OVERLAP = 4 * 1024
const NEWLINE = 0x0a

/**
 * Cuts one log, pushed in chunks of any size, into blocks of whole lines of at most 64 KiB. A longer line becomes
 * windows of 64 KiB, each starting 4 KiB before the end of the one before it; they are given out as they fill, so a
 * line of any length is held in bounded memory. A window starts and ends between UTF-8 sequences: its edge moves back,
 * by up to three bytes, to the start of the sequence it falls into.
 */
export class BlockCutter {
  /** Bytes pushed so far. */
  bytes = 0
  readonly #buffer = Buffer.allocUnsafe(4 * BLOCK)
  #length = 0
  /** `\n` bytes given out or left out so far: one less than the number of the line that the buffer starts in. */
  #newlines = 0
  #window: number | undefined

  /** Lines given out so far, those of gaps included; after `end`, all of them. */
  lines = 0

  push(chunk: Uint8Array): Block[] {
    const blocks: Block[] = []
    this.bytes += chunk.byteLength
    for (let at = 0; at < chunk.byteLength; at += BLOCK) {
      const slice = chunk.subarray(at, at + BLOCK)
      this.#buffer.set(slice, this.#length)
      this.#length += slice.byteLength
      this.#drain(blocks)
    }
    return blocks
  }

  /** Gives out what is left. A last line without `\n` counts; nothing after the last `\n` is no line. */
  end(): Block[] {
    const blocks: Block[] = []
    let start = 0
    if (this.#window !== undefined) start = this.#nextWindow(blocks, 0)
    if (start < this.#length) {
      const last = this.#length - 1
      if (this.#buffer[last] === NEWLINE) this.#emitClosed(blocks, start, last)
      else this.#emit(blocks, start, this.#length)
    }
    this.#window = undefined
    this.#length = 0
    return blocks
  }

  /**
   * Says that a part of the log holding `newlines` bytes `\n` is left out here. Gives out what came before; a line that
   * the gap cuts is given out in two blocks. Line numbers after it count the lines left out.
   */
  gap(newlines: number): Block[] {
    const blocks = this.end()
    this.#newlines += newlines
    this.lines = Math.max(this.lines, this.#newlines)
    return blocks
  }

  #drain(blocks: Block[]): void {
    let start = 0
    while (this.#length - start > BLOCK) {
      if (this.#window !== undefined) start = this.#nextWindow(blocks, start)
      else {
        const end = this.#buffer.lastIndexOf(NEWLINE, start + BLOCK)
        if (end >= start) start = this.#emitClosed(blocks, start, end)
        else this.#window = 0
      }
    }
    this.#buffer.copyWithin(0, start, this.#length)
    this.#length -= start
  }

  /** Gives out the next window of a long line, which starts at `start`; where the next block starts. */
  #nextWindow(blocks: Block[], start: number): number {
    const end = this.#buffer.subarray(start, Math.min(this.#length, start + BLOCK + 1)).indexOf(NEWLINE)
    if (end >= 0) return this.#emitClosed(blocks, start, start + end)
    const cut = this.#length - start > BLOCK ? this.#boundary(start + BLOCK) : this.#length
    this.#emit(blocks, start, cut)
    if (this.#window !== undefined) this.#window++
    return cut === this.#length ? cut : this.#boundary(cut - OVERLAP)
  }

  #emitClosed(blocks: Block[], start: number, end: number): number {
    this.#emit(blocks, start, end)
    this.#newlines++
    this.#window = undefined
    return end + 1
  }

  /** The last position at or before `at` that is not inside a UTF-8 sequence. */
  #boundary(at: number): number {
    for (let back = 0; back <= 3; back++) if (((this.#buffer[at - back] ?? 0) & 0xc0) !== 0x80) return at - back
    return at
  }

  #emit(blocks: Block[], from: number, to: number): void {
    const bytes = new Uint8Array(this.#buffer.subarray(from, to))
    const window = this.#window
    const inner = window === undefined ? countNewlines(bytes) : 0
    const firstLine = this.#newlines + 1
    blocks.push({
      firstLine,
      lineCount: inner + 1,
      bytes,
      ascii: isAscii(bytes),
      ...(window !== undefined && { window }),
    })
    this.#newlines += inner
    this.lines = firstLine + inner
  }
}

function countNewlines(bytes: Uint8Array): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let count = 0
  for (let at = buffer.indexOf(NEWLINE); at >= 0; at = buffer.indexOf(NEWLINE, at + 1)) count++
  return count
}
