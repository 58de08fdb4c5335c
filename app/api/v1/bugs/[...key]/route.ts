import { answer, json } from '#app/_api/answer.ts'
import { bugView } from '#lib/service/bug.ts'
import { context } from '#lib/service/open.ts'

type Params = { params: Promise<{ key: string[] }> }

export function GET(request: Request, { params }: Params): Promise<Response> {
  return answer(request, async () => json(await bugView(await context(), (await params).key.join('/'))))
}
