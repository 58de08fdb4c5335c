import { route } from '#app/_api/route.ts'
import { triageSheet } from '#app/_api/sheets.ts'
import { triageText } from '#app/_api/triage-text.ts'
import { OPERATIONS } from '#lib/api/operations.ts'
import { figuresReach } from '#lib/service/reach.ts'
import { triage } from '#lib/service/triage.ts'

export const GET = route(OPERATIONS.triage, async ({ ctx, query: { since, owner } }) => {
  const view = await triage(ctx, { since, owner })
  return {
    view,
    text: () => triageText(view, ctx.now()),
    reach: await figuresReach(ctx, view.window),
    sheet: () => triageSheet(view),
  }
})
