import { answer, json } from '#app/_api/answer.ts'
import { figuresView } from '#lib/service/figures.ts'
import { context } from '#lib/service/open.ts'

export function GET(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  return answer(request, async () => json(await figuresView(await context(), (await params).id)))
}
