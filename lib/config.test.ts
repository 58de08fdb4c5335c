import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

const read = (env: Record<string, string>) => readConfig({ NODE_ENV: 'test', ...env }, '/root').elastic
const ON = { PROWL_STORE: 'elasticsearch', ELASTICSEARCH_URL: 'https://a:9200, http://b:9200/' }
const nodes = ['https://a:9200', 'http://b:9200']

test.each<[string, Record<string, string>, unknown]>([
  ['not asked for', { ELASTICSEARCH_URL: 'http://a:9200' }, undefined],
  ['several nodes', ON, { nodes, prefix: 'prowl' }],
  ['a key', { ...ON, ELASTICSEARCH_API_KEY: 'k' }, { nodes, prefix: 'prowl', auth: { apiKey: 'k' } }],
  [
    'a user, an authority, a prefix, a lease',
    {
      ...ON,
      ELASTICSEARCH_USERNAME: 'u',
      ELASTICSEARCH_PASSWORD: 'p',
      ELASTICSEARCH_CA_FILE: 'ca.pem',
      ELASTICSEARCH_PREFIX: 'ci_logs',
      ELASTICSEARCH_LEASE: '2.5',
    },
    { nodes, prefix: 'ci_logs', auth: { username: 'u', password: 'p' }, caFile: '/root/ca.pem', leaseMs: 2500 },
  ],
])('Elasticsearch: %s', (_, env, expected) => {
  expect(read(env)).toEqual(expected)
})

test.each<[string, Record<string, string>]>([
  ['PROWL_STORE', { PROWL_STORE: 'postgres' }],
  ['ELASTICSEARCH_URL', { PROWL_STORE: 'elasticsearch' }],
  ['ELASTICSEARCH_URL', { ...ON, ELASTICSEARCH_URL: 'http://a:9200,b' }],
  ['ELASTICSEARCH_PREFIX', { ...ON, ELASTICSEARCH_PREFIX: 'a-b' }],
  ['ELASTICSEARCH_LEASE', { ...ON, ELASTICSEARCH_LEASE: '0' }],
  ['ELASTICSEARCH_PASSWORD', { ...ON, ELASTICSEARCH_USERNAME: 'u' }],
  ['PROWL_PACE_SEARCHES', { PROWL_PACE_SEARCHES: 'many' }],
  ['PROWL_PACE_REQUESTS', { PROWL_PACE_REQUESTS: '-1' }],
  ['PROWL_WEBHOOK', { PROWL_WEBHOOK: 'http://chat.example.org/hook' }],
])('a wrong %s is refused by name', (name, env) => {
  expect(() => read(env)).toThrow(
    expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringContaining(name) }),
  )
})

test('what is wrong with a webhook is said without its secret', () => {
  const secret = { NODE_ENV: 'test', PROWL_WEBHOOK: 'chat.example.org/s3cret' } as const
  expect(() => readConfig(secret)).toThrow('PROWL_WEBHOOK: not an https address; set it right or leave it unset')
  expect(readConfig({ NODE_ENV: 'test', PROWL_WEBHOOK: 'https://chat.example.org/s3cret' }).webhook).toContain('s3cret')
})
