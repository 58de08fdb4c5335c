import { createHash } from 'node:crypto'
import { noteFault } from '#app/_server/reader.ts'
import { isProwlError, ProwlError } from '#lib/errors.ts'
import type { RunKey } from '#lib/model/run.ts'
import { parseRunPath } from '#lib/model/run-path.ts'

/** Runs a handler: errors with a code become `{error}` with their status, faults are left to the framework. */
export async function answer(request: Request, handle: () => Promise<Response>): Promise<Response> {
  try {
    return await handle()
  } catch (error) {
    if (request.signal.aborted) return new Response(null, { status: 499 })
    if (!isProwlError(error)) throw error
    noteFault(error)
    return errorAnswer(error)
  }
}

export function json(value: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json(value, { headers: { 'cache-control': 'no-store', ...headers } })
}

/** Plain text that a browser never takes for anything else. */
export function text(
  body: string | AsyncGenerator<Uint8Array>,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const fixed = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' }
  return new Response(typeof body === 'string' ? body : streamOf(body), {
    headers: { ...fixed, 'cache-control': 'no-store', ...headers },
  })
}

/** 304 where the client has it already. What is at an address may depend on what the client accepts. */
export function tagged(request: Request, body: string, headers: Record<string, string>): Response {
  const hash = createHash('sha256')
    .update(headers['prowl-partial'] ?? '')
    .update(body)
  const etag = `W/"${hash.digest('base64url').slice(0, 22)}"`
  const known = knownTags(request)
  const all = { ...headers, etag, vary: 'accept', 'x-content-type-options': 'nosniff' }
  if (known.includes(etag) || known.includes('*')) return new Response(null, { status: 304, headers: all })
  return new Response(body, { headers: all })
}

/** The tags of what the client has; `*` for whatever it is. */
export function knownTags(request: Request): string[] {
  return (request.headers.get('if-none-match') ?? '').split(',').map((each) => each.trim())
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

/** The run that the address names after `prefix`. Throws QUERY_INVALID. */
export function runOf(request: Request, prefix: string): RunKey {
  const key = parseRunPath(new URL(request.url).pathname.slice(prefix.length))
  if (key) return key
  throw new ProwlError('QUERY_INVALID', `name a run as ${prefix}<scheme>/<bucket>/<path>, e.g. gs/bucket/logs/job/1`)
}

/** A 1-based line number among the parameters. Throws QUERY_INVALID that names it. */
export function lineOf(request: Request, name: string): number | undefined {
  const given = new URL(request.url).searchParams.get(name)
  if (given === null || given === '') return undefined
  if (/^[1-9]\d{0,9}$/.test(given)) return Number(given)
  throw new ProwlError('QUERY_INVALID', `${name}: must be a line number, 1 or more`)
}

/** `beside` goes with the error. */
export function errorAnswer(
  { code, message, position, pattern, docs, status }: ProwlError,
  beside: object = {},
): Response {
  const error = { code, message, position, pattern, docs }
  return Response.json({ error, ...beside }, { status, headers: { 'cache-control': 'no-store' } })
}
