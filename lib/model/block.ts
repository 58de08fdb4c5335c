import type { RunKey } from './run.ts'

/**
 * About 64 KiB of consecutive whole lines of one log: the unit of compression, indexing and verification.
 * A line over 64 KiB is cut in windows of 64 KiB that overlap by 4 KiB, one block each; `window` counts them from 0
 * and is absent for ordinary blocks.
 */
export interface Block {
  /** 1-based number of the block's first line; lines split on `\n` only, as Spyglass counts them. */
  readonly firstLine: number
  readonly lineCount: number
  /** The bytes as they were, ANSI codes and all, without the last line's `\n`. */
  readonly bytes: Uint8Array
  /** Every byte is below 0x80. */
  readonly ascii: boolean
  readonly window?: number
  /** The grams of its index text, ascending, where they are known already. */
  readonly grams?: Uint32Array
}

/** Names a stored block; opaque outside the store, valid until retention removes its day, safe to send to another thread. */
export interface BlockRef {
  readonly day: string
  readonly id: string
}

/** A stored block that may hold a match, with what its hits need. */
export interface Candidate extends RunKey {
  readonly ref: BlockRef
  readonly log: string
  readonly firstLine: number
  readonly lineCount: number
  readonly ascii: boolean
  readonly window?: number
  /** The run's time, epoch ms. */
  readonly time: number
}

/** A block as its log's are listed. */
export interface ListedBlock extends Candidate {
  /** Bytes that `read` gives of it. */
  readonly size: number
}
