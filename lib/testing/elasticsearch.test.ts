import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { openElastic } from '../store/elastic/elastic-store.ts'
import { compareChecksums } from './elasticsearch/install.ts'
import { hasElasticsearch, startElasticsearch } from './elasticsearch.ts'

const own = hasElasticsearch() && process.env.ELASTICSEARCH_URL === undefined

const dir = mkdtempSync(join(tmpdir(), 'prowl-launcher-'))
afterAll(() => rmSync(dir, { recursive: true }))

describe.skipIf(!own)('a real Elasticsearch', () => {
  afterEach(() => vi.unstubAllEnvs())

  test('starts, keeps what it is given, and leaves nothing behind', async () => {
    const { url, stop } = await startElasticsearch({ dir })
    expect(readdirSync(dir)).toHaveLength(1)
    try {
      const body = JSON.stringify({ text: 'kept' })
      const headers = { 'content-type': 'application/json' }
      const put = await fetch(`${url}/index/_doc/1?refresh=true`, { method: 'PUT', body, headers })
      expect(put.status).toBe(201)
      const found = await fetch(`${url}/index/_search?q=kept`).then((answer) => answer.json())
      expect(found).toMatchObject({ hits: { hits: [{ _source: { text: 'kept' } }] } })
    } finally {
      await stop()
    }
    expect(readdirSync(dir)).toEqual([])
    await expect(fetch(url)).rejects.toThrow()
  })

  test('that is not ours keeps running, and all that it held before', async () => {
    const node = await startElasticsearch({ dir })
    try {
      const names = async () => [
        ...Object.keys(await fetch(`${node.url}/_mapping`).then((answer) => answer.json())),
        ...JSON.stringify(await fetch(`${node.url}/_index_template`).then((answer) => answer.json())).matchAll(
          /test_/g,
        ),
      ]
      await fetch(`${node.url}/theirs`, { method: 'PUT' })
      vi.stubEnv('ELASTICSEARCH_URL', node.url)
      const given = await startElasticsearch()
      const stores = [given.newPrefix(), given.newPrefix()].map((prefix) =>
        openElastic({ nodes: [given.url], prefix, mode: 'write' }),
      )
      for (const store of stores) await (await store).close()
      expect((await names()).length).toBeGreaterThan(10)
      await given.stop()
      expect(await names()).toEqual(['theirs'])
    } finally {
      await node.stop()
    }
  })
})

test('a jar that is another, missing or not listed is refused', () => {
  const jars = mkdtempSync(join(dir, 'jars-'))
  writeFileSync(join(jars, 'a.jar'), 'a')
  const a = 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb  a.jar'
  expect(() => compareChecksums(jars, `${a}\n`)).not.toThrow()
  for (const list of [`0${a.slice(1)}\n`, `${a}\n${a.replace('a.jar', 'b.jar')}\n`, '\n'])
    expect(() => compareChecksums(jars, list)).toThrow('.jar')
})
