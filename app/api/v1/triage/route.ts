import { answer, json, text, wantsText } from '#app/_api/answer.ts'
import { triageText } from '#app/_api/triage-text.ts'
import { context } from '#lib/service/open.ts'
import { triage } from '#lib/service/triage.ts'

export function GET(request: Request): Promise<Response> {
  return answer(request, async () => {
    const params = new URL(request.url).searchParams
    const ctx = await context()
    const view = await triage(ctx, {
      since: params.get('since') ?? undefined,
      owner: params.get('owner') ?? undefined,
    })
    return wantsText(request) ? text(triageText(view, ctx.now())) : json(view)
  })
}
