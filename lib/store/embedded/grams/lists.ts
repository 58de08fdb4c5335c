import { Damaged } from './damaged.ts'
import { planRice, readRice, writeRice } from './rice.ts'
import type { ByteReader, ByteWriter } from './varint.ts'

/**
 * A gram's list of the blocks, by ordinal in their segment, that hold it. On disk: a number that is 0 for a list that
 * was dropped, 1 for a bitmap of all blocks, else one more than the count of the ordinals that follow as gaps: few of
 * them as a number each, more in Rice coding with its length before it.
 */
const DROPPED = 0
const BITMAP = 1
/** Below, the length would cost more than is won. */
const MIN_RICE = 6

/** In a segment of fewer blocks no list is dropped: dropping what few blocks share would leave it none. */
const MIN_DROPPING = 64

/** Whether a list that so many of the segment's blocks hold tells too little to be kept. */
export function isDropped(count: number, blocks: number): boolean {
  return blocks >= MIN_DROPPING && count * 2 > blocks
}

/** Writes the first `count` of `ordinals`, ascending and at least one, in the smaller form. */
export function writeList(out: ByteWriter, ordinals: Uint32Array, count: number, blocks: number): void {
  if (count < 1 || count > ordinals.length || count > blocks) throw new RangeError(`a list of ${count} of ${blocks}`)
  if (isDropped(count, blocks)) {
    writeDropped(out)
    return
  }
  if (count >= MIN_RICE) {
    writeLong(out, ordinals, count, blocks)
    return
  }
  out.varint(count + 1)
  let next = 0
  for (let i = 0; i < count; i++) {
    const ordinal = ordinals[i] as number
    out.varint(ordinal - next)
    next = ordinal + 1
  }
}

/** A list that every block of the segment counts for. */
export function writeDropped(out: ByteWriter): void {
  out.varint(DROPPED)
}

function writeLong(out: ByteWriter, ordinals: Uint32Array, count: number, blocks: number): void {
  const plan = planRice(ordinals, count, blocks)
  if (plan.size >= (blocks + 7) >> 3) {
    out.varint(BITMAP)
    out.bytes(bitmapOf(ordinals, count, blocks))
    return
  }
  out.varint(count + 1)
  out.varint(plan.size)
  out.bytes(writeRice(ordinals, count, plan))
}

function bitmapOf(ordinals: Uint32Array, count: number, blocks: number): Uint8Array {
  const bits = new Uint8Array((blocks + 7) >> 3)
  for (let i = 0; i < count; i++) {
    const ordinal = ordinals[i] as number
    bits[ordinal >> 3] = (bits[ordinal >> 3] as number) | (1 << (ordinal & 7))
  }
  return bits
}

/** Reads a list into `into`; how many ordinals there are, undefined where the list was dropped. Throws Damaged. */
export function readList(from: ByteReader, into: Uint32Array, blocks: number): number | undefined {
  const head = from.varint()
  if (head === DROPPED) return undefined
  if (head === BITMAP) return readBitmap(from.bytes((blocks + 7) >> 3), into, blocks)
  const count = head - 1
  if (count > blocks || count > into.length) throw new Damaged('a list is longer than its segment')
  if (count >= MIN_RICE) {
    readRice(from.bytes(from.varint()), into, count, blocks)
    return count
  }
  let next = 0
  for (let i = 0; i < count; i++) {
    const ordinal = next + from.varint()
    if (ordinal >= blocks) throw new Damaged('a list names a block that its segment has not')
    into[i] = ordinal
    next = ordinal + 1
  }
  return count
}

function readBitmap(bits: Uint8Array, into: Uint32Array, blocks: number): number {
  let count = 0
  for (let at = 0; at < bits.length; at++) {
    for (let byte = bits[at] as number; byte !== 0; byte &= byte - 1) {
      const ordinal = (at << 3) + (31 - Math.clz32(byte & -byte))
      if (ordinal >= blocks) throw new Damaged('a bitmap names a block that its segment has not')
      into[count++] = ordinal
    }
  }
  return count
}

/** Passes over a list. Throws Damaged where it is cut off. */
export function skipList(from: ByteReader, blocks: number): void {
  const head = from.varint()
  if (head === BITMAP) from.bytes((blocks + 7) >> 3)
  else if (head > MIN_RICE) from.bytes(from.varint())
  else if (head > BITMAP) from.skipVarints(head - 1)
}

/** About how long the list is that is read next: of a dropped one all blocks. Throws Damaged. */
export function peekLength(from: ByteReader, blocks: number): number {
  const start = from.at
  const head = from.varint()
  from.at = start
  if (head === DROPPED) return blocks
  return head === BITMAP ? blocks >> 2 : head - 1
}
