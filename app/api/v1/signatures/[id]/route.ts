import { answer, json } from '#app/_api/answer.ts'
import { context } from '#lib/service/open.ts'
import { signatureView } from '#lib/service/signature.ts'

export function GET(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  return answer(request, async () => json(await signatureView(await context(), (await params).id)))
}
