import { METRICS_TYPE, metricsText } from '#app/_server/metrics.ts'
import { context } from '#lib/service/open.ts'
import { statusView } from '#lib/service/status.ts'

export const dynamic = 'force-dynamic'

/** For Prometheus; a store that can't be asked is told as one, and does not hide what the process counted. */
export async function GET(): Promise<Response> {
  const status = await context()
    .then(statusView)
    .catch(() => undefined)
  return new Response(await metricsText(status, Date.now()), {
    headers: { 'content-type': METRICS_TYPE, 'cache-control': 'no-store' },
  })
}
