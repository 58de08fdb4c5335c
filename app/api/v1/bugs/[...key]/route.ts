import { answer } from '#app/_api/answer.ts'
import { countsJson } from '#app/_api/counts.ts'
import { bugView } from '#lib/service/bug.ts'
import { context } from '#lib/service/open.ts'
import { figuresReach } from '#lib/service/reach.ts'

type Params = { params: Promise<{ key: string[] }> }

export function GET(request: Request, { params }: Params): Promise<Response> {
  return answer(request, async () => {
    const ctx = await context()
    return countsJson(await bugView(ctx, (await params).key.join('/')), await figuresReach(ctx))
  })
}
