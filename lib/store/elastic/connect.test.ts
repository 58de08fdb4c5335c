import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Config, readConfig } from '../../config.ts'
import { type Elasticsearch, hasElasticsearch, startElasticsearch } from '../../testing/elasticsearch.ts'
import { freePort } from '../../testing/free-port.ts'
import { type Certificate, type GuardedFront, ownCertificate, startGuardedFront } from '../../testing/guarded-front.ts'
import { blocksOf, putSample, sampleRun } from '../../testing/records.ts'
import { openElastic } from './elastic-store.ts'

const BASIC = `Basic ${Buffer.from('prowl:s3cret').toString('base64')}`
const USER = { ELASTICSEARCH_USERNAME: 'prowl', ELASTICSEARCH_PASSWORD: 's3cret' }

/** As people set it: from the environment to the answers of a real node. */
describe.skipIf(!hasElasticsearch())('a cluster that is secured', () => {
  const dir = mkdtempSync(join(tmpdir(), 'prowl-connect-'))
  const fronts: GuardedFront[] = []
  const session = Date.now().toString(36)
  let node: Elasticsearch
  let own: Certificate
  let other: Certificate
  let count = 0

  beforeAll(async () => {
    ;[node, own, other] = await Promise.all([startElasticsearch(), ownCertificate(), ownCertificate()])
    writeFileSync(join(dir, 'own.pem'), own.cert)
    writeFileSync(join(dir, 'other.pem'), other.cert)
    writeFileSync(join(dir, 'none.pem'), 'not a certificate')
  })
  afterAll(async () => {
    for (const each of fronts) await each.close()
    await node?.stop()
    rmSync(dir, { recursive: true, force: true })
  })

  const front = async (options: Parameters<typeof startGuardedFront>[1]) => {
    const made = await startGuardedFront(node.url, options)
    fronts.push(made)
    return made
  }
  const elasticOf = (env: Record<string, string>): NonNullable<Config['elastic']> => {
    const prefix = `c${session}_${++count}`
    const base = { NODE_ENV: 'test' as const, PROWL_STORE: 'elasticsearch', ELASTICSEARCH_PREFIX: prefix }
    const { elastic } = readConfig({ ...base, ...env }, dir)
    if (!elastic) throw new Error('not configured')
    return elastic
  }
  /** A run goes in by one connection and comes back by another. */
  const roundTrip = async (env: Record<string, string>) => {
    const elastic = elasticOf(env)
    const writer = await openElastic({ ...elastic, mode: 'write' })
    await putSample(writer, sampleRun(), { 'build-log.txt': blocksOf(['kept']) })
    await writer.close()
    const reader = await openElastic({ ...elastic, mode: 'read' })
    const { items } = await reader.candidates({}, { limit: 9 })
    const read = await reader.read(items.map(({ ref }) => ref))
    await reader.close()
    return read.map((bytes) => bytes && Buffer.from(bytes).toString())
  }

  test.each<[string, string, Record<string, string>]>([
    ['an API key', 'ApiKey a2V5', { ELASTICSEARCH_API_KEY: 'a2V5' }],
    ['a user', BASIC, USER],
  ])('is used with %s', async (_, allowed, env) => {
    const { url, seen } = await front({ allowed })
    expect(await roundTrip({ ELASTICSEARCH_URL: url, ...env })).toEqual(['kept'])
    expect(new Set(seen)).toEqual(new Set([allowed]))
  })

  test('is used with TLS, a user and the authority that signed its certificate', async () => {
    const { url, seen } = await front({ allowed: BASIC, certificate: own })
    expect(await roundTrip({ ELASTICSEARCH_URL: url, ...USER, ELASTICSEARCH_CA_FILE: 'own.pem' })).toEqual(['kept'])
    expect(seen.length).toBeGreaterThan(0)
  })

  test.each<[string, Record<string, string>]>([
    ['another key', { ELASTICSEARCH_API_KEY: 'b3RoZXI=' }],
    ['another password', { ...USER, ELASTICSEARCH_PASSWORD: 'guess' }],
    ['none', {}],
  ])('refuses %s, at once and by code', async (_, env) => {
    const { url, seen } = await front({ allowed: 'ApiKey a2V5' })
    for (const mode of ['read', 'write'] as const) {
      const opened = openElastic({ ...elasticOf({ ELASTICSEARCH_URL: url, ...env }), mode })
      await expect(opened).rejects.toMatchObject({
        code: 'STORE_DENIED',
        message: expect.stringMatching(/unable to authenticate.*check its key or user/),
      })
    }
    expect(seen).toHaveLength(2)
  })

  test.each<[string, Record<string, string>]>([
    ['another authority', { ELASTICSEARCH_CA_FILE: 'other.pem' }],
    ['the system’s', {}],
  ])('whose certificate is not trusted by %s is not talked to, and is said to', async (_, env) => {
    const { url, seen } = await front({ certificate: own })
    for (const mode of ['read', 'write'] as const) {
      const opened = openElastic({ ...elasticOf({ ELASTICSEARCH_URL: url, ...env }), mode })
      await expect(opened).rejects.toMatchObject({
        code: 'STORE_UNREACHABLE',
        message: expect.stringMatching(/certificate is not trusted: .*ELASTICSEARCH_CA_FILE/),
      })
    }
    expect(seen).toEqual([])
  })

  test.each(['none.pem', 'missing.pem'])('a CA file that is none (%s) is refused by name', async (file) => {
    const elastic = elasticOf({ ELASTICSEARCH_URL: node.url, ELASTICSEARCH_CA_FILE: file })
    await expect(openElastic({ ...elastic, mode: 'read' })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(/^ELASTICSEARCH_CA_FILE: .*\.pem/),
    })
  })

  test.each([0, 1, 2])('of three nodes works with the %dth dead', async (dead) => {
    const alive = [await front({}), await front({})]
    const urls = alive.map(({ url }) => url)
    urls.splice(dead, 0, `http://127.0.0.1:${await freePort()}`)
    expect(await roundTrip({ ELASTICSEARCH_URL: urls.join(',') })).toEqual(['kept'])
    for (const { seen } of alive) expect(seen.length).toBeGreaterThan(0)
  })

  test('goes on by the other node when one dies', async () => {
    const [first, second] = [await front({}), await front({})]
    const store = await openElastic({
      ...elasticOf({ ELASTICSEARCH_URL: `${first.url},${second.url}` }),
      mode: 'write',
    })
    await store.putState('k', 1)
    await first.close()
    for (const value of [2, 3, 4, 5]) await store.putState('k', value)
    expect(await store.state('k')).toBe(5)
    await store.close()
  })
})
