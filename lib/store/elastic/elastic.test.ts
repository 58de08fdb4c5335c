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

  const session = Date.now().toString(36)
  let count = 0
  const open = () => openElastic({ nodes: [node.url], prefix: `t${session}_${++count}`, mode: 'write' })
  storeContract('elasticsearch', open)
  sameAnswers('elasticsearch', open, 20)
})
