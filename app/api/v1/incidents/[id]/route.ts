import { route } from '#app/_api/route.ts'
import { incidentSheet } from '#app/_api/sheets.ts'
import { OPERATIONS } from '#lib/api/operations.ts'
import { incidentView } from '#lib/service/incident.ts'

export const GET = route(OPERATIONS.incident, async ({ ctx, names }) => {
  const view = await incidentView(ctx, names.id ?? '')
  return { view, sheet: () => incidentSheet(view) }
})
