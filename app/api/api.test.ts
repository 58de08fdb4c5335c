import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Run } from '#lib/model/run.ts'
import { context } from '#lib/service/open.ts'
import { writeStore } from '#lib/testing/stored-run.ts'
import { HOUR, makeRun } from '#lib/testing/values.ts'
import { GET as getCoverage } from './v1/coverage/route.ts'
import { GET as getGroup } from './v1/groups/[id]/route.ts'
import { GET as getIncident } from './v1/incidents/[id]/route.ts'
import { GET as getRaw } from './v1/raw/[...path]/route.ts'
import { GET as getRun } from './v1/runs/[...path]/route.ts'
import { GET as getSearch } from './v1/search/route.ts'
import { GET as getFigures } from './v1/signatures/[id]/figures/route.ts'
import { GET as getPreview, POST as postPreview } from './v1/signatures/[id]/preview/route.ts'
import { GET as getSignature } from './v1/signatures/[id]/route.ts'
import { GET as getSignatures } from './v1/signatures/route.ts'
import { GET as getStatus } from './v1/status/route.ts'
import { GET as getTriage } from './v1/triage/route.ts'

const LINES = ['start', 'Post http://boskos.ci/update?name=x: EOF', '<script>alert(1)</script>', 'end']
let dataDir: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'api-'))
  process.env.PROWL_DATA = dataDir
  const runOf = (buildId: number, result: Run['result'], hoursAgo: number): Run => {
    const finishedAt = Date.now() - hoursAgo * HOUR
    const path = `logs/e2e-aws/${buildId}`
    return makeRun({ bucket: 'gs://test-platform-results', path, startedAt: finishedAt - HOUR, finishedAt, result })
  }
  const textOf = (lines: readonly string[]) => ({ 'build-log.txt': Buffer.from(`${lines.join('\n')}\n`) })
  await writeStore(dataDir, [
    [runOf(8664, 'failure', 1), textOf(LINES)],
    [runOf(8665, 'failure', 2), textOf(['start'])],
    [runOf(8666, 'success', 3), textOf(['start'])],
  ])
})

afterAll(async () => {
  const { store, searcher } = await context()
  await searcher.close()
  await store.close()
  await rm(dataDir, { recursive: true })
})

function request(path: string, headers: Record<string, string> = {}): Request {
  return new Request(`http://prowl.test${path}`, { headers })
}

describe('search', () => {
  test('answers JSON with counts, impact and links', async () => {
    const response = await getSearch(request('/api/v1/search?search=boskos.ci.*EOF&maxAge=2d'))
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({
      headline: expect.stringMatching(
        /^Found in 33\.33% of runs \(50\.00% of failures\) across 3 total runs and 1 jobs \(66\.67% failed\) in [\d.]+m?s$/,
      ),
      found: { lines: 1, runs: 1, failedRuns: 1, jobs: 1, pulls: 0 },
      groups: [{ key: 'e2e-aws', impact: { words: '3 runs, 67% failed, 50% of failures match = 33% impact' } }],
      hits: [
        {
          job: 'e2e-aws',
          buildId: '8664',
          result: 'failure',
          log: 'build-log.txt',
          line: 2,
          text: LINES[1],
          before: ['start'],
          after: [LINES[2]],
          links: {
            prowl: '/runs/gs/test-platform-results/logs/e2e-aws/8664?log=build-log.txt&line=2#L2',
            spyglass: expect.stringContaining('#1:build-log.txt%3A2'),
          },
        },
      ],
      partial: ['incomplete'],
      reach: {
        state: 'never',
        index: { blocks: 3, indexed: 0, quarantined: 0 },
        words: 'no worker has reported how far it read; 0% of 3 blocks indexed',
        warnings: [],
      },
    })
    expect(response.headers.get('prowl-data')).toMatch(/^no worker has reported .*; 0% of 3 blocks indexed$/)
  })

  test('gives a run no more lines than asked, and says that it was looked at no further', async () => {
    const response = await getSearch(request('/api/v1/search?search=t&maxAge=2d&maxPerRun=1'))
    const { hits, found } = await response.json()
    const told = hits.map(({ buildId, line, runFull }: Record<string, unknown>) => [buildId, line, runFull])
    expect(told).toEqual([
      ['8664', 1, true],
      ['8665', 1, true],
      ['8666', 1, true],
    ])
    expect(found.runs).toBe(3)
  })

  test.each([
    ['an Accept header', '/api/v1/search?search=boskos', { accept: 'text/plain' }],
    ['a parameter', '/api/v1/search?search=boskos&format=text', {}],
  ])('answers lines for grep, asked by %s', async (_, path, headers) => {
    const response = await getSearch(request(path, headers))
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await response.text()).toBe(`e2e-aws 8664 build-log.txt:2: ${LINES[1]}\n`)
  })

  test('says what is wrong with a query, and where', async () => {
    const syntax = await getSearch(request('/api/v1/search?search=a('))
    expect(syntax.status).toBe(400)
    expect(await syntax.json()).toEqual({
      type: '/docs/errors.md#regex_syntax',
      title: 'Regex syntax',
      status: 400,
      detail: expect.any(String),
      code: 'REGEX_SYNTAX',
      position: expect.any(Number),
      pattern: { parameter: 'search', index: 0, text: 'a(' },
    })
    expect(syntax.headers.get('content-type')).toBe('application/problem+json')
    const parameter = await getSearch(request('/api/v1/search?search=a&maxAge=soon'))
    expect(parameter.status).toBe(400)
    expect(await parameter.json()).toMatchObject({
      code: 'QUERY_INVALID',
      detail: expect.stringMatching(/^maxAge: /),
    })
  })
})

describe('runs', () => {
  test('a run with the window round a line', async () => {
    const response = await getRun(request('/api/v1/runs/gs/test-platform-results/logs/e2e-aws/8664?line=2'))
    const { window } = await response.json()
    expect(window.lines.map((line: { text: string }) => line.text)).toEqual(LINES)
  })

  test.each([
    ['/api/v1/runs/gs/test-platform-results/logs/e2e-aws/1', 404, 'NOT_FOUND'],
    ['/api/v1/runs/gs', 400, 'QUERY_INVALID'],
    ['/api/v1/runs/gs/test-platform-results/logs/e2e-aws/8664?line=0', 400, 'QUERY_INVALID'],
    ['/api/v1/runs/gs/%00/..%2f..%2fetc/passwd', 404, 'NOT_FOUND'],
  ])('%s: %d', async (path, status, code) => {
    const response = await getRun(request(path))
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ code })
  })

  test('raw text that no browser takes for a page', async () => {
    const response = await getRaw(request('/api/v1/raw/gs/test-platform-results/logs/e2e-aws/8664'))
    expect(await response.text()).toBe(`${LINES.join('\n')}\n`)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    })
    const missing = await getRaw(request('/api/v1/raw/gs/test-platform-results/logs/e2e-aws/8664?log=x'))
    expect(missing.status).toBe(404)
  })
})

describe('an edit of a signature', () => {
  const path = '/api/v1/signatures/new/preview'
  const yaml = (regex: string) =>
    `signatures:\n  - {id: api.test, title: T, kind: per-run, regexes: ['${regex}'], samples: {match: ['${LINES[1]}']}}`
  const post = (body: string) => postPreview(new Request(`http://prowl.test${path}`, { method: 'POST', body }))

  test('tells which runs it would gain, the same as an address and as a body', async () => {
    const edit = yaml('boskos\\.ci')
    const posted = await (await post(edit)).json()
    expect(posted).toMatchObject({
      problems: [],
      answer: {
        runs: 3,
        previews: [
          {
            signature: 'api.test',
            why: 'new',
            gained: {
              count: 1,
              runs: [
                {
                  run: { buildId: '8664' },
                  hits: [
                    {
                      hit: { line: 2, text: LINES[1] },
                      links: { prowl: '/runs/gs/test-platform-results/logs/e2e-aws/8664?log=build-log.txt&line=2#L2' },
                    },
                  ],
                },
              ],
            },
          },
        ],
      },
    })
    const got = await getPreview(request(`${path}?${new URLSearchParams({ yaml: edit })}`))
    expect(await got.json()).toEqual(posted)
  })

  test('without one gives the YAML to start from', async () => {
    const { signatures } = await (await getSignatures(request('/api/v1/signatures'))).json()
    const id: string = signatures[0].id
    const answer = await (await getPreview(request(`/api/v1/signatures/${id}/preview`))).json()
    expect(answer).toMatchObject({ signature: { id }, file: expect.stringMatching(/^signatures\//), problems: [] })
    expect(answer.yaml).toContain(`- id: ${id}`)
  })

  test.each([
    ['that is none', 'signatures: [{id: a}]', 400, 'EDIT_INVALID'],
    ['whose regex does not parse', yaml('boskos('), 400, 'EDIT_INVALID'],
    ['too long', `#${'x'.repeat(10_000_000)}`, 413, 'EDIT_TOO_LARGE'],
  ])('%s is refused', async (_, edit, status, code) => {
    const response = await post(edit)
    expect(response.status).toBe(status)
    const { problems, ...error } = await response.json()
    expect(error).toMatchObject({ code, detail: expect.any(String) })
    if (code === 'EDIT_INVALID') expect(problems).toContainEqual(expect.objectContaining({ in: 'edit' }))
  })
})

test('a body without end is read no further than the limit', async () => {
  const body = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1000).fill(35)) })
  const endless = new Request('http://prowl.test/api/v1/signatures/new/preview', {
    method: 'POST',
    body,
    duplex: 'half',
  } as RequestInit)
  expect((await postPreview(endless)).status).toBe(413)
})

describe('the rest', () => {
  test('signatures, triage and status', async () => {
    const { signatures } = await (await getSignatures(request('/api/v1/signatures'))).json()
    expect(signatures.map((signature: { id: string }) => signature.id)).not.toEqual([])
    const { rows } = await (await getTriage(request('/api/v1/triage'))).json()
    expect(rows).toBeInstanceOf(Array)
    expect(await (await getStatus(request('/api/v1/status'))).json()).toMatchObject({ store: { logs: 3 } })
    const one = await getSignature(request(`/api/v1/signatures/${signatures[0].id}`))
    expect(await one.json()).toMatchObject({ signature: { id: signatures[0].id } })
  })

  test('triage as text: a line a failure, its columns apart by tabs', async () => {
    const answer = await getTriage(request('/api/v1/triage?format=text&since=36h'))
    expect(answer.headers.get('content-type')).toContain('text/plain')
    const [headline, news, , columns, ...lines] = (await answer.text()).split('\n')
    expect(headline).toContain('failed run')
    expect(news).toMatch(/^Since .*: nothing new$/)
    expect(columns).toBe('state\tid\tfailure\thow often\t24 h (usual)\tkilled, 14 d\tbug')
    expect(lines.find((line) => line.includes('boskos.heartbeat'))?.split('\t')).toHaveLength(7)
    expect(lines.at(-1)).toBe('')
  })

  test('triage of an owner; what can’t be read is refused', async () => {
    const { rows, owners } = await (await getTriage(request('/api/v1/triage?owner=api-team'))).json()
    expect(rows.map((row: { signature: { owner: string } }) => row.signature.owner)).toEqual(['api-team'])
    expect(owners.length).toBeGreaterThan(1)
    for (const query of ['since=x', 'since=9999-01-01', 'owner=x']) {
      const refused = await getTriage(request(`/api/v1/triage?${query}`))
      expect(refused.status).toBe(400)
      expect(await refused.json()).toMatchObject({ code: 'QUERY_INVALID' })
    }
  })

  test('what is not there: 404', async () => {
    expect((await getSignature(request('/api/v1/signatures/no-such'))).status).toBe(404)
    expect((await getPreview(request('/api/v1/signatures/no-such/preview'))).status).toBe(404)
    expect((await getIncident(request('/api/v1/incidents/no-such'))).status).toBe(404)
  })
})

describe('coverage', () => {
  test('answers how much of what failed is known, and the rest in groups', async () => {
    const response = await getCoverage(request('/api/v1/coverage?days=3'))
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({
      window: { days: 3 },
      failed: 2,
      died: 0,
      share: { part: 0, whole: 2 },
      unexplained: { unknown: 2, unnamed: 2, count: 0, groups: [] },
    })
  })

  test.each(['0', '91', 'x'])('refuses days=%s', async (days) => {
    const response = await getCoverage(request(`/api/v1/coverage?days=${days}`))
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      code: 'QUERY_INVALID',
      detail: expect.stringMatching(/^days: /),
    })
  })

  test('knows no group that no run has', async () => {
    const response = await getGroup(request('/api/v1/groups/x'))
    expect(response.status).toBe(404)
  })

  test('answers a scorecard and where a failure strikes', async () => {
    const response = await getFigures(request('/api/v1/signatures/boskos.heartbeat/figures'))
    expect(await response.json()).toMatchObject({
      window: { days: 90 },
      breakdowns: [{ by: 'job', rows: [] }],
      scorecard: { passed: { part: 0, whole: 0 }, warnings: [expect.stringMatching(/^Only 0 passing runs/)] },
    })
  })
})
