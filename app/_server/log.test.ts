import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { ProwlError } from '#lib/errors.ts'
import { createLog } from '#lib/log/log.ts'
import { logEndedTo, SLOW_MS } from './log.ts'
import { type Ended, noteFault, requestId, requestIdOf, watchReaders } from './reader.ts'

const ENDED: Ended = { id: 'r-1', method: 'GET', path: '/search?search=x', status: 200, ms: 12, left: false }

function told(level: string, ended: Partial<Ended>): Record<string, unknown>[] {
  const lines: string[] = []
  const config = { logLevel: level, webhook: undefined, elastic: undefined }
  logEndedTo(createLog('web', config, { write: (line) => lines.push(line) }), { ...ENDED, ...ended })
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
}

test.each<[string, Partial<Ended>, object | undefined]>([
  ['an answer in good time', {}, undefined],
  ['a slow one', { ms: SLOW_MS }, { level: 'warn', msg: 'a slow answer', ms: SLOW_MS }],
  ['one that could not be given', { status: 503 }, { level: 'warn', msg: 'answered with a fault', status: 503 }],
  ['a wrong question', { status: 400, fault: new ProwlError('QUERY_INVALID', 'x') }, undefined],
  [
    'one without a store, with its cause',
    { status: 503, fault: new ProwlError('STORE_UNREACHABLE', 'away', { cause: new Error('refused') }) },
    {
      code: 'STORE_UNREACHABLE',
      err: expect.objectContaining({ cause: expect.objectContaining({ message: 'refused' }) }),
    },
  ],
  ['a reader who left a slow one', { ms: SLOW_MS, left: true }, { left: true }],
  ['a long address', { status: 500, path: `/${'x'.repeat(9000)}` }, { path: `/${'x'.repeat(499)}…` }],
])('%s', (_, ended, expected) => {
  const lines = told('info', ended)
  expect(lines).toEqual(expected ? [expect.objectContaining({ requestId: 'r-1', ...expected })] : [])
})

test('at the level debug every answer is there', () => {
  expect(told('debug', {})).toEqual([
    expect.objectContaining({ level: 'debug', requestId: 'r-1', path: ENDED.path, status: 200, ms: 12 }),
  ])
})

test.each<[string | string[] | undefined, boolean]>([
  ['4bf92f3577b34da6a3ce929d0e0e4736', true],
  ['a.b_c:d-e', true],
  ['x'.repeat(64), true],
  ['x'.repeat(65), false],
  ['', false],
  ['a b', false],
  ['a"b', false],
  ['<script>', false],
  ['\u001b[2J', false],
  [['a', 'b'], false],
  [undefined, false],
])('of x-request-id %j is taken: %s', (given, taken) => {
  const id = requestIdOf(given)
  expect(id === given).toBe(taken)
  expect(id).toMatch(/^[\w.:-]{1,64}$/)
})

test('a request’s id is in its answer, in what works on it, and in what is told of its end', async () => {
  const ended: Ended[] = []
  watchReaders((each) => ended.push(each))
  const fault = new ProwlError('STORE_UNREACHABLE', 'away')
  const server = createServer(async (_, response) => {
    await new Promise((resolve) => setImmediate(resolve))
    noteFault(fault)
    response.writeHead(503, { 'content-type': 'text/plain' }).end(requestId())
  })
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const ask = async (headers: Record<string, string>) => {
    const [answer] = await once(request({ port, host: '127.0.0.1', path: '/a?b=c', headers }).end(), 'response')
    let body = ''
    for await (const chunk of answer) body += chunk
    return { body, header: answer.headers['x-request-id'] }
  }
  const [given, made] = [await ask({ 'x-request-id': 'from-proxy' }), await ask({ 'x-request-id': 'not a word' })]
  expect(given).toEqual({ body: 'from-proxy', header: 'from-proxy' })
  expect(made.body).toMatch(/^[\da-f-]{36}$/)
  expect(made.header).toBe(made.body)
  const here = ended.filter(({ path }) => path === '/a?b=c')
  expect(here.map(({ id }) => id)).toEqual(['from-proxy', made.body])
  expect(here[0]).toMatchObject({ method: 'GET', status: 503, left: false, fault })
})
