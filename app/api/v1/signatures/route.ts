import { route } from '#app/_api/route.ts'
import { OPERATIONS } from '#lib/api/operations.ts'

export const GET = route(OPERATIONS.signatures, async ({ ctx }) => ({ view: await ctx.catalogue() }))
