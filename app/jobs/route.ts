import { streamOf } from '#app/_api/answer.ts'
import { plainly, siteOf } from '#app/_api/peer.ts'
import { context } from '#lib/service/open.ts'
import { jobsAge, prowJobs } from '#lib/service/peer-jobs.ts'

/** ci-search's list of runs. */
export function GET(request: Request): Promise<Response> {
  return plainly(request, async () => {
    const ctx = await context()
    const age = jobsAge(new URL(request.url).searchParams)
    return new Response(streamOf(prowJobs(ctx, age, siteOf(ctx, request))), {
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    })
  })
}
