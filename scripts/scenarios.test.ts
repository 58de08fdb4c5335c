import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Elasticsearch, hasElasticsearch, startElasticsearch } from '#lib/testing/elasticsearch.ts'
import { KEEP_DAYS, makeScenarioBucket, NOW, scenarioStory } from '#lib/testing/scenarios/bucket.ts'
import { comparable, shownText } from '#lib/testing/scenarios/comparable.ts'
import type { Scenario } from '#lib/testing/scenarios/scenario.ts'
import { scenarios } from '#lib/testing/scenarios/scenarios.ts'
import { needsBuild } from './start/build.ts'
import { Processes } from './start/processes.ts'
import { NEXT, readAndServe, succeed } from './testing/app.ts'

const CLOCK = ['--import', pathToFileURL(resolve('lib/testing/frozen-clock.ts')).href]

interface StoreUnderTest {
  readonly name: string
  readonly here: boolean
  /** Gives the environment that chooses it. */
  readonly start: () => Promise<Readonly<Record<string, string>>>
}

let node: Elasticsearch | undefined
/** Stores that the app runs on, the first of which the others are compared with. */
const STORES: readonly StoreUnderTest[] = [
  { name: 'embedded', here: true, start: async () => ({}) },
  {
    name: 'elasticsearch',
    here: hasElasticsearch(),
    start: async () => {
      node = await startElasticsearch()
      return { PROWL_STORE: 'elasticsearch', ELASTICSEARCH_URL: node.url, ELASTICSEARCH_PREFIX: node.newPrefix() }
    },
  },
]

const root = mkdtempSync(join(tmpdir(), 'prowl-scenarios-'))
const processes = new Processes()
const answered = new Map<string, unknown>()
let bucket = ''
const made = scenarios(scenarioStory())

beforeAll(async () => {
  bucket = await makeScenarioBucket(root)
  if (needsBuild(process.cwd())) await succeed(processes, [NEXT, 'build'], process.env)
}, 300_000)

afterAll(async () => {
  await processes.stop(10_000)
  await node?.stop()
  rmSync(root, { recursive: true, force: true })
})

for (const { name, here, start } of STORES)
  describe.skipIf(!here)(name, () => {
    let base = ''

    beforeAll(async () => {
      const env = {
        ...process.env,
        ...(await start()),
        PROWL_DATA: join(root, name),
        PROWL_TEST_NOW: String(NOW),
        NO_PROXY: '*',
      }
      const args = ['--bucket', bucket, '--since', 'all', '--keep-days', String(KEEP_DAYS)]
      base = await readAndServe(processes, { args, env, node: CLOCK })
    })

    test.each(made)('$name', async (scenario) => {
      const answer = await fetch(base + scenario.get, { headers: scenario.headers ?? {} })
      const body = await answer.text()
      check(scenario, answer, body)
      if (scenario.pages) expect(await allPages(base, body)).toEqual(scenario.pages)
      if (scenario.same === false) return
      const told = comparable(body, answer.headers.get('content-type') ?? '')
      if (answered.has(scenario.name)) expect(told).toEqual(answered.get(scenario.name))
      else answered.set(scenario.name, told)
    })

    test('every incident of a signature by its id', async () => {
      const { incidents } = await (await fetch(`${base}/api/v1/signatures/boskos.heartbeat`)).json()
      expect(incidents.length).toBeGreaterThan(0)
      for (const { id, runs } of incidents) {
        const answer = await fetch(`${base}/api/v1/incidents/${id}`)
        expect(await answer.json()).toMatchObject({ incident: { id, runs } })
        expect((await fetch(`${base}/incidents/${id}`)).status).toBe(200)
      }
    })
  })

function check({ status = 200, answers = {}, json, shows = [] }: Scenario, answer: Response, body: string): void {
  expect(answer.status, body.slice(0, 300)).toBe(status)
  const headers = Object.fromEntries(Object.keys(answers).map((name) => [name, answer.headers.get(name)]))
  expect(headers).toEqual(answers)
  if (json !== undefined) expect(JSON.parse(body)).toMatchObject(json)
  const shown = answer.headers.get('content-type')?.startsWith('text/html') ? shownText(body) : body
  for (const each of shows) expect(shown).toMatch(each)
}

interface SearchPage {
  readonly hits: readonly { readonly job: string; readonly line: number }[]
  readonly next?: string
}

async function allPages(base: string, first: string): Promise<string[]> {
  const lines: string[] = []
  for (let page: SearchPage = JSON.parse(first); ; ) {
    lines.push(...page.hits.map(({ job, line }) => `${job} ${line}`))
    if (page.next === undefined) return lines
    page = await (await fetch(`${base}/api/v1/search?${page.next}`)).json()
  }
}
