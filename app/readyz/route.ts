import { text } from '#app/_api/answer.ts'
import { isProwlError } from '#lib/errors.ts'
import { context } from '#lib/service/open.ts'

export const dynamic = 'force-dynamic'

/** 200 where the store opens, is of a layout that is known, and answers; else 503 and why. */
export async function GET(): Promise<Response> {
  try {
    await (await context()).store.state('ingest')
    return text('ok\n')
  } catch (error) {
    const why = isProwlError(error) ? `${error.code}: ${error.message}` : 'UNEXPECTED: the store could not be asked'
    return new Response(`${why}\n`, { status: 503, headers: { 'content-type': 'text/plain; charset=utf-8' } })
  }
}
