/** A block just written. */
export interface FreshBlock {
  readonly id: number
  readonly grams: Uint32Array | undefined
}

/** Blocks of all files whose grams are held: some 40 KB each. */
const MAX_HELD = 2048

/** Grams that came with blocks not sealed yet, by day file; what is not held is worked out from the text when it is sealed. */
export class FreshGrams {
  readonly #files = new Map<number, Map<number, Uint32Array>>()

  add(file: number, blocks: readonly FreshBlock[]): void {
    const held = this.of(file)
    // An id that a failed write gave back comes again: what was held under it is not this block's.
    for (const { id } of blocks) held.delete(id)
    for (const { id, grams } of blocks) if (grams) held.set(id, grams)
    this.#files.delete(file)
    this.#files.set(file, held)
    for (const [other, { size }] of this.#files) if (this.#held > MAX_HELD && size > 0) this.#files.delete(other)
  }

  of(file: number): Map<number, Uint32Array> {
    return this.#files.get(file) ?? new Map()
  }

  clear(): void {
    this.#files.clear()
  }

  get #held(): number {
    return [...this.#files.values()].reduce((sum, { size }) => sum + size, 0)
  }
}
