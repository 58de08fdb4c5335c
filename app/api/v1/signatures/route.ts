import { route } from '#app/_api/route.ts'
import { catalogueSheet } from '#app/_api/sheets.ts'
import { OPERATIONS } from '#lib/api/operations.ts'

export const GET = route(OPERATIONS.signatures, async ({ ctx }) => {
  const view = await ctx.catalogue()
  return { view, sheet: () => catalogueSheet(view) }
})
