import { streamOf } from '#app/_api/answer.ts'
import { worthHeaders } from '#app/_api/counts.ts'
import { asked, formatOf, route } from '#app/_api/route.ts'
import { searchAnswer, searchLines, searchSheet } from '#app/_api/search-answer.ts'
import { searchRecords } from '#app/_api/search-records.ts'
import { FORMATS } from '#lib/api/operation.ts'
import { OPERATIONS } from '#lib/api/operations.ts'
import { ProwlError } from '#lib/errors.ts'
import { parseQuery } from '#lib/search/query.ts'
import { lackingOf } from '#lib/service/reach.ts'
import { searchView } from '#lib/service/search.ts'

const whole = route(OPERATIONS.search, async ({ request, ctx }) => {
  const { query, after } = parseQuery(new URL(request.url).searchParams, { strict: true })
  // A script that counts is told of the range it asked for and no other.
  const { error, ...view } = await searchView(ctx, query, { after, signal: request.signal, widen: false })
  if (error) throw new ProwlError(error.code, error.message, { position: error.position, pattern: error.pattern })
  const headers = {
    ...(view.next ? { link: `</api/v1/search?${view.next}>; rel="next"` } : {}),
    ...(view.cut ? { 'prowl-cut': view.cut } : {}),
    ...(view.reach ? worthHeaders(view.reach, lackingOf(view)) : {}),
  }
  return { view: searchAnswer(view), headers, text: () => searchLines(view), sheet: () => searchSheet(view) }
})

/** All lines as they are found, rather than a page of them. */
const streamed = asked(OPERATIONS.search, async ({ request, ctx }) => {
  const { query } = parseQuery(new URL(request.url).searchParams, { strict: true })
  const records = await searchRecords(ctx, query, request.signal)
  return new Response(streamOf(records), {
    headers: { 'content-type': FORMATS.ndjson, 'cache-control': 'no-store', vary: 'accept' },
  })
})

export function GET(request: Request): Promise<Response> {
  return formatOf(request, OPERATIONS.search.formats) === 'ndjson' ? streamed(request) : whole(request)
}
