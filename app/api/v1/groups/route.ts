import { route } from '#app/_api/route.ts'
import { groupsSheet } from '#app/_api/sheets.ts'
import { OPERATIONS } from '#lib/api/operations.ts'
import { groupsView } from '#lib/service/groups.ts'
import { figuresReach } from '#lib/service/reach.ts'

export const GET = route(OPERATIONS.groups, async ({ ctx, query: { days } }) => {
  const view = await groupsView(ctx, days)
  return { view, reach: await figuresReach(ctx, view.window), sheet: () => groupsSheet(view) }
})
