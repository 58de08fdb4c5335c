import { route } from '#app/_api/route.ts'
import { bugSheet } from '#app/_api/sheets.ts'
import { OPERATIONS } from '#lib/api/operations.ts'
import { bugView } from '#lib/service/bug.ts'
import { figuresReach } from '#lib/service/reach.ts'

export const GET = route(OPERATIONS.bug, async ({ ctx, names }) => {
  const view = await bugView(ctx, names.key ?? '')
  return { view, reach: await figuresReach(ctx), sheet: () => bugSheet(view) }
})
