import { answer, json, text, wantsText } from '#app/_api/answer.ts'
import { worthHeaders } from '#app/_api/counts.ts'
import { ProwlError } from '#lib/errors.ts'
import { parseQuery } from '#lib/search/query.ts'
import { countsLines } from '#lib/service/counts-text.ts'
import { context } from '#lib/service/open.ts'
import { SEARCH_LIMITS } from '#lib/service/search-limits.ts'
import { searchCounts } from '#lib/service/search-stream.ts'

/** Every matching line counted, as far as time and bytes allow. */
export function GET(request: Request): Promise<Response> {
  return answer(request, async () => {
    const { query } = parseQuery(new URL(request.url).searchParams, { strict: true })
    if (query.patterns.length === 0) throw new ProwlError('QUERY_INVALID', 'search: give a pattern to count lines of')
    const { ms, bytes } = SEARCH_LIMITS.page
    const counts = await searchCounts(await context(), query, { ms, maxBytes: bytes, signal: request.signal })
    const headers = worthHeaders(counts.reach, counts.partial)
    return wantsText(request) ? text(`${countsLines(counts).join('\n')}\n`, headers) : json(counts, headers)
  })
}
