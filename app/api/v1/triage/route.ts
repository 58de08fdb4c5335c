import { answer, text, wantsText } from '#app/_api/answer.ts'
import { countsJson, worthHeaders } from '#app/_api/counts.ts'
import { triageText } from '#app/_api/triage-text.ts'
import { context } from '#lib/service/open.ts'
import { figuresReach } from '#lib/service/reach.ts'
import { triage } from '#lib/service/triage.ts'

export function GET(request: Request): Promise<Response> {
  return answer(request, async () => {
    const params = new URL(request.url).searchParams
    const ctx = await context()
    const view = await triage(ctx, {
      since: params.get('since') ?? undefined,
      owner: params.get('owner') ?? undefined,
    })
    const reach = await figuresReach(ctx, view.window)
    return wantsText(request) ? text(triageText(view, ctx.now()), worthHeaders(reach)) : countsJson(view, reach)
  })
}
