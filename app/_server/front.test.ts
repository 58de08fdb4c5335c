import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ProwlError } from '#lib/errors.ts'
import { guardServer, SECURITY_HEADERS } from './front.ts'

const LIMITS = { headMs: 300, requestMs: 300, stalledMs: 300, url: 1_000, body: 1_000 }
const TOO_MUCH = new ProwlError('RATE_LIMITED', 'too much', { cause: { seconds: 7 } })
const served: string[] = []
const server = createServer({ connectionsCheckingInterval: 50, maxHeaderSize: 4_000 }, (request, response) => {
  served.push(request.url ?? '')
  if (request.url === '/page') response.setHeader('content-security-policy', 'its own')
  // As Next does of what a route says.
  if (request.url === '/route' && !response.hasHeader('content-security-policy'))
    response.setHeader('content-security-policy', 'its own')
  if (request.url !== '/endless') return void response.end('served')
  const more = () => {
    while (!response.destroyed && response.write('x'.repeat(65_536)));
  }
  response.on('drain', more)
  more()
})
let port = 0

beforeAll(async () => {
  guardServer(server, { limits: LIMITS, pace: async ({ url }) => (url?.endsWith('/hasty') ? TOO_MUCH : undefined) })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterAll(() => server.close())

/** All that comes back until the server closes the connection. */
async function send(text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  socket.on('error', () => {})
  socket.write(text)
  await once(socket, 'close')
  return answer
}

const ask = (line: string, headers = '') => send(`${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`)

describe('every answer has the security headers', () => {
  test.each<[string, () => Promise<string>, number, RegExp, boolean]>([
    ['an ordinary one', () => ask('GET /'), 200, /served$/, true],
    ['a long address', () => ask(`GET /?x=${'a'.repeat(900)}`), 200, /served$/, true],
    ['too long an address', () => ask(`GET /?x=${'a'.repeat(1_000)}`), 414, /URL_TOO_LONG/, false],
    ['broken escapes', () => ask('GET /runs/%zz/x'), 400, /REQUEST_MALFORMED/, false],
    ['broken escapes, of the API', () => ask('GET /api/v1/raw/%ff'), 400, /"code":"REQUEST_MALFORMED"/, false],
    ['another server’s address', () => ask('GET http://evil.test/'), 400, /REQUEST_MALFORMED/, false],
    ['an unknown method', () => ask('TRACE /'), 405, /METHOD_UNKNOWN/, false],
    ['too much, on a page', () => ask('GET /hasty'), 429, /retry-after: 7\r\n.*RATE_LIMITED/s, false],
    ['too much, of the API', () => ask('GET /api/v1/hasty'), 429, /retry-after: 7\r\n.*"RATE_LIMITED"/s, false],
    ['too large a body', () => ask('POST /e', 'Content-Length: 1001\r\n'), 413, /REQUEST_TOO_LARGE/, false],
    ['too large a head', () => ask('GET /', `X-A: ${'a'.repeat(5_000)}\r\n`), 431, /HEADERS_TOO_LARGE/, false],
    ['no request at all', () => send('\u0016\u0003\u0001hello\r\n\r\n'), 400, /REQUEST_MALFORMED/, false],
    ['a head that never ends', () => send('GET / HTTP/1.1\r\nHost: x\r\n'), 408, /REQUEST_TIMEOUT/, false],
  ])('%s', async (_, get, status, body, reached) => {
    served.length = 0
    const answer = await get()
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(answer).toMatch(body)
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) expect(answer).toContain(`${name}: ${value}\r\n`)
    expect(served.length > 0).toBe(reached)
  })

  test.each(['/page', '/route'])('and %s its own policy in place of the strictest', async (path) => {
    const answer = await ask(`GET ${path}`)
    expect(answer.match(/content-security-policy: .*/gi)).toEqual(['content-security-policy: its own'])
  })
})

test('a reader who takes nothing is cut off, and one who takes all in time is not', async () => {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.pause()
  const [[response]] = await Promise.all([
    once(server, 'request').then(([, made]) => [made] as const),
    new Promise((resolve) => socket.write('GET /endless HTTP/1.1\r\nHost: x\r\n\r\n', resolve)),
  ])
  await once(response, 'close')
  expect(response.writableFinished).toBe(false)
  socket.destroy()
  expect(await ask('GET /')).toMatch(/served$/)
})
