import { worthHeaders } from '#app/_api/counts.ts'
import { siteOf } from '#app/_api/peer.ts'
import { route } from '#app/_api/route.ts'
import { pullSheet } from '#app/_api/sheets.ts'
import { OPERATIONS } from '#lib/api/operations.ts'
import { ProwlError } from '#lib/errors.ts'
import { parsePull } from '#lib/service/box.ts'
import { pullText } from '#lib/service/known-text.ts'
import { pullView } from '#lib/service/pull.ts'

/** The failed runs of a pull request and what is known of each. */
export const GET = route(OPERATIONS.pull, async ({ request, ctx, names: { org, repo, number } }) => {
  const pull = parsePull(`${org}/${repo}#${number}`)
  if (!pull) throw new ProwlError('QUERY_INVALID', 'name a pull request as /api/v1/prs/<org>/<repo>/<number>')
  const view = await pullView(ctx, pull)
  return {
    view,
    headers: worthHeaders(view.reach, view.partial),
    text: () => pullText(view, siteOf(ctx, request)),
    sheet: () => pullSheet(view),
  }
})
