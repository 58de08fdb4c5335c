import { route } from '#app/_api/route.ts'
import { groupSheet } from '#app/_api/sheets.ts'
import { OPERATIONS } from '#lib/api/operations.ts'
import { groupView } from '#lib/service/groups.ts'
import { figuresReach } from '#lib/service/reach.ts'

export const GET = route(OPERATIONS.group, async ({ ctx, names, query: { days } }) => {
  const view = await groupView(ctx, names.id ?? '', { days })
  return { view, reach: await figuresReach(ctx, view.window), sheet: () => groupSheet(view) }
})
