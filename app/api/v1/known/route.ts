import { worthHeaders } from '#app/_api/counts.ts'
import { siteOf } from '#app/_api/peer.ts'
import { route } from '#app/_api/route.ts'
import { OPERATIONS } from '#lib/api/operations.ts'
import { askKnown } from '#lib/service/ask-known.ts'
import { knownText } from '#lib/service/known-text.ts'

/** Whether the failure of the run that `run` names is known: its address in any form, or a build id. */
export const GET = route(OPERATIONS.known, async ({ request, ctx, query }) => {
  const known = await askKnown(ctx, query.run ?? '')
  return {
    view: known,
    headers: { ...worthHeaders(known.reach), 'prowl-known': known.answer },
    text: () => knownText(known, siteOf(ctx, request)),
  }
})
