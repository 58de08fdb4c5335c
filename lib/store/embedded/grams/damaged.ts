/** Bytes of an index that are not what was written. Never reaches a caller of the store: what they index is scanned. */
export class Damaged extends Error {
  override readonly name = 'Damaged'
  readonly segment: number | undefined

  constructor(message: string, segment?: number) {
    super(message)
    this.segment = segment
  }
}
