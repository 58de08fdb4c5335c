import { createHash } from 'node:crypto'
import { retryAfter } from '#app/_server/guard.ts'
import { noteFault, requestId } from '#app/_server/reader.ts'
import { PROBLEM_TYPE, type Problem, problemOf } from '#lib/api/problem.ts'
import { isProwlError, ProwlError } from '#lib/errors.ts'
import { jsonText } from '#lib/text/printable.ts'

/** Runs a handler: errors with a code become problems with their status; other faults are logged, and told apart from those. */
export async function answer(request: Request, handle: () => Promise<Response>): Promise<Response> {
  try {
    return await handle()
  } catch (error) {
    if (request.signal.aborted) return new Response(null, { status: 499 })
    const told = isProwlError(error) ? error : unexpected(error)
    noteFault(told)
    return problem(told)
  }
}

/** RFC 9457; `beside` are members of its own. */
export function problem(error: ProwlError, beside: Partial<Problem> = {}): Response {
  const seconds = retryAfter(error)
  return new Response(jsonText({ ...problemOf(error), ...beside }), {
    status: error.status,
    headers: {
      'content-type': PROBLEM_TYPE,
      'cache-control': 'no-store',
      ...(seconds !== undefined && { 'retry-after': String(seconds) }),
    },
  })
}

function unexpected(cause: unknown): ProwlError {
  return new ProwlError(
    'UNEXPECTED',
    `something went wrong; the server's log says what, of the request ${requestId()}`,
    {
      cause,
    },
  )
}

/** Plain text that a browser never takes for anything else. */
export function text(body: string, headers: Readonly<Record<string, string>> = {}): Response {
  const fixed = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' }
  return new Response(body, {
    headers: { ...fixed, 'cache-control': 'no-store', ...headers },
  })
}

export function csv(body: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(body, {
    headers: { 'content-type': 'text/csv; charset=utf-8', 'cache-control': 'no-store', ...headers },
  })
}

/**
 * 304 where the client has it already: an answer of the same `sameness`, which is the body unless given. What is at an
 * address may depend on what the client accepts.
 */
export function tagged(request: Request, body: string, headers: Record<string, string>, sameness = body): Response {
  const hash = createHash('sha256')
    .update(headers['prowl-partial'] ?? '')
    .update(sameness)
  const etag = `W/"${hash.digest('base64url').slice(0, 22)}"`
  const all = { ...headers, etag, vary: 'accept', 'x-content-type-options': 'nosniff' }
  if (hasAlready(request, etag)) return new Response(null, { status: 304, headers: all })
  return new Response(body, { headers: all })
}

/** Whether the client has what this tag names, by a tag that a proxy may have made weak; `*` stands for whatever it is. */
export function hasAlready(request: Request, etag: string): boolean {
  const known = (request.headers.get('if-none-match') ?? '').split(',').map((each) => each.trim())
  return ['*', etag, `W/${etag}`].some((tag) => known.includes(tag))
}

/** Made as it is read: a reader that leaves ends the work. */
export function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await chunks.return(undefined)
    },
  })
}

/** `?format=text`, or an Accept header that names text/plain first. */
export function wantsText(request: Request): boolean {
  const format = new URL(request.url).searchParams.get('format')
  if (format) return format === 'text'
  return /^\s*text\/plain\b/.test(request.headers.get('accept') ?? '')
}

/** The body as text, read no further than a little beyond `most` bytes: whoever takes it refuses that. */
export async function bodyOf(request: Request, most: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    chunks.push(chunk)
    size += chunk.length
    if (size > most) break
  }
  return Buffer.concat(chunks).toString()
}
