import { Damaged } from './damaged.ts'

/**
 * LEB128: seven bits a byte, the lowest first, the high bit set on all but the last byte
 * (https://dwarfstd.org/doc/DWARF5.pdf, 7.6). Whole numbers below 2^31.
 */
export class ByteWriter {
  #bytes = new Uint8Array(8192)
  length = 0

  varint(value: number): void {
    this.#reserve(5)
    let rest = value
    while (rest > 0x7f) {
      this.#bytes[this.length++] = (rest & 0x7f) | 0x80
      rest >>>= 7
    }
    this.#bytes[this.length++] = rest
  }

  bytes(part: Uint8Array): void {
    this.#reserve(part.length)
    this.#bytes.set(part, this.length)
    this.length += part.length
  }

  /** A copy of what was written; starts anew. */
  take(): Uint8Array {
    const taken = this.#bytes.slice(0, this.length)
    this.length = 0
    return taken
  }

  /** A write past a typed array's end is dropped without a word. */
  #reserve(count: number): void {
    if (this.length + count <= this.#bytes.length) return
    const grown = new Uint8Array(Math.max(2 * this.#bytes.length, this.length + count))
    grown.set(this.#bytes.subarray(0, this.length))
    this.#bytes = grown
  }
}

/** Reads what ByteWriter wrote. Throws Damaged where bytes end early or a number has more than 31 bits. */
export class ByteReader {
  readonly #bytes: Uint8Array
  at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get done(): boolean {
    return this.at >= this.#bytes.length
  }

  varint(): number {
    let value = 0
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.#bytes[this.at++]
      if (byte === undefined) throw new Damaged('a number is cut off')
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) {
        if (value >= 2 ** 31) break
        return value
      }
    }
    throw new Damaged('a number is too large')
  }

  skipVarints(count: number): void {
    const bytes = this.#bytes
    let at = this.at
    for (let left = count; left > 0; at++) {
      const byte = bytes[at]
      if (byte === undefined) throw new Damaged('numbers are cut off')
      if (byte < 0x80) left--
    }
    this.at = at
  }

  /** The next bytes, not copied. */
  bytes(count: number): Uint8Array {
    const end = this.at + count
    if (end > this.#bytes.length) throw new Damaged('bytes are cut off')
    const part = this.#bytes.subarray(this.at, end)
    this.at = end
    return part
  }
}
