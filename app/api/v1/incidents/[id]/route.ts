import { answer, json } from '#app/_api/answer.ts'
import { incidentView } from '#lib/service/incident.ts'
import { context } from '#lib/service/open.ts'

export function GET(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  return answer(request, async () => json(await incidentView(await context(), (await params).id)))
}
