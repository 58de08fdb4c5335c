import { isProwlError } from '#lib/errors.ts'
import type { ObjectInfo, Source } from '../source/source.ts'

/** A small object as text, invalid UTF-8 replaced, cut at `maxBytes`; of a broken gzip what came. */
export async function readText(
  source: Source,
  info: ObjectInfo,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of source.read(info.name, { generation: info.generation, ...(signal ? { signal } : {}) })) {
      chunks.push(chunk)
      bytes += chunk.byteLength
      if (bytes >= maxBytes) break
    }
  } catch (error) {
    if (!isProwlError(error) || error.code !== 'OBJECT_BROKEN') throw error
  }
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, maxBytes))
}
