import { afterAll, beforeAll, describe } from 'vitest'
import { type Elasticsearch, hasElasticsearch, startElasticsearch } from '../../testing/elasticsearch.ts'
import { storeContract } from '../contract.ts'
import { sameAnswers } from '../same-answers.ts'
import { openElastic } from './elastic-store.ts'

describe.skipIf(!hasElasticsearch())('on a real Elasticsearch', () => {
  let node: Elasticsearch
  beforeAll(async () => {
    node = await startElasticsearch()
  })
  afterAll(() => node?.stop())

  const open = () => openElastic({ nodes: [node.url], prefix: node.newPrefix(), mode: 'write' })
  storeContract('elasticsearch', open)
  sameAnswers('elasticsearch', open, 20)
})
