import { route } from '#app/_api/route.ts'
import { evidenceSheet } from '#app/_api/sheets.ts'
import { originOf } from '#app/_server/guard.ts'
import { OPERATIONS } from '#lib/api/operations.ts'
import { evidenceView } from '#lib/service/evidence.ts'

export const GET = route(OPERATIONS.evidence, async ({ request, ctx, names }) => {
  const origin = originOf(request.headers)
  const view = await evidenceView(ctx, names.id ?? '', { origin, signal: request.signal })
  return { view, text: () => `${view.texts.plain}\n`, sheet: () => evidenceSheet(view) }
})
