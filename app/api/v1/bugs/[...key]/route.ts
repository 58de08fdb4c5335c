import { route } from '#app/_api/route.ts'
import { OPERATIONS } from '#lib/api/operations.ts'
import { bugView } from '#lib/service/bug.ts'

export const GET = route(OPERATIONS.bug, async ({ ctx, names }) => ({ view: await bugView(ctx, names.key ?? '') }))
