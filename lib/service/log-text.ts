import { ProwlError } from '../errors.ts'
import type { Candidate, ListedBlock } from '../model/block.ts'
import type { Log, RunKey } from '../model/run.ts'
import type { Store } from '../store/store.ts'
import { displayText } from '../text/match-text.ts'
import { overlapOf } from '../text/windows.ts'
import type { ByteRange } from './byte-range.ts'

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
  readonly block: ListedBlock
  /** Absent where it was passed over: it ends before what is asked for. */
  readonly bytes?: Uint8Array
}

const ALL: ByteRange = { first: 0, last: Number.POSITIVE_INFINITY }

/** The bytes of a log, or a range of them, as they were read, in chunks; what ingest left out is missing. Throws NOT_FOUND where it ends early. */
export async function* bytesOf(
  store: Store,
  key: RunKey,
  log: Log,
  range: ByteRange = ALL,
): AsyncGenerator<Uint8Array> {
  let before: Read | undefined
  let at = 0
  const within = (chunk: Uint8Array) => {
    const [from, to] = [Math.max(0, range.first - at), Math.max(0, range.last + 1 - at)]
    at += chunk.byteLength
    return chunk.subarray(from, to)
  }
  for await (const read of blocksOf(store, key, log, range.first)) {
    if (!read.bytes) at += read.block.size + (before ? 1 : 0)
    else
      for (const chunk of joined(before, read.block, read.bytes)) {
        const part = within(chunk)
        if (part.byteLength > 0) yield part
      }
    if (at > range.last) return
    before = read
  }
  if (at === log.bytes - 1) yield within(Uint8Array.of(NEWLINE))
  // Whoever was promised so many bytes must not take fewer for all of them.
  else if (at < log.bytes)
    throw new ProwlError('NOT_FOUND', `${log.name} of ${key.path} ended early: its text expired meanwhile`)
}

async function* blocksOf(store: Store, key: RunKey, log: Log, first: number): AsyncGenerator<Read> {
  let passed = 0
  for (let from = 1; from <= log.lines; from += LINES_AT_ONCE) {
    const to = from + LINES_AT_ONCE - 1
    const blocks = await store.blocks(key, log.name, from, to)
    // A block that reaches over the border comes with the range of its first line.
    const own = blocks.filter((block) => block.firstLine >= from)
    // How much windows of a long line overlap only their bytes tell.
    const isBefore = (block: ListedBlock) => block.window === undefined && passed + block.size + 1 <= first
    let at = 0
    for (let block = own[0]; block && isBefore(block); block = own[++at]) {
      passed += block.size + 1
      yield { block }
    }
    if (at < own.length) passed = Number.POSITIVE_INFINITY
    for (; at < own.length; at += BLOCKS_AT_ONCE) {
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
function joined(before: Read | undefined, block: ListedBlock, bytes: Uint8Array): Uint8Array[] {
  if (!before) return [bytes]
  const goesOn = block.window !== undefined && before.block.window === block.window - 1
  return goesOn && before.bytes ? [bytes.subarray(overlapOf(before.bytes))] : [Uint8Array.of(NEWLINE), bytes]
}
