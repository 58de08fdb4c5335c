import { answer, json, text, wantsText } from '#app/_api/answer.ts'
import { worthHeaders } from '#app/_api/counts.ts'
import { siteOf } from '#app/_api/peer.ts'
import { ProwlError } from '#lib/errors.ts'
import { parsePull } from '#lib/service/box.ts'
import { pullText } from '#lib/service/known-text.ts'
import { context } from '#lib/service/open.ts'
import { pullView } from '#lib/service/pull.ts'

type Params = { params: Promise<{ org: string; repo: string; number: string }> }

/** The failed runs of a pull request and what is known of each. */
export function GET(request: Request, { params }: Params): Promise<Response> {
  return answer(request, async () => {
    const { org, repo, number } = await params
    const pull = parsePull(`${org}/${repo}#${number}`)
    if (!pull) throw new ProwlError('QUERY_INVALID', 'name a pull request as /api/v1/prs/<org>/<repo>/<number>')
    const ctx = await context()
    const view = await pullView(ctx, pull)
    const headers = worthHeaders(view.reach, view.partial)
    return wantsText(request) ? text(pullText(view, siteOf(ctx, request)), headers) : json(view, headers)
  })
}
