import { Damaged } from './damaged.ts'

/**
 * Rice coding of ascending numbers as the gaps between them (https://en.wikipedia.org/wiki/Golomb_coding): of each gap
 * what is above `shift` bits in unary (ones, then a zero), then its lower bits. Bits fill bytes from the lowest on. For
 * blocks that hold a gram by chance that is within a tenth of the least there can be, a third less than whole bytes.
 */
export interface RicePlan {
  readonly shift: number
  /** In bytes. */
  readonly size: number
}

/** The shift that suits `count` of `space` numbers: what half of the gaps are below, about. */
export function riceShift(count: number, space: number): number {
  return Math.max(0, Math.floor(Math.log2((Math.LN2 * space) / count)))
}

/** What the first `count` numbers will take. */
export function planRice(values: Uint32Array, count: number, space: number): RicePlan {
  const shift = riceShift(count, space)
  let bits = count * (shift + 1)
  let next = 0
  for (let i = 0; i < count; i++) {
    const value = values[i] as number
    bits += (value - next) >>> shift
    next = value + 1
  }
  return { shift, size: (bits + 7) >>> 3 }
}

/** Writes what `planRice` planned. */
export function writeRice(values: Uint32Array, count: number, { shift, size }: RicePlan): Uint8Array {
  const bytes = new Uint8Array(size)
  const mask = (1 << shift) - 1
  let at = 0
  let held = 0
  let bits = 0
  let next = 0
  for (let i = 0; i < count; i++) {
    const value = values[i] as number
    const gap = value - next
    next = value + 1
    for (let high = gap >>> shift; high > 0; ) {
      const ones = Math.min(high, 16)
      held |= ((1 << ones) - 1) << bits
      bits += ones
      high -= ones
      for (; bits >= 8; bits -= 8, held >>>= 8) bytes[at++] = held
    }
    held |= (gap & mask) << (bits + 1)
    bits += shift + 1
    for (; bits >= 8; bits -= 8, held >>>= 8) bytes[at++] = held
  }
  if (bits > 0) bytes[at++] = held
  if (at !== size) throw new RangeError(`${at} bytes where ${size} were planned`)
  return bytes
}

/** Reads `count` numbers below `space`. Throws Damaged. */
export function readRice(bytes: Uint8Array, into: Uint32Array, count: number, space: number): void {
  const shift = riceShift(count, space)
  const mask = (1 << shift) - 1
  let at = 0
  let held = 0
  let bits = 0
  let next = 0
  for (let i = 0; i < count; i++) {
    let high = 0
    for (;;) {
      while (bits < 24 && at < bytes.length) {
        held |= (bytes[at++] as number) << bits
        bits += 8
      }
      const zeros = ~held
      const ones = 31 - Math.clz32(zeros & -zeros)
      if (ones < bits) {
        high += ones
        held >>>= ones + 1
        bits -= ones + 1
        break
      }
      if (at >= bytes.length) throw new Damaged('a list is cut off')
      high += bits
      held = 0
      bits = 0
    }
    while (bits < shift && at < bytes.length) {
      held |= (bytes[at++] as number) << bits
      bits += 8
    }
    if (bits < shift) throw new Damaged('a list is cut off')
    const value = next + high * 2 ** shift + (held & mask)
    if (value >= space) throw new Damaged('a list names a block that its segment has not')
    held >>>= shift
    bits -= shift
    into[i] = value
    next = value + 1
  }
}
