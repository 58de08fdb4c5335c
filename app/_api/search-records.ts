import type { SearchQuery } from '#lib/search/query.ts'
import type { Context } from '#lib/service/context.ts'
import { dataReach } from '#lib/service/reach.ts'
import { SEARCH_LIMITS } from '#lib/service/search-limits.ts'
import { searchStream } from '#lib/service/search-stream.ts'
import { jsonText } from '#lib/text/printable.ts'

/** Kilobytes that wait for a slow reader at most are those of one line. */
const encode = new TextEncoder()
const line = (record: object) => encode.encode(`${jsonText(record)}\n`)

/**
 * A search as NDJSON: `{"hit": …}` for each line as it is found, newest first, then one `{"done": …}` that says what
 * lacks; an answer without it was cut off. Throws REGEX_* before the first line.
 */
export async function searchRecords(
  ctx: Context,
  query: SearchQuery,
  signal: AbortSignal,
): Promise<AsyncGenerator<Uint8Array>> {
  const reach = await dataReach(ctx)
  const stream = searchStream(ctx, query, { maxBytes: SEARCH_LIMITS.page.bytes, signal })
  // What is wrong with a pattern is known at the first step, when there is still a status to tell it by.
  const first = await stream.next()
  return (async function* records() {
    let [lines, step] = [0, first]
    try {
      for (; !step.done; step = await stream.next()) {
        const { hit, links } = step.value
        lines++
        yield line({ hit: { ...hit, links } })
      }
      yield line({ done: { lines, partial: step.value, completeTo: reach.completeTo, reach } })
    } finally {
      await stream.return([])
    }
  })()
}
