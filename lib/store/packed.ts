import { constants, crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 6 } }

export interface BytesRow {
  readonly size: number
  readonly crc: number
  readonly zstd: Uint8Array
}

/** A block's bytes as they are stored; `crc` is of these. */
export function pack(bytes: Uint8Array): Buffer {
  return zstdCompressSync(bytes, ZSTD)
}

/** The bytes of a block; undefined where they are damaged. */
export function unpack({ size, crc, zstd }: BytesRow): Uint8Array | undefined {
  if (crc32(zstd) !== crc) return undefined
  try {
    // One chunk just above the size decompresses a third faster than several of the default size (and none is smaller than 64).
    const bytes = zstdDecompressSync(zstd, { chunkSize: size + 64, maxOutputLength: Math.max(1, size) })
    return bytes.length === size ? bytes : undefined
  } catch {
    return undefined
  }
}
