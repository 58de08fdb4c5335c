import { answerPeer } from '#app/_api/peer.ts'
import { byRun } from '#lib/service/peer-answer.ts'

/** ci-search's `/search`: that address is a page here, and leads its other readers to this one (proxy.ts). */
export function GET(request: Request): Promise<Response> {
  return answerPeer(request, byRun)
}

export { GET as POST }
