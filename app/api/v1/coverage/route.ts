import { route } from '#app/_api/route.ts'
import { coverageSheet } from '#app/_api/sheets.ts'
import { OPERATIONS } from '#lib/api/operations.ts'
import { coverageView } from '#lib/service/coverage.ts'
import { groupsView } from '#lib/service/groups.ts'
import { figuresReach } from '#lib/service/reach.ts'

export const GET = route(OPERATIONS.coverage, async ({ ctx, query: { days } }) => {
  const [coverage, unexplained] = await Promise.all([coverageView(ctx, days), groupsView(ctx, days)])
  return {
    view: { ...coverage, unexplained },
    reach: await figuresReach(ctx, coverage.window),
    sheet: () => coverageSheet(coverage),
  }
})
