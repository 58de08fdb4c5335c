import { expect, test } from 'vitest'
import { ProwlError } from '../errors.ts'
import { createLog } from './log.ts'

const WEBHOOK = 'https://hooks.example.org/services/T1/B2/s3cr"et\\x'
const ELASTIC = { nodes: ['https://es:9200'], prefix: 'prowl' }

function logged(config: Partial<Parameters<typeof createLog>[1]>, say: (log: ReturnType<typeof createLog>) => void) {
  const lines: string[] = []
  say(
    createLog(
      'worker',
      { logLevel: 'info', webhook: undefined, elastic: undefined, ...config },
      { write: (line) => lines.push(line) },
    ),
  )
  return { text: lines.join(''), told: lines.map((line) => JSON.parse(line) as Record<string, unknown>) }
}

test('a line is an object with its level as a word and its time as an instant', () => {
  const { told, text } = logged({}, (log) => log.info({ run: 'logs/job/1' }, 'a run was read'))
  expect(told).toEqual([
    {
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      name: 'worker',
      pid: process.pid,
      run: 'logs/job/1',
      msg: 'a run was read',
    },
  ])
  expect(text.endsWith('\n')).toBe(true)
})

test.each<[string, Parameters<typeof logged>[0], string, RegExp]>([
  ['the webhook', { webhook: WEBHOOK }, `could not post to ${WEBHOOK}`, /s3cr/],
  [
    'its path alone',
    { webhook: 'https://hooks.example.org/services/T1/s3cret' },
    'POST /services/T1/s3cret: 404',
    /s3cret/,
  ],
  ['an API key', { elastic: { ...ELASTIC, auth: { apiKey: 'a2V5LXZhbHVl' } } }, 'sent a2V5LXZhbHVl', /a2V5/],
  [
    'a password',
    { elastic: { ...ELASTIC, auth: { username: 'u', password: '20261203' } } },
    'user u, 20261203',
    /"msg".*20261203/,
  ],
  ['credentials of a URL', {}, 'ECONNREFUSED https://elastic:hunter22@es:9200/_search', /hunter22/],
  ['an Authorization header', {}, 'authorization: Bearer ya29.a0AfH6SM', /ya29/],
  ['a signed address', {}, 'GET https://storage/x?alt=media&X-Goog-Signature=0f2a99 failed', /0f2a99/],
])('%s is told nowhere: not in a message, a field, an error or its cause', (_, config, message, secret) => {
  const { text, told } = logged(config, (log) => {
    const cause = Object.assign(new Error(message), { request: { headers: { authorization: message } } })
    log.error({ path: message, err: new ProwlError('STORE_FAILED', message, { cause }) }, message)
    log.error({ err: cause, deep: [{ er: message }] }, 'plain')
  })
  expect(text).not.toMatch(secret)
  expect(text).toContain('[redacted]')
  expect(told).toHaveLength(2)
})

test('an error is told with its code and its causes, a coded one without a trace', () => {
  const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', response: { huge: true } })
  const { told } = logged({}, (log) => log.error({ err: new ProwlError('STORE_UNREACHABLE', 'away', { cause }) }, 'x'))
  expect(told[0]?.err).toEqual({
    type: 'ProwlError',
    code: 'STORE_UNREACHABLE',
    message: 'away',
    cause: { type: 'Error', code: 'ECONNREFUSED', message: 'refused', stack: expect.stringContaining('log.test') },
  })
})

test('what is below the level is not told', () => {
  expect(logged({ logLevel: 'warn' }, (log) => log.info('quiet')).told).toEqual([])
})
