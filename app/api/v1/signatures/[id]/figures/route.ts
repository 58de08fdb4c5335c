import { route } from '#app/_api/route.ts'
import { figuresSheet } from '#app/_api/sheets.ts'
import { OPERATIONS } from '#lib/api/operations.ts'
import { figuresView } from '#lib/service/figures.ts'
import { figuresReach } from '#lib/service/reach.ts'

export const GET = route(OPERATIONS.figures, async ({ ctx, names }) => {
  const view = await figuresView(ctx, names.id ?? '')
  return { view, reach: await figuresReach(ctx, view.window), sheet: () => figuresSheet(view) }
})
