import { route } from '#app/_api/route.ts'
import { OPERATIONS } from '#lib/api/operations.ts'
import { incidentView } from '#lib/service/incident.ts'

export const GET = route(OPERATIONS.incident, async ({ ctx, names }) => ({
  view: await incidentView(ctx, names.id ?? ''),
}))
