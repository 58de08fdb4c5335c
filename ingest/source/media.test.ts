import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { PassThroughClient } from 'google-auth-library'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readAll, waits } from './behind-proxy.ts'
import { politeFor } from './host.ts'
import { MediaClient, type MediaOptions } from './media.ts'
import { retryAfterMs } from './retry.ts'

const BYTES = Buffer.from(Array.from({ length: 20_000 }, (_, i) => `line ${i}\n`).join(''))
const GZIP = gzipSync(BYTES)

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

function read(base: string, options: MediaOptions = {}) {
  const retries = waits()
  const host = politeFor(base, { retries })
  onTestFinished(() => host.close())
  const client = new MediaClient(base, host, new PassThroughClient(), { retries, ...options })
  return readAll(client.read('an/object', '7'))
}

const stored = (bytes: Buffer, encoding = 'identity') => ({
  'x-goog-generation': '7',
  'x-goog-stored-content-encoding': encoding,
  'x-goog-stored-content-length': String(bytes.length),
  'x-goog-hash': `crc32c=AAAAAA==,md5=${createHash('md5').update(bytes).digest('base64')}`,
})

describe('a transfer from servers that fake-gcs-server does not play', () => {
  it('passes over what it has where ranges are ignored', async () => {
    const cut: Answer = (_, response) => {
      response.writeHead(200, stored(BYTES))
      response.write(BYTES.subarray(0, 50_000), () => setTimeout(() => response.destroy(), 20))
    }
    const whole: Answer = (_, response) => void response.writeHead(200, stored(BYTES)).end(BYTES)
    const { base, asked } = await serve(cut, whole)
    expect((await read(base)).bytes.equals(BYTES)).toBe(true)
    expect(asked[1]?.headers.range).toMatch(/^bytes=\d+-$/)
  })

  it('takes short gzip for no whole one, though its label was lost', async () => {
    const short: Answer = (_, response) => void response.writeHead(200, stored(GZIP, 'gzip')).end(GZIP.subarray(0, 900))
    const { base } = await serve(short)
    expect((await read(base)).error).toMatchObject({ code: 'OBJECT_UNREADABLE' })
  })

  it('is whole when all bytes came, though the connection then broke', async () => {
    const broken: Answer = (_, response) => {
      response.writeHead(200, stored(BYTES))
      response.write(BYTES, () => setTimeout(() => response.destroy(), 20))
    }
    const { base, asked } = await serve(broken)
    expect((await read(base)).bytes.equals(BYTES)).toBe(true)
    expect(asked.length).toBe(1)
  })

  it('takes more bytes than are stored for no whole object, checksum or not', async () => {
    const { 'x-goog-hash': _, ...headers } = stored(BYTES)
    const { base } = await serve((_, response) => void response.writeHead(200, headers).end(`${BYTES}more`))
    expect((await read(base)).error).toMatchObject({ code: 'OBJECT_UNREADABLE' })
  })

  it('ends within its time, however slow', async () => {
    const { base } = await serve(() => {})
    expect((await read(base, { overallTimeoutMs: 200 })).error).toMatchObject({ code: 'OBJECT_UNREADABLE' })
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
