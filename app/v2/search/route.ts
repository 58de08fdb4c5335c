import { answerPeer } from '#app/_api/peer.ts'
import { byPattern } from '#lib/service/peer-answer.ts'

/** ci-search's second form: by pattern. */
export function GET(request: Request): Promise<Response> {
  return answerPeer(request, byPattern)
}

export { GET as POST }
