/** Bytes of a log, both ends included. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

/**
 * What a Range header (RFC 9110, 14.2) asks of so many bytes; `none` where it has none of them. Undefined where the whole
 * is to be given: no header, one that does not parse, another unit, several ranges at once.
 */
export function byteRange(header: string | null, size: number): ByteRange | 'none' | undefined {
  const [, start, end] = /^bytes=(\d*)-(\d*)$/i.exec(header?.replace(/[ \t]/g, '') ?? '') ?? []
  if (start === undefined || end === undefined || (start === '' && end === '')) return undefined
  if (start === '') {
    const length = Math.min(Number(end), size)
    return length === 0 ? 'none' : { first: size - length, last: size - 1 }
  }
  const first = Number(start)
  const last = end === '' ? Number.POSITIVE_INFINITY : Number(end)
  if (last < first) return undefined
  return first >= size ? 'none' : { first, last: Math.min(last, size - 1) }
}
