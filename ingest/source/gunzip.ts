import { createGunzip } from 'node:zlib'
import { ProwlError } from '#lib/errors.ts'

/** Input is fed in pieces of this size, so that what a damaged gzip still yields does not depend on how it arrived. */
const PIECE = 4096

/**
 * Decodes by content: a stream that begins with the gzip magic (RFC 1952, one member or several) is gunzipped, any
 * other passes through. A gzip that ends early or is damaged throws OBJECT_BROKEN after the text up to there.
 */
export async function* gunzipByContent(chunks: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]()
  try {
    const head = await firstBytes(iterator)
    const whole = rest(head, iterator)
    if (head[0] === 0x1f && head[1] === 0x8b) yield* gunzip(whole, name)
    else yield* whole
  } finally {
    await iterator.return?.()
  }
}

async function firstBytes(iterator: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  let head: Uint8Array = new Uint8Array(0)
  while (head.length < 2) {
    const next = await iterator.next()
    if (next.done) break
    head = head.length === 0 ? next.value : Buffer.concat([head, next.value])
  }
  return head
}

async function* rest(head: Uint8Array, iterator: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield head
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value
}

async function* gunzip(chunks: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const stream = createGunzip()
  let left = false
  let fault: unknown
  // The end is told apart from the last piece: Node drops what a piece yields if the gzip turns out to be cut there.
  // What comes after the gzip's end or fault is taken too: only then the source says whether the bytes came whole.
  const fed = (async () => {
    for await (const piece of pieces(chunks)) {
      if (left) return
      if (!stream.destroyed && !stream.readableEnded) await written(stream, piece)
    }
    stream.end()
  })().catch((error: unknown) => {
    fault = error
    stream.destroy()
  })
  try {
    for await (const chunk of stream) yield chunk as Uint8Array
    await fed
  } catch (error) {
    await fed
    fault ??= new ProwlError(
      'OBJECT_BROKEN',
      `${name}: not a whole gzip (${(error as Error).message}); kept what came`,
      {
        cause: error,
      },
    )
  } finally {
    left = true
    stream.destroy()
    await fed
  }
  if (fault) throw fault
}

/** Resolves when the piece is decoded, or the stream is done with: faults are its reader's. */
function written(stream: ReturnType<typeof createGunzip>, piece: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stream.off('close', done)
      resolve()
    }
    stream.once('close', done)
    stream.write(piece, done)
  })
}

/** Cuts at multiples of PIECE from the start of the stream, however the chunks fall. */
async function* pieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array = new Uint8Array(0)
  for await (const chunk of chunks) {
    const all = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    let at = 0
    for (; at + PIECE <= all.length; at += PIECE) yield all.subarray(at, at + PIECE)
    held = all.subarray(at)
  }
  if (held.length > 0) yield held
}
