import { route } from '#app/_api/route.ts'
import { signatureSheet } from '#app/_api/sheets.ts'
import { OPERATIONS } from '#lib/api/operations.ts'
import { figuresReach } from '#lib/service/reach.ts'
import { signatureView } from '#lib/service/signature.ts'

export const GET = route(OPERATIONS.signature, async ({ ctx, names }) => {
  const view = await signatureView(ctx, names.id ?? '')
  return { view, reach: await figuresReach(ctx, view.window), sheet: () => signatureSheet(view) }
})
