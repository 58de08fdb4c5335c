import { route } from '#app/_api/route.ts'
import { runText } from '#app/_api/run-text.ts'
import { runSheet } from '#app/_api/sheets.ts'
import { OPERATIONS } from '#lib/api/operations.ts'
import { runNamed } from '#lib/model/run-path.ts'
import { runView } from '#lib/service/run.ts'

export const GET = route(OPERATIONS.run, async ({ request, ctx, names, query }) => {
  const view = await runView(ctx, runNamed(names), { ...query, signal: request.signal })
  return { view, sheet: () => runSheet(view), text: () => runText(view, query) }
})
