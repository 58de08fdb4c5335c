import { ProwlError } from '#lib/errors.ts'
import { byteRange } from '#lib/service/byte-range.ts'
import type { rawLog } from '#lib/service/run.ts'
import { hasAlready, problem, streamOf } from './answer.ts'

type RawLog = Awaited<ReturnType<typeof rawLog>>

/** Nothing in a log runs or is fetched, and no browser takes it for anything but text. */
const SAFE = {
  'content-type': 'text/plain; charset=utf-8',
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
}

/**
 * A log, or the part of it that is asked for (RFC 9110, 14). Its bytes are sent as they were and not compressed: ranges of
 * a compressed answer would be others. Of a log whose middle was cut the length is not known, so it is sent whole.
 */
export function rawAnswer(request: Request, { run, log, tag, bytes }: RawLog): Response {
  const etag = `"${tag}"`
  const isWhole = log.truncatedFrom === undefined
  const headers = {
    ...SAFE,
    etag,
    'cache-control': 'no-cache, no-transform',
    'content-disposition': `inline; filename="${fileName(run, log.name)}"`,
    ...(isWhole ? { 'accept-ranges': 'bytes' } : { 'prowl-truncated-from': String(log.truncatedFrom) }),
  }
  if (hasAlready(request, etag)) return new Response(null, { status: 304, headers })
  const range = isWhole ? byteRange(rangeOf(request, etag), log.bytes) : undefined
  if (range === 'none') return refused(log.bytes)
  // No content-length: the framework leaves it out, and what ends early ends the connection.
  if (!range) return new Response(streamOf(bytes()), { headers })
  const part = { 'content-range': `bytes ${range.first}-${range.last}/${log.bytes}` }
  return new Response(streamOf(bytes(range)), { status: 206, headers: { ...headers, ...part } })
}

/** A part of another version than the client has the rest of is of no use to it. */
function rangeOf({ method, headers }: Request, etag: string): string | null {
  const condition = headers.get('if-range')
  return method === 'GET' && (condition === null || condition === etag) ? headers.get('range') : null
}

function refused(size: number): Response {
  const answer = problem(new ProwlError('RANGE_UNSATISFIABLE', `the log has ${size} bytes, none of them in that range`))
  answer.headers.set('content-range', `bytes */${size}`)
  return answer
}

/** Names the run, too: one folder of downloads holds many a build-log.txt. Nothing in it needs quoting. */
function fileName({ job, buildId }: RawLog['run'], log: string): string {
  const name = `${job}-${buildId}-${log.slice(log.lastIndexOf('/') + 1)}`.replace(/[^\w.-]+/g, '_')
  return /\.(?:txt|log)$/.test(name) ? name : `${name}.txt`
}
