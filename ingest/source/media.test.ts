import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThroughClient } from 'google-auth-library'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openGcs } from './gcs.ts'
import { politeFor } from './host.ts'
import { MediaClient, type MediaOptions } from './media.ts'
import { retryAfterMs } from './retry.ts'

const BYTES = Buffer.from(Array.from({ length: 20_000 }, (_, i) => `line ${i}\n`).join(''))
const RETRIES = { retries: 3, delayMs: 1, maxDelayMs: 5 }

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A server that gives these answers in turn, the last one for ever; what it was asked. */
async function serve(...answers: Answer[]) {
  const asked: IncomingMessage[] = []
  const server = createServer((request, response) => {
    const answer = answers[Math.min(asked.push(request), answers.length) - 1]
    answer?.(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { asked, base: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

function mediaClient(base: string, options: MediaOptions = {}): MediaClient {
  const host = politeFor(base, { retries: RETRIES })
  onTestFinished(() => host.close())
  return new MediaClient(base, host, new PassThroughClient(), { retries: RETRIES, ...options })
}

async function read(base: string, options: MediaOptions = {}, signal?: AbortSignal): Promise<Buffer> {
  const client = mediaClient(base, options)
  const chunks: Uint8Array[] = []
  for await (const chunk of client.read('an/object', '7', signal)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const headers = {
  'x-goog-generation': '7',
  'x-goog-stored-content-length': String(BYTES.length),
  'x-goog-hash': `crc32c=AAAAAA==,md5=${createHash('md5').update(BYTES).digest('base64')}`,
}

const whole: Answer = (request, response) => {
  const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0)
  response.writeHead(from > 0 ? 206 : 200, headers).end(BYTES.subarray(from))
}
const wholeWithoutRanges: Answer = (_, response) => void response.writeHead(200, headers).end(BYTES)
const status =
  (code: number, more: Record<string, string> = {}): Answer =>
  (_, response) =>
    void response.writeHead(code, more).end('no')
const cut: Answer = (request, response) => {
  const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0)
  response.writeHead(from > 0 ? 206 : 200, headers)
  response.write(BYTES.subarray(from, from + 50_000), () => setTimeout(() => response.destroy(), 20))
}
const hang: Answer = () => {}
const stall: Answer = (_, response) => void response.writeHead(200, headers).write(BYTES.subarray(0, 1000))
const corrupt: Answer = (_, response) => {
  const bytes = Buffer.from(BYTES)
  bytes[5000] = 0
  response.writeHead(200, headers).end(bytes)
}
const short: Answer = (_, response) =>
  void response.writeHead(200, { ...headers, 'content-length': '100' }).end(BYTES.subarray(0, 100))
const replaced: Answer = (_, response) =>
  void response.writeHead(200, { ...headers, 'x-goog-generation': '8' }).end(BYTES)

describe('a transfer', () => {
  it.each<[string, Answer[]]>([
    ['at once', [whole]],
    ['after a burst of 503', [status(503), status(503), whole]],
    ['after 429 with Retry-After', [status(429, { 'retry-after': '0' }), whole]],
    ['after being cut, from where it was', [cut, cut, whole]],
    ['after being cut, by a server without ranges', [cut, wholeWithoutRanges]],
    ['after a short body', [short, whole]],
  ])('gives the whole object %s', async (_, answers) => {
    const { base, asked } = await serve(...answers)
    expect((await read(base)).equals(BYTES)).toBe(true)
    expect(asked.length).toBe(answers.length)
    expect(asked[0]?.headers).toMatchObject({
      'accept-encoding': 'gzip',
      'user-agent': expect.stringContaining('prowl/'),
    })
    expect(asked[0]?.headers.authorization).toBeUndefined()
    expect(asked[0]?.url).toBe('/o/an%2Fobject?alt=media&generation=7')
  })

  it.each<[string, Answer, object, number]>([
    ['503 without end', status(503), { status: 503 }, 4],
    ['403', status(403), { status: 403 }, 1],
    ['404', status(404), { status: 404 }, 1],
    ['cuts without end', (_, response) => void response.destroy(), { code: 'OBJECT_UNREADABLE' }, 16],
    ['a body that stays short', short, { code: 'OBJECT_UNREADABLE' }, 4],
    ['bytes that are not the stored ones', corrupt, { code: 'OBJECT_UNREADABLE' }, 1],
    ['another generation', replaced, { code: 'OBJECT_CHANGED' }, 1],
  ])('fails, after bounded tries, on %s', async (_, answer, error, tries) => {
    const { base, asked } = await serve(answer)
    await expect(read(base)).rejects.toMatchObject(error)
    expect(asked.length).toBeLessThanOrEqual(tries)
  })

  it.each<[string, Answer]>([
    ['before the headers', hang],
    ['in the body', stall],
  ])('goes on after a server that hangs %s', async (_, answer) => {
    const { base } = await serve(answer, whole)
    expect((await read(base, { headersTimeoutMs: 200, idleTimeoutMs: 200 })).equals(BYTES)).toBe(true)
  })

  it('ends within its time, however slow', async () => {
    const { base } = await serve(hang)
    await expect(read(base, { overallTimeoutMs: 200 })).rejects.toMatchObject({ code: 'OBJECT_UNREADABLE' })
  })

  it('ends when aborted, and hurts no neighbour', async () => {
    const { base } = await serve(hang, whole)
    const abort = new AbortController()
    const client = mediaClient(base)
    const hung = client
      .read('hung', undefined, abort.signal)
      .next()
      .catch((error: unknown) => error)
    const chunks: Uint8Array[] = []
    for await (const chunk of client.read('neighbour', '7')) {
      abort.abort()
      chunks.push(chunk)
    }
    expect(await hung).toMatchObject({ name: 'AbortError' })
    expect(Buffer.concat(chunks).equals(BYTES)).toBe(true)
  })
})

describe('listing', () => {
  const listing: Answer = (_, response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end('{"prefixes":["logs/"]}')

  const options = { retries: RETRIES, requestTimeoutMs: 300 }

  it.each<[string, Answer[]]>([
    ['at once', [listing]],
    ['after 503', [status(503), listing]],
    ['after a server that hangs', [hang, listing]],
    ['after 429', [status(429, { 'retry-after': '0' }), listing]],
  ])('answers %s', async (_, answers) => {
    const { base, asked } = await serve(...answers)
    const source = await openGcs('bucket', { ...options, endpoint: base })
    await source.close()
    expect(asked.length).toBe(answers.length)
    expect(asked[0]?.headers.authorization).toBeUndefined()
  })

  it.each<[string, Answer, string]>([
    ['403', status(403), 'BUCKET_DENIED'],
    ['401', status(401), 'BUCKET_DENIED'],
    ['404', status(404), 'BUCKET_NOT_FOUND'],
    ['503 without end', status(503), 'BUCKET_UNREACHABLE'],
    ['an answer that is no JSON', (_, response) => void response.end('<html>'), 'BUCKET_UNREACHABLE'],
    ['no answer', hang, 'BUCKET_UNREACHABLE'],
  ])('fails on %s, in one line', async (_, answer, code) => {
    const { base } = await serve(answer)
    const error = await openGcs('bucket', { ...options, endpoint: base }).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code })
    expect((error as Error).message).not.toContain('\n')
  })
})

describe('Retry-After', () => {
  const now = Date.UTC(2026, 0, 1)
  it.each([
    ['3', 3000],
    [' 0 ', 0],
    ['Thu, 01 Jan 2026 00:00:05 GMT', 5000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    ['soon', undefined],
    [undefined, undefined],
  ])('%j is %j ms', (value, ms) => {
    expect(retryAfterMs(value, now)).toBe(ms)
  })
})
