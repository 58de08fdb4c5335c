import { answer, json } from '#app/_api/answer.ts'
import { context } from '#lib/service/open.ts'
import { triage } from '#lib/service/triage.ts'

export function GET(request: Request): Promise<Response> {
  return answer(request, async () => json(await triage(await context())))
}
