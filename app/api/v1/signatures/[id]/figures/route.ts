import { answer } from '#app/_api/answer.ts'
import { countsJson } from '#app/_api/counts.ts'
import { figuresView } from '#lib/service/figures.ts'
import { context } from '#lib/service/open.ts'
import { figuresReach } from '#lib/service/reach.ts'

export function GET(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  return answer(request, async () => {
    const ctx = await context()
    const view = await figuresView(ctx, (await params).id)
    return countsJson(view, await figuresReach(ctx, view.window))
  })
}
