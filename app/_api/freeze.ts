import { bodyOf } from '#app/_api/answer.ts'
import { clientOf, limitClient, refuseCrossSite } from '#app/_server/guard.ts'
import { readerPeer } from '#app/_server/reader.ts'
import { ProwlError } from '#lib/errors.ts'
import { parseQuery } from '#lib/search/query.ts'
import type { Context } from '#lib/service/context.ts'
import { type Freezable, type Frozen, freeze } from '#lib/service/freeze.ts'
import { context } from '#lib/service/open.ts'

/** A query of fifty patterns is a few kB. */
const MOST_BYTES = 16 * 1024

/** Freezes what a request names, once it is known to be neither another site's nor one too many. Throws coded errors. */
export async function freezeFor(
  request: Request,
  read: (body: string) => URLSearchParams,
  { programs }: { readonly programs: boolean },
): Promise<Frozen & { readonly ctx: Context }> {
  const ctx = await context()
  const { publicUrl, proxies } = ctx.config
  refuseCrossSite(request.headers, { programs, publicUrl })
  await limitClient(clientOf(request.headers, readerPeer(), proxies))
  const body = await bodyOf(request, MOST_BYTES)
  if (Buffer.byteLength(body) > MOST_BYTES)
    throw new ProwlError('REQUEST_TOO_LARGE', `a request holds at most ${MOST_BYTES / 1024} KiB; shorten it`)
  return { ctx, ...(await freeze(ctx, freezableOf(read(body)), request.signal)) }
}

/** One of `query` (a search's parameters), `signature` and `incident`. */
export function freezableOf(params: URLSearchParams): Freezable {
  const [query, signature, incident] = ['query', 'signature', 'incident'].map((name) => params.get(name))
  const given = [query, signature, incident].filter((value) => value !== null && value !== undefined)
  if (given.length !== 1)
    throw new ProwlError('QUERY_INVALID', 'give one of query, signature and incident: what to freeze')
  if (typeof query === 'string') return { query: parseQuery(new URLSearchParams(query), { strict: true }).query }
  if (typeof signature === 'string') return { signature }
  return { incident: incident ?? '' }
}
