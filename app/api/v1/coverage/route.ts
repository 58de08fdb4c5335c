import { answer } from '#app/_api/answer.ts'
import { countsJson } from '#app/_api/counts.ts'
import { coverageView, parseDays } from '#lib/service/coverage.ts'
import { groupsView } from '#lib/service/groups.ts'
import { context } from '#lib/service/open.ts'
import { figuresReach } from '#lib/service/reach.ts'

export function GET(request: Request): Promise<Response> {
  return answer(request, async () => {
    const days = parseDays(new URL(request.url).searchParams.get('days') ?? undefined)
    const ctx = await context()
    const [coverage, unexplained] = await Promise.all([coverageView(ctx, days), groupsView(ctx, days)])
    return countsJson({ ...coverage, unexplained }, await figuresReach(ctx, coverage.window))
  })
}
