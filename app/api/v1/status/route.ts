import { answer, json } from '#app/_api/answer.ts'
import { context } from '#lib/service/open.ts'
import { statusView } from '#lib/service/status.ts'

export function GET(request: Request): Promise<Response> {
  return answer(request, async () => json(await statusView(await context())))
}
