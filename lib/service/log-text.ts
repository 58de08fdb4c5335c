import { ProwlError } from '../errors.ts'
import type { Candidate } from '../model/block.ts'
import type { Log, RunKey } from '../model/run.ts'
import type { Store } from '../store/store.ts'
import { displayText } from '../text/match-text.ts'
import { overlapOf } from '../text/windows.ts'

/** Characters of a line that a page shows. */
const LINE_CAP = 8 * 1024
const BLOCKS_AT_ONCE = 8
const LINES_AT_ONCE = 20_000
const NEWLINE = 0x0a

export interface ShownLine {
  readonly number: number
  readonly text: string
  readonly cut: boolean
}

/** Lines `from`…`to` of a log as they were, escape codes kept, capped; numbers skip what ingest left out. */
export async function linesOf(store: Store, key: RunKey, log: string, from: number, to: number): Promise<ShownLine[]> {
  const blocks = await store.blocks(key, log, from, to)
  // Of a long line the first window is more than is shown.
  const shown = blocks.filter((block) => !block.window)
  const lines: ShownLine[] = []
  for (let at = 0; at < shown.length; at += BLOCKS_AT_ONCE) {
    const some = shown.slice(at, at + BLOCKS_AT_ONCE)
    const texts = await store.read(some.map((block) => block.ref))
    for (const [index, block] of some.entries()) {
      const bytes = texts[index]
      if (bytes) lines.push(...linesOfBlock(block, bytes, from, to))
    }
  }
  return lines
}

function linesOfBlock(block: Candidate, bytes: Uint8Array, from: number, to: number): ShownLine[] {
  return displayText(bytes)
    .split('\n')
    .map((text, index) => ({
      number: block.firstLine + index,
      text: text.slice(0, LINE_CAP),
      cut: text.length > LINE_CAP,
    }))
    .filter((line) => line.number >= from && line.number <= to)
}

interface Read {
  readonly block: Candidate
  readonly bytes: Uint8Array
}

/** The bytes of a whole log as they were read, in chunks; a part that ingest left out, or that is gone, is missing. */
export async function* bytesOf(store: Store, key: RunKey, log: Log): AsyncGenerator<Uint8Array> {
  let before: Read | undefined
  let size = 0
  for await (const read of blocksOf(store, key, log)) {
    for (const chunk of joined(before, read)) {
      size += chunk.byteLength
      yield chunk
    }
    before = read
  }
  if (size === log.bytes - 1) yield Uint8Array.of(NEWLINE)
  // Whoever was promised so many bytes must not take fewer for all of them.
  else if (size < log.bytes)
    throw new ProwlError('NOT_FOUND', `${log.name} of ${key.path} ended early: its text expired meanwhile`)
}

async function* blocksOf(store: Store, key: RunKey, log: Log): AsyncGenerator<Read> {
  for (let from = 1; from <= log.lines; from += LINES_AT_ONCE) {
    const to = from + LINES_AT_ONCE - 1
    const blocks = await store.blocks(key, log.name, from, to)
    // A block that reaches over the border comes with the range of its first line.
    const own = blocks.filter((block) => block.firstLine >= from)
    for (let at = 0; at < own.length; at += BLOCKS_AT_ONCE) {
      const some = own.slice(at, at + BLOCKS_AT_ONCE)
      const texts = await store.read(some.map((block) => block.ref))
      for (const [index, block] of some.entries()) {
        const bytes = texts[index]
        if (bytes) yield { block, bytes }
      }
    }
  }
}

/** A block's bytes after the line end, or without the overlap of windows, that stands between it and the one before. */
function joined(before: Read | undefined, { block, bytes }: Read): Uint8Array[] {
  if (!before) return [bytes]
  const goesOn = block.window !== undefined && before.block.window === block.window - 1
  return goesOn ? [bytes.subarray(overlapOf(before.bytes))] : [Uint8Array.of(NEWLINE), bytes]
}
