/** The process is alive: whether there is data to answer from, /readyz says. */
export const dynamic = 'force-dynamic'

export function GET(): Response {
  return new Response('ok\n', { headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' } })
}
