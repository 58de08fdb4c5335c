import { createHash } from 'node:crypto'
import { ProwlError } from '#lib/errors.ts'
import { createRecent, type Recent } from '#lib/service/recent.ts'
import { hasAlready } from './answer.ts'

/** Of how pictures are drawn: changed where the same facts look different. */
const STYLE = 1
const KEPT_MS = 300_000
const KEPT_BYTES = 16 * 2 ** 20

type Bytes = Uint8Array<ArrayBuffer>

/** Next bundles this module several times over; the process still draws one picture at a time, and keeps each once. */
const shared: typeof globalThis & { prowlPictures?: Recent<Bytes> } = globalThis

export interface PictureOptions {
  readonly type: 'image/png' | 'image/svg+xml'
  /** `for-good`: what is at the address never changes. */
  readonly keep: 'short' | 'for-good'
}

const CACHE_CONTROL = {
  short: 'public, max-age=300',
  'for-good': 'public, max-age=31536000, immutable',
}

/**
 * Answers with a picture of `facts`, all that is drawn of: as long as they are the same, so is its tag, and 304 costs no
 * drawing. It is framed by nothing and runs nothing, should it be opened by itself. Throws SEARCH_BUSY.
 */
export async function picture(
  request: Request,
  facts: unknown,
  { type, keep }: PictureOptions,
  draw: () => Promise<ArrayBuffer> | string,
): Promise<Response> {
  const hash = createHash('sha256')
    .update(JSON.stringify([STYLE, type, facts]))
    .digest('base64url')
    .slice(0, 22)
  const etag = `"${hash}"`
  const headers = {
    etag,
    'content-type': type === 'image/svg+xml' ? `${type}; charset=utf-8` : type,
    'cache-control': CACHE_CONTROL[keep],
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'x-content-type-options': 'nosniff',
  }
  if (hasAlready(request, etag)) return new Response(null, { status: 304, headers })
  shared.prowlPictures ??= createRecent({
    name: 'picture',
    now: Date.now,
    ms: KEPT_MS,
    most: KEPT_BYTES,
    sizeOf: (bytes) => bytes.byteLength,
    atOnce: 1,
    waiting: 40,
  })
  const bytes = await shared.prowlPictures.get(hash, async () => bytesOf(await draw()), request.signal)
  return new Response(bytes, { headers: { ...headers, 'content-length': String(bytes.byteLength) } })
}

function bytesOf(drawn: ArrayBuffer | string): Bytes {
  return typeof drawn === 'string' ? new TextEncoder().encode(drawn) : new Uint8Array(drawn)
}

/** One of `choices`, the first where nothing is asked for. Throws QUERY_INVALID that names the parameter. */
export function choiceOf<T extends string>(request: Request, name: string, choices: readonly [T, ...T[]]): T {
  const given = new URL(request.url).searchParams.get(name)
  if (!given) return choices[0]
  const found = choices.find((choice) => choice === given)
  if (found === undefined) throw new ProwlError('QUERY_INVALID', `${name}: must be one of ${choices.join(', ')}`)
  return found
}
