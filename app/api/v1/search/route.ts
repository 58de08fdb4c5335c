import { answer, json, text, wantsText } from '#app/_api/answer.ts'
import { worthHeaders } from '#app/_api/counts.ts'
import { searchAnswer, searchLines } from '#app/_api/search-answer.ts'
import { ProwlError } from '#lib/errors.ts'
import { parseQuery } from '#lib/search/query.ts'
import { context } from '#lib/service/open.ts'
import { lackingOf } from '#lib/service/reach.ts'
import { searchView } from '#lib/service/search.ts'

export function GET(request: Request): Promise<Response> {
  return answer(request, async () => {
    const { query, after } = parseQuery(new URL(request.url).searchParams, { strict: true })
    // A script that counts is told of the range it asked for and no other.
    const view = await searchView(await context(), query, { after, signal: request.signal, widen: false })
    if (view.error) {
      const { code, message, position, pattern } = view.error
      throw new ProwlError(code, message, { position, pattern })
    }
    const headers = {
      ...(view.next ? { link: `</api/v1/search?${view.next}>; rel="next"` } : {}),
      ...(view.cut ? { 'prowl-cut': view.cut } : {}),
      ...(view.reach ? worthHeaders(view.reach, lackingOf(view)) : {}),
    }
    return wantsText(request) ? text(searchLines(view), headers) : json(searchAnswer(view), headers)
  })
}
