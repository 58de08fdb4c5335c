import { answer } from '#app/_api/answer.ts'
import { countsJson } from '#app/_api/counts.ts'
import { parseDays } from '#lib/service/coverage.ts'
import { groupView } from '#lib/service/groups.ts'
import { context } from '#lib/service/open.ts'
import { figuresReach } from '#lib/service/reach.ts'

export function GET(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  return answer(request, async () => {
    const days = parseDays(new URL(request.url).searchParams.get('days') ?? undefined)
    const ctx = await context()
    const view = await groupView(ctx, (await params).id, { days })
    return countsJson(view, await figuresReach(ctx, view.window))
  })
}
