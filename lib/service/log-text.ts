import type { Candidate } from '../model/block.ts'
import type { Log, RunKey } from '../model/run.ts'
import type { Store } from '../store/store.ts'
import { displayText } from '../text/match-text.ts'
import { overlapOf } from '../text/windows.ts'

/** Characters of a line that a page shows. */
const LINE_CAP = 8 * 1024
const BLOCKS_AT_ONCE = 8
const LINES_AT_ONCE = 20_000

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

/** The bytes of a whole log as they were read, in chunks; a part that ingest left out, or that is gone, is missing. */
export async function* bytesOf(store: Store, key: RunKey, log: Log): AsyncGenerator<Uint8Array> {
  let before: { readonly block: Candidate; readonly bytes: Uint8Array } | undefined
  for (let from = 1; from <= log.lines; from += LINES_AT_ONCE) {
    const to = from + LINES_AT_ONCE - 1
    const blocks = await store.blocks(key, log.name, from, to)
    // A block is given with the range that its first line lies in.
    const own = blocks.filter((block) => block.firstLine >= from && block.firstLine <= to)
    for (let at = 0; at < own.length; at += BLOCKS_AT_ONCE) {
      const some = own.slice(at, at + BLOCKS_AT_ONCE)
      const texts = await store.read(some.map((block) => block.ref))
      for (const [index, block] of some.entries()) {
        const bytes = texts[index]
        if (!bytes) continue
        if (before) yield* joint(before, block, bytes)
        else yield bytes
        before = { block, bytes }
      }
    }
  }
}

/** The next block's bytes after the line end, or after the overlap of windows, that stands between the two. */
function* joint(
  before: { readonly block: Candidate; readonly bytes: Uint8Array },
  block: Candidate,
  bytes: Uint8Array,
): Generator<Uint8Array> {
  if (block.window && before.block.window === block.window - 1) yield bytes.subarray(overlapOf(before.bytes))
  else {
    yield Uint8Array.of(0x0a)
    yield bytes
  }
}
