import { answer } from '#app/_api/answer.ts'
import { countsJson } from '#app/_api/counts.ts'
import { incidentView } from '#lib/service/incident.ts'
import { context } from '#lib/service/open.ts'
import { figuresReach } from '#lib/service/reach.ts'

export function GET(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  return answer(request, async () => {
    const ctx = await context()
    const view = await incidentView(ctx, (await params).id)
    const { from, to } = view.incident
    return countsJson(view, await figuresReach(ctx, { from: from.earliest, to: to.latest + 1 }))
  })
}
