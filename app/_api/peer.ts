import { bodyOf, tagged, wantsText } from '#app/_api/answer.ts'
import { worthHeaders } from '#app/_api/counts.ts'
import { siteAt } from '#app/_server/site.ts'
import { isProwlError, ProwlError } from '#lib/errors.ts'
import { parsePeerQuery } from '#lib/search/peer-query.ts'
import type { Context } from '#lib/service/context.ts'
import { context } from '#lib/service/open.ts'
import { type PeerAnswer, recentPeerSearch } from '#lib/service/peer.ts'
import { peerLines } from '#lib/service/peer-answer.ts'
import { lackingOf } from '#lib/service/reach.ts'
import { jsonText, shownText } from '#lib/text/printable.ts'

/** Fifty patterns as long as they may be. */
const MOST_BYTES = 1024 * 1024
/** What was asked for a moment ago is what there is now. */
const MAX_AGE_SECONDS = 15

/** A search as ci-search's clients make it, by address or by form; `shape` makes JSON of the answer. */
export function answerPeer(request: Request, shape: (answer: PeerAnswer, site: string) => unknown): Promise<Response> {
  return plainly(request, async () => {
    const ctx = await context()
    const peer = parsePeerQuery(await paramsOf(request))
    const answer = await recentPeerSearch(ctx, peer, request.signal)
    const isText = wantsText(request)
    const body = isText ? peerLines(answer) : jsonText(shape(answer, siteOf(ctx, request)))
    const type = isText ? 'text/plain; charset=utf-8' : 'application/json'
    return tagged(request, body, { 'content-type': type, ...reachHeaders(answer, MAX_AGE_SECONDS) })
  })
}

/** What every count is worth: scripts that gate on one read these. */
export function reachHeaders(
  { partial, reach }: Pick<PeerAnswer, 'partial' | 'reach'>,
  maxAgeSeconds: number,
): Record<string, string> {
  return {
    ...worthHeaders(reach, lackingOf({ partial, reach })),
    'cache-control': partial.length > 0 ? 'no-store' : `public, max-age=${maxAgeSeconds}`,
  }
}

/** Errors in plain words: what counts the fields of JSON must not take an error for one match. */
export async function plainly(request: Request, handle: () => Promise<Response>): Promise<Response> {
  try {
    return await handle()
  } catch (error) {
    if (request.signal.aborted) return new Response(null, { status: 499 })
    if (!isProwlError(error)) throw error
    const { code, message, position, pattern, docs, status } = error
    const where =
      pattern && position !== undefined
        ? `\n  ${shownText(pattern.text)}\n  ${' '.repeat(position)}^ at ${position}\n`
        : ''
    return new Response(`${message}\n${where}\n${code} (${docs})\n`, {
      status,
      headers: {
        'content-type': 'text/plain; charset=utf-8',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        'prowl-error': code,
        ...(position === undefined ? {} : { 'prowl-error-position': String(position) }),
        ...(status === 503 ? { 'retry-after': '5' } : {}),
      },
    })
  }
}

/** Where pages of this server are, without a slash at the end. */
export function siteOf({ config }: Context, request: Request): string {
  return siteAt(config, request.headers)
}

/** Of the address and, of a POST, of its form. Throws QUERY_INVALID, REQUEST_TOO_LARGE. */
export async function paramsOf(request: Request): Promise<URLSearchParams> {
  const params = new URLSearchParams(new URL(request.url).search)
  if (request.method !== 'POST') return params
  const body = await bodyOf(request, MOST_BYTES)
  if (Buffer.byteLength(body) > MOST_BYTES)
    throw new ProwlError('REQUEST_TOO_LARGE', `a form holds at most ${MOST_BYTES / 1024} KiB; shorten it`)
  for (const [name, value] of await formOf(request, body)) params.append(name, value)
  return params
}

async function formOf(request: Request, body: string): Promise<Iterable<[string, string]>> {
  const type = request.headers.get('content-type') ?? ''
  if (!type.startsWith('multipart/form-data')) return new URLSearchParams(body)
  try {
    const form = await new Response(body, { headers: { 'content-type': type } }).formData()
    return [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))
  } catch (cause) {
    throw new ProwlError('QUERY_INVALID', 'the form could not be read; send it as a browser or curl does', { cause })
  }
}
