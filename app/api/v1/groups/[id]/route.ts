import { answer, json } from '#app/_api/answer.ts'
import { parseDays } from '#lib/service/coverage.ts'
import { groupView } from '#lib/service/groups.ts'
import { context } from '#lib/service/open.ts'

export function GET(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  return answer(request, async () => {
    const days = parseDays(new URL(request.url).searchParams.get('days') ?? undefined)
    return json(await groupView(await context(), (await params).id, { days }))
  })
}
