import { route } from '#app/_api/route.ts'
import { groupSheet } from '#app/_api/sheets.ts'
import { OPERATIONS } from '#lib/api/operations.ts'
import { groupView } from '#lib/service/groups.ts'

export const GET = route(OPERATIONS.group, async ({ ctx, names, query: { days } }) => {
  const view = await groupView(ctx, names.id ?? '', { days })
  return { view, sheet: () => groupSheet(view) }
})
