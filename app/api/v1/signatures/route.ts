import { answer, json } from '#app/_api/answer.ts'
import { context } from '#lib/service/open.ts'

export function GET(request: Request): Promise<Response> {
  return answer(request, async () => json(await (await context()).catalogue()))
}
