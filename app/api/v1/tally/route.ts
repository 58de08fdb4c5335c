import { worthHeaders } from '#app/_api/counts.ts'
import { route } from '#app/_api/route.ts'
import { tallySheet } from '#app/_api/sheets.ts'
import { OPERATIONS } from '#lib/api/operations.ts'
import { readParameters } from '#lib/api/parameters.ts'
import { parseQuery } from '#lib/search/query.ts'
import { tallyView } from '#lib/service/tally.ts'
import { tallyLines } from '#lib/service/tally-text.ts'

const { tally: operation } = OPERATIONS
const Top = operation.query.pick({ top: true })

export const GET = route(operation, async ({ request, ctx }) => {
  const params = new URL(request.url).searchParams
  // By line, as `grep -o | sort | uniq -c`, unless said otherwise.
  if (!params.get('tally')) params.set('tally', 'line')
  const { query } = parseQuery(params, { strict: true })
  const { top } = readParameters(Top, params)
  const view = await tallyView(ctx, query, { top, signal: request.signal })
  const headers = {
    ...worthHeaders(view.reach, [...view.reach.lacking, ...view.partial]),
    ...(view.partial.length > 0 ? { 'prowl-cut': view.partial.join('; ') } : {}),
  }
  return { view, headers, text: () => tallyLines(view), sheet: () => tallySheet(view) }
})
