import { streamOf } from '#app/_api/answer.ts'
import { worthHeaders } from '#app/_api/counts.ts'
import { plainly, siteOf } from '#app/_api/peer.ts'
import { context } from '#lib/service/open.ts'
import { jobsAge, prowJobs } from '#lib/service/peer-jobs.ts'
import { dataReach } from '#lib/service/reach.ts'

/** ci-search's list of runs. */
export function GET(request: Request): Promise<Response> {
  return plainly(request, async () => {
    const ctx = await context()
    const age = jobsAge(new URL(request.url).searchParams)
    const reach = await dataReach(ctx, { from: ctx.now() - age, to: ctx.now() })
    return new Response(streamOf(prowJobs(ctx, age, siteOf(ctx, request))), {
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...worthHeaders(reach) },
    })
  })
}
