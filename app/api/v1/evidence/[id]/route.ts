import { answer, json, text, wantsText } from '#app/_api/answer.ts'
import { originOf } from '#app/_server/guard.ts'
import { evidenceView } from '#lib/service/evidence.ts'
import { context } from '#lib/service/open.ts'

type Params = { params: Promise<{ id: string }> }

/** What was frozen and what is found today; as plain text, what to paste into a bug. */
export function GET(request: Request, { params }: Params): Promise<Response> {
  return answer(request, async () => {
    const origin = originOf(request.headers)
    const view = await evidenceView(await context(), (await params).id, { origin, signal: request.signal })
    return wantsText(request) ? text(`${view.texts.plain}\n`) : json(view)
  })
}
