import { route } from '#app/_api/route.ts'
import { statusSheet } from '#app/_api/sheets.ts'
import { OPERATIONS } from '#lib/api/operations.ts'
import { figuresReach } from '#lib/service/reach.ts'
import { statusView } from '#lib/service/status.ts'

export const GET = route(OPERATIONS.status, async ({ ctx }) => {
  const view = await statusView(ctx)
  return { view, reach: await figuresReach(ctx), sheet: () => statusSheet(view) }
})
