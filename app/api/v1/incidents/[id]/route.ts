import { route } from '#app/_api/route.ts'
import { incidentSheet } from '#app/_api/sheets.ts'
import { OPERATIONS } from '#lib/api/operations.ts'
import { incidentView } from '#lib/service/incident.ts'
import { figuresReach } from '#lib/service/reach.ts'

export const GET = route(OPERATIONS.incident, async ({ ctx, names }) => {
  const view = await incidentView(ctx, names.id ?? '')
  return {
    view,
    reach: await figuresReach(ctx, { from: view.incident.from.earliest, to: view.incident.to.latest + 1 }),
    sheet: () => incidentSheet(view),
  }
})
