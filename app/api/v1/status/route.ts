import { route } from '#app/_api/route.ts'
import { OPERATIONS } from '#lib/api/operations.ts'
import { statusView } from '#lib/service/status.ts'

export const GET = route(OPERATIONS.status, async ({ ctx }) => ({ view: await statusView(ctx) }))
