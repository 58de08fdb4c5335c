import { answer } from '#app/_api/answer.ts'
import { countsJson } from '#app/_api/counts.ts'
import { context } from '#lib/service/open.ts'
import { figuresReach } from '#lib/service/reach.ts'
import { signatureView } from '#lib/service/signature.ts'

export function GET(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  return answer(request, async () => {
    const ctx = await context()
    const view = await signatureView(ctx, (await params).id)
    return countsJson(view, await figuresReach(ctx, view.window))
  })
}
