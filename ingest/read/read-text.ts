import { isProwlError } from '#lib/errors.ts'
import type { Source } from '../source/source.ts'

/** A small object as text, invalid UTF-8 replaced, cut at `maxBytes`; of a broken gzip what came. */
export async function readText(
  source: Source,
  { name, generation }: { readonly name: string; readonly generation?: string },
  maxBytes: number,
  signal?: AbortSignal,
): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    const options = { ...(generation === undefined ? {} : { generation }), ...(signal ? { signal } : {}) }
    for await (const chunk of source.read(name, options)) {
      chunks.push(chunk)
      bytes += chunk.byteLength
      if (bytes >= maxBytes) break
    }
  } catch (error) {
    if (!isProwlError(error) || error.code !== 'OBJECT_BROKEN') throw error
  }
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, maxBytes))
}
