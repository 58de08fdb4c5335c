import { freezeFor } from '#app/_api/freeze.ts'
import { retryAfter } from '#app/_server/guard.ts'
import { isProwlError } from '#lib/errors.ts'

/** The form of the pages' button: the answer leads to the page of what was frozen, or says in plain words why not. */
export async function POST(request: Request): Promise<Response> {
  try {
    const { evidence } = await freezeFor(request, (body) => new URLSearchParams(body), { programs: false })
    return new Response(null, { status: 303, headers: { location: `/e/${evidence.id}` } })
  } catch (error) {
    if (request.signal.aborted) return new Response(null, { status: 499 })
    if (!isProwlError(error)) throw error
    const seconds = retryAfter(error)
    return new Response(`Not frozen: ${error.message}.\n\n${error.code} (${error.docs})\n`, {
      status: error.status,
      headers: {
        'content-type': 'text/plain; charset=utf-8',
        'cache-control': 'no-store',
        ...(seconds !== undefined && { 'retry-after': String(seconds) }),
      },
    })
  }
}
