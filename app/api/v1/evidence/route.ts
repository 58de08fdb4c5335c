import { freezeFor } from '#app/_api/freeze.ts'
import { asked } from '#app/_api/route.ts'
import { originOf } from '#app/_server/guard.ts'
import { OPERATIONS } from '#lib/api/operations.ts'
import { ProwlError } from '#lib/errors.ts'
import { evidenceView } from '#lib/service/evidence.ts'

/** Freezes what the body names; 201 with the evidence, 200 where the same was frozen before. */
export const POST = asked(OPERATIONS.freeze, async ({ request }) => {
  const { ctx, evidence, isNew } = await freezeFor(request, paramsOf, { programs: true })
  const view = await evidenceView(ctx, evidence.id, { origin: originOf(request.headers), signal: request.signal })
  return Response.json(view, {
    status: isNew ? 201 : 200,
    headers: { 'cache-control': 'no-store', location: `/e/${evidence.id}` },
  })
})

/** A JSON object of strings. */
function paramsOf(body: string): URLSearchParams {
  try {
    const value: unknown = JSON.parse(body)
    const fields = Object.entries(typeof value === 'object' && value !== null ? value : {})
    if (fields.every(([, text]) => typeof text === 'string')) return new URLSearchParams(fields as [string, string][])
  } catch {}
  throw new ProwlError('QUERY_INVALID', 'the body must be JSON such as {"query": "search=EOF&maxAge=14d"}')
}
