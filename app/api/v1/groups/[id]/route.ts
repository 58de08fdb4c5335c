import { route } from '#app/_api/route.ts'
import { OPERATIONS } from '#lib/api/operations.ts'
import { groupView } from '#lib/service/groups.ts'

export const GET = route(OPERATIONS.group, async ({ ctx, names, query: { days } }) => ({
  view: await groupView(ctx, names.id ?? '', { days }),
}))
