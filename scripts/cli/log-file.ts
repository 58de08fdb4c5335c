import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import { ProwlError } from '#lib/errors.ts'
import { fromCaller } from './output.ts'

export async function isFile(name: string): Promise<boolean> {
  const info = await stat(fromCaller(name)).catch(() => undefined)
  return info !== undefined && !info.isDirectory()
}

/** The bytes of a log as they were before they were packed. Throws OBJECT_UNREADABLE, OBJECT_BROKEN. */
export async function* readLog(name: string): AsyncGenerator<Uint8Array> {
  const input: AsyncIterable<Buffer> = name === '-' ? process.stdin : createReadStream(fromCaller(name))
  const chunks = input[Symbol.asyncIterator]()
  try {
    const { value: first } = await chunks.next()
    if (!first) return
    const all = resumed(first, chunks)
    yield* first[0] === 0x1f && first[1] === 0x8b ? unpacked(all) : all
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
    throw code.startsWith('Z_') || code === 'ERR_STREAM_PREMATURE_CLOSE'
      ? new ProwlError('OBJECT_BROKEN', `${name}: its gzip ends early or is damaged; give the whole file`, { cause })
      : new ProwlError('OBJECT_UNREADABLE', `${name}: can't be read (${code}); check its permissions`, { cause })
  }
}

async function* resumed(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
}

async function* unpacked(packed: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip()
  const feeding = (async () => {
    for await (const chunk of packed)
      if (!gunzip.write(chunk)) await new Promise<void>((resolve) => gunzip.once('drain', () => resolve()))
    gunzip.end()
  })().catch((error: unknown) => void gunzip.destroy(error instanceof Error ? error : new Error(String(error))))
  for await (const chunk of gunzip) yield chunk
  await feeding
}
