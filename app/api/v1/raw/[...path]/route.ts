import { rawAnswer } from '#app/_api/raw-log.ts'
import { asked } from '#app/_api/route.ts'
import { OPERATIONS } from '#lib/api/operations.ts'
import { runNamed } from '#lib/model/run-path.ts'
import { rawLog } from '#lib/service/run.ts'

export const GET = asked(OPERATIONS.raw, async ({ request, ctx, names, query }) =>
  rawAnswer(request, await rawLog(ctx, runNamed(names), query.log)),
)
