import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Elasticsearch, hasElasticsearch, startElasticsearch } from '#lib/testing/elasticsearch.ts'
import { type FaultProxy, startFaultProxy } from '#lib/testing/fault-proxy.ts'
import { freePort } from '#lib/testing/free-port.ts'
import { generateSample } from '#lib/testing/sample/generate.ts'
import { shownText } from '#lib/testing/scenarios/comparable.ts'
import { needsBuild } from './start/build.ts'
import { NEXT, Processes } from './start/processes.ts'

const PAGES = ['/', '/status', '/search?search=boskos', '/signatures/boskos.heartbeat']
const ANSWERS = ['/api/v1/status', '/api/v1/search?search=boskos', '/api/v1/signatures/boskos.heartbeat']

describe.skipIf(!hasElasticsearch())('a web app whose cluster', () => {
  const root = mkdtempSync(join(tmpdir(), 'prowl-outage-'))
  const processes = new Processes()
  let node: Elasticsearch
  let proxy: FaultProxy
  let env: NodeJS.ProcessEnv
  let base = ''

  beforeAll(async () => {
    if (needsBuild(process.cwd())) expect(await processes.run([NEXT, 'build'], process.env, 'all')).toBe(0)
    await generateSample({ dir: join(root, 'sample'), seed: 7, end: Date.now(), scale: 0.01 })
    node = await startElasticsearch()
    proxy = await startFaultProxy(node.url)
    env = {
      ...process.env,
      PROWL_STORE: 'elasticsearch',
      ELASTICSEARCH_PREFIX: `outage_${Date.now().toString(36)}`,
      PROWL_DATA: root,
      NEXT_TELEMETRY_DISABLED: '1',
    }
    const port = await freePort()
    base = `http://127.0.0.1:${port}`
    const own = { ...env, ELASTICSEARCH_URL: proxy.endpoint }
    let ended = false
    void processes.run([NEXT, 'start', '-p', String(port)], own, 'stdout').then(() => {
      ended = true
    })
    while (!(await fetch(base).catch(() => undefined))) {
      if (ended) throw new Error('the app ended')
      await sleep(100)
    }
  }, 300_000)

  afterAll(async () => {
    await processes.stop(10_000)
    await proxy?.close()
    await node?.stop()
    rmSync(root, { recursive: true, force: true })
  })

  /** Every page and every answer of the API says so, without a trace of the program. */
  const expectAway = async (why: RegExp) => {
    for (const path of PAGES) {
      const answer = await fetch(base + path, { headers: { accept: 'text/html' } })
      const body = await answer.text()
      expect(answer.status, path).toBe(503)
      expect(shownText(body)).toMatch(/The data can’t be read/)
      expect(shownText(body)).toMatch(why)
      expect(body).toContain('STORE_UNREACHABLE')
      expect(body).not.toMatch(/\bat \S+ \(.*:\d+:\d+\)|node_modules/)
    }
    for (const path of ANSWERS) {
      const answer = await fetch(base + path)
      expect(answer.status, path).toBe(503)
      expect(await answer.json()).toEqual({
        type: '/docs/errors.md#store_unreachable',
        title: 'Store unreachable',
        status: 503,
        detail: expect.stringMatching(why),
        code: 'STORE_UNREACHABLE',
      })
    }
  }
  const expectHere = async () => {
    for (const path of [...PAGES, ...ANSWERS]) expect((await fetch(base + path)).status, path).toBe(200)
  }

  test('has no store yet says so, and shows it once a worker has made one', async () => {
    await expectAway(/no worker has made a store/)
    const args = ['ingest/main.ts', '--bucket', join(root, 'sample'), '--since', 'all']
    expect(await processes.run(args, { ...env, ELASTICSEARCH_URL: node.url }, 'all')).toBe(0)
    await expectHere()
  }, 120_000)

  test('is away says so, and shows everything when it is back', async () => {
    const before = await (await fetch(`${base}/api/v1/signatures/boskos.heartbeat`)).json()
    proxy.random({ seed: 1, share: 1, kinds: [{ kind: 'reset' }] })
    await expectAway(/Elasticsearch does not answer/)
    proxy.random(undefined)
    await expectHere()
    expect(await (await fetch(`${base}/api/v1/signatures/boskos.heartbeat`)).json()).toMatchObject({
      incidents: before.incidents,
    })
  }, 120_000)
})
