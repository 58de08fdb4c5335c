import { route } from '#app/_api/route.ts'
import { searchAnswer, searchLines } from '#app/_api/search-answer.ts'
import { OPERATIONS } from '#lib/api/operations.ts'
import { ProwlError } from '#lib/errors.ts'
import { parseQuery } from '#lib/search/query.ts'
import { searchView } from '#lib/service/search.ts'

export const GET = route(OPERATIONS.search, async ({ request, ctx }) => {
  const { query, after } = parseQuery(new URL(request.url).searchParams, { strict: true })
  // A script that counts is told of the range it asked for and no other.
  const { error, ...view } = await searchView(ctx, query, { after, signal: request.signal, widen: false })
  if (error) throw new ProwlError(error.code, error.message, { position: error.position, pattern: error.pattern })
  const headers = {
    ...(view.next ? { link: `</api/v1/search?${view.next}>; rel="next"` } : {}),
    ...(view.cut ? { 'prowl-cut': view.cut } : {}),
    ...(view.reach ? { 'prowl-data': [view.reach.words, ...view.reach.warnings].join('; ') } : {}),
  }
  return { view: searchAnswer(view), headers, text: () => searchLines(view) }
})
