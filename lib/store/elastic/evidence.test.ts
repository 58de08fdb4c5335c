import { Client } from '@elastic/elasticsearch'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Elasticsearch, hasElasticsearch, startElasticsearch } from '../../testing/elasticsearch.ts'
import { sampleEvidence } from '../../testing/evidence.ts'
import { openElastic } from './elastic-store.ts'
import { LAYOUT } from './layout.ts'

describe.skipIf(!hasElasticsearch())('evidence on a real Elasticsearch', () => {
  let node: Elasticsearch
  let direct: Client
  const session = Date.now().toString(36)
  beforeAll(async () => {
    node = await startElasticsearch()
    direct = new Client({ node: node.url })
  })
  afterAll(async () => {
    await direct?.close()
    await node?.stop()
  })
  const open = (prefix: string, mode: 'read' | 'write') => openElastic({ nodes: [node.url], prefix, mode })

  test('web servers freeze side by side, and what the first kept stays', async () => {
    const prefix = `e${session}_a`
    const writer = await open(prefix, 'write')
    const readers = await Promise.all([open(prefix, 'read'), open(prefix, 'read')])
    const kept = await Promise.all(
      readers.flatMap((reader, n) =>
        [1, 2, 3].map((i) =>
          reader.putEvidence(sampleEvidence({ frozenAt: 100 * n + i, sentences: ['x'.repeat(1e5)] })),
        ),
      ),
    )
    for (const each of kept) expect(each).toEqual(kept[0])
    expect(await writer.evidence('0123456789')).toEqual(kept[0])
    for (const reader of readers) expect((await reader.listEvidence({}, { limit: 9 })).items).toEqual([kept[0]])
    await Promise.all([writer, ...readers].map((store) => store.close()))
  })

  test('a cluster from before there was evidence is read as it is, and a worker makes the index', async () => {
    const prefix = `e${session}_b`
    await (await open(prefix, 'write')).close()
    await direct.indices.delete({ index: `${prefix}-evidence` })
    const reader = await open(prefix, 'read')
    expect(await reader.status()).toMatchObject({ evidence: 0, layout: LAYOUT })
    expect(await reader.evidence('0123456789')).toBeUndefined()
    expect((await reader.listEvidence({}, { limit: 9 })).items).toEqual([])
    await expect(reader.putEvidence(sampleEvidence())).rejects.toMatchObject({ code: 'STORE_LAYOUT' })
    expect(await direct.indices.exists({ index: `${prefix}-evidence` })).toBe(false)
    await (await open(prefix, 'write')).close()
    expect(await reader.putEvidence(sampleEvidence())).toEqual(sampleEvidence())
    expect((await reader.status()).evidence).toBe(1)
    await reader.close()
  })
})
