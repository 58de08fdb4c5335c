import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base } from 'playwright/test'
import { hasElasticsearch, startElasticsearch } from '../lib/testing/elasticsearch.ts'
import { writeSampleChanges } from '../lib/testing/sample/changes.ts'
import { generateSample } from '../lib/testing/sample/generate.ts'
import type { SampleStory } from '../lib/testing/sample/story.ts'
import { Processes } from '../scripts/start/processes.ts'
import { readAndServe } from '../scripts/testing/app.ts'
import { planted } from './planted.ts'

export interface StoreOptions {
  /** Where the app under test keeps its data. */
  readonly storeName: 'embedded' | 'elasticsearch'
}

interface Served {
  readonly story: SampleStory
  /** Absent: as the configuration has it. */
  readonly url?: string
}

/** Of the sample bucket, as small a slice as tells every story. */
const SLICE = { seed: 7, scale: 0.01 }
const START_MS = 300_000

/** Tests of what must be the same on every store: a project a store runs them. */
export const test = base.extend<object, StoreOptions & { served: Served | undefined }>({
  storeName: ['embedded', { option: true, scope: 'worker' }],
  served: [
    async ({ storeName }, use) => {
      if (storeName === 'embedded') await use({ story: planted() })
      else if (hasElasticsearch()) await onElasticsearch(use)
      else await use(undefined)
    },
    { scope: 'worker', timeout: START_MS },
  ],
  baseURL: async ({ baseURL, served }, use) => await use(served?.url ?? baseURL),
})

/** The real worker reads the slice into a real Elasticsearch, and the built app answers from there. */
async function onElasticsearch(use: (served: Served) => Promise<void>): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'prowl-e2e-'))
  const [bucket, data] = [join(home, 'origin-ci-test'), join(home, 'data')]
  const processes = new Processes()
  const node = await startElasticsearch()
  try {
    const story = await generateSample({ dir: bucket, end: Date.now(), ...SLICE })
    mkdirSync(join(data, 'signatures'), { recursive: true })
    writeSampleChanges(story, join(data, 'signatures', 'sample-changes.yaml'))
    const env = {
      ...process.env,
      ...{ PROWL_STORE: 'elasticsearch', ELASTICSEARCH_URL: node.url, ELASTICSEARCH_PREFIX: node.newPrefix() },
      ...{ PROWL_DATA: data, NO_PROXY: '*' },
    }
    const url = await readAndServe(processes, { args: ['--bucket', bucket, '--since', 'all'], env })
    await use({ story, url })
  } finally {
    await processes.stop(10_000)
    await node.stop()
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  }
}
