import { answer } from '#app/_api/answer.ts'
import { countsJson } from '#app/_api/counts.ts'
import { context } from '#lib/service/open.ts'
import { figuresReach } from '#lib/service/reach.ts'
import { statusView } from '#lib/service/status.ts'

export function GET(request: Request): Promise<Response> {
  return answer(request, async () => {
    const ctx = await context()
    return countsJson(await statusView(ctx), await figuresReach(ctx))
  })
}
