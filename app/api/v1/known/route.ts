import { answer, json, text, wantsText } from '#app/_api/answer.ts'
import { worthHeaders } from '#app/_api/counts.ts'
import { siteOf } from '#app/_api/peer.ts'
import { askKnown } from '#lib/service/ask-known.ts'
import { knownText } from '#lib/service/known-text.ts'
import { context } from '#lib/service/open.ts'

/** Whether the failure of the run that `run` names is known: its address in any form, or a build id. */
export function GET(request: Request): Promise<Response> {
  return answer(request, async () => {
    const ctx = await context()
    const known = await askKnown(ctx, new URL(request.url).searchParams.get('run') ?? '')
    const headers = { ...worthHeaders(known.reach), 'prowl-known': known.answer }
    return wantsText(request) ? text(knownText(known, siteOf(ctx, request)), headers) : json(known, headers)
  })
}
