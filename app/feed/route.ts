import { answer, tagged } from '#app/_api/answer.ts'
import { siteOf } from '#app/_api/peer.ts'
import { atom } from '#lib/notice/atom.ts'
import { feedOf } from '#lib/service/feed.ts'
import { context } from '#lib/service/open.ts'

/** Notices of everything, or of one signature with its incidents. */
export function GET(request: Request): Promise<Response> {
  return answer(request, async () => {
    const ctx = await context()
    const signature = new URL(request.url).searchParams.get('signature') || undefined
    const headers = { 'content-type': 'application/atom+xml; charset=utf-8', 'cache-control': 'public, max-age=60' }
    return tagged(request, atom(await feedOf(ctx, siteOf(ctx, request), signature)), headers)
  })
}
