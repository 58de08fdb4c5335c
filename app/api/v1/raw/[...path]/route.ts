import { text } from '#app/_api/answer.ts'
import { asked } from '#app/_api/route.ts'
import { OPERATIONS } from '#lib/api/operations.ts'
import { runNamed } from '#lib/model/run-path.ts'
import { rawLog } from '#lib/service/run.ts'

export const GET = asked(OPERATIONS.raw, async ({ ctx, names, query }) => {
  const { log, bytes } = await rawLog(ctx, runNamed(names), query.log)
  const truncated = log.truncatedFrom === undefined ? {} : { 'prowl-truncated-from': String(log.truncatedFrom) }
  return text(bytes, { 'content-security-policy': "default-src 'none'; sandbox", ...truncated })
})
