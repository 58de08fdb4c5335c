import { worthHeaders } from '#app/_api/counts.ts'
import { route } from '#app/_api/route.ts'
import { countsSheet } from '#app/_api/sheets.ts'
import { OPERATIONS } from '#lib/api/operations.ts'
import { ProwlError } from '#lib/errors.ts'
import { parseQuery } from '#lib/search/query.ts'
import { countsLines } from '#lib/service/counts-text.ts'
import { SEARCH_LIMITS } from '#lib/service/search-limits.ts'
import { searchCounts } from '#lib/service/search-stream.ts'

/** Every matching line counted, as far as time and bytes allow. */
export const GET = route(OPERATIONS.searchCounts, async ({ request, ctx }) => {
  const { query } = parseQuery(new URL(request.url).searchParams, { strict: true })
  if (query.patterns.length === 0) throw new ProwlError('QUERY_INVALID', 'search: give a pattern to count lines of')
  const { ms, bytes } = SEARCH_LIMITS.page
  const counts = await searchCounts(ctx, query, { ms, maxBytes: bytes, signal: request.signal })
  return {
    view: counts,
    headers: worthHeaders(counts.reach, counts.partial),
    text: () => `${countsLines(counts).join('\n')}\n`,
    sheet: () => countsSheet(counts),
  }
})
