import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { address, makeScenarioBucket, NOW, RUNS } from '#lib/testing/scenarios/bucket.ts'
import { needsBuild } from './start/build.ts'
import { NEXT, Processes } from './start/processes.ts'
import { readAndServe, succeed } from './testing/app.ts'
import { OWN_LINKS } from './testing/own-links.ts'
import { textDump } from './testing/text-dump.ts'

/** Beside a checkout, where there are any: links and patterns that stand in public repositories. */
const REAL = resolve('../shared/queries/dev.jsonl')
const CLOCK = ['--import', pathToFileURL(resolve('lib/testing/frozen-clock.ts')).href]
const VIEW = 'https://deck.test/view/gs/scenarios'

const root = mkdtempSync(join(tmpdir(), 'ci-search-'))
const processes = new Processes()
let base = ''

beforeAll(async () => {
  const bucket = await makeScenarioBucket(root)
  const deployments = join(root, 'deployments.yaml')
  writeFileSync(deployments, 'deployments:\n  - name: Scenarios\n    deck: deck.test\n    buckets: [scenarios]\n')
  if (needsBuild(process.cwd())) await succeed(processes, [NEXT, 'build'], process.env)
  const env = {
    ...process.env,
    PROWL_DATA: join(root, 'data'),
    PROWL_TEST_NOW: String(NOW),
    PROWL_DEPLOYMENTS: deployments,
  }
  base = await readAndServe(processes, { args: ['--bucket', bucket, '--since', 'all'], env, node: CLOCK })
}, 300_000)

afterAll(async () => {
  await processes.stop(10_000)
  rmSync(root, { recursive: true, force: true })
})

/** As scripts ask; JSON of whatever form, or the words of a refusal. */
async function ask(path: string, accept = '*/*') {
  const answer = await fetch(new URL(path, base), { headers: { accept } })
  const body = await answer.text()
  return { status: answer.status, headers: answer.headers, body }
}

function patternsIn(body: string): string[] {
  const json = JSON.parse(body)
  const found = 'results' in json ? [json.results] : Object.values(json)
  return [...new Set(found.flatMap((each: object) => Object.keys(each)))].sort()
}

describe('links in the forms that people paste', () => {
  test.each(OWN_LINKS)('$link', async ({ link, finds, refused }) => {
    const { status, body, headers } = await ask(link, link.startsWith('/?') ? 'application/json' : '*/*')
    if (refused) {
      expect([status, headers.get('content-type')]).toEqual([400, 'text/plain; charset=utf-8'])
      expect(body).toMatch(refused)
    } else {
      expect([status, headers.get('prowl-partial')], body).toEqual([200, 'no'])
      expect(patternsIn(body)).toEqual([...(finds ?? [])].sort())
    }
    const page = await ask(link.replace(/^\/(v2\/)?search/, '/'), 'text/html')
    expect(page.headers.get('content-type')).toMatch(/^text\/html/)
    expect(page.status).toBeLessThan(500)
  })
})

interface RealLink {
  readonly url: string
  readonly pattern: string
}

describe.skipIf(!existsSync(REAL))('links that stand in public repositories', () => {
  const lines = existsSync(REAL) ? readFileSync(REAL, 'utf8').trim().split('\n') : []
  const real = lines.map((line): RealLink => JSON.parse(line))

  /** Its path here; of what is another tool's, its pattern. */
  const pathOf = ({ url, pattern }: RealLink) => {
    const own = /^https?:\/\/[^/]*(?:search|localhost)[^/]*(\/(?:\?|search|v2\/search|chart).*)$/.exec(url)?.[1]
    return own?.includes('search=')
      ? own
      : `/search?${new URLSearchParams({ search: pattern, type: 'all', maxAge: '336h' })}`
  }

  test.each(['application/json', 'text/html'])(
    'each gives an answer or a clear refusal: %s',
    async (accept) => {
      for (const link of real) {
        const path = pathOf(link)
        const { status, body, headers } = await ask(path, accept)
        expect([200, 400], path).toContain(status)
        const isPage = accept === 'text/html' && !path.startsWith('/v2')
        if (isPage || path.startsWith('/chart')) expect(headers.get('content-type'), path).toMatch(/^text\/html/)
        else if (status === 200) {
          const asked = new URL(path, base).searchParams.getAll('search')
          for (const pattern of patternsIn(body)) expect(asked, path).toContain(pattern)
          expect(headers.get('prowl-partial'), path).toBe('no')
        } else {
          expect(body, path).toMatch(/\n\n(REGEX_\w+|QUERY_INVALID) \(docs\/errors\.md#\w+\)\n$/)
          if (body.includes('REGEX_')) expect(headers.get('prowl-error-position'), path).toMatch(/^\d+$/)
        }
      }
    },
    300_000,
  )
})

test('the chart as an image, and as a page whose marks lead to runs', async () => {
  const query = 'search=needle&type=build-log&maxAge=96h&name=^job-'
  const image = await fetch(`${base}/chart.png?${query}`)
  const bytes = Buffer.from(await image.arrayBuffer())
  expect([image.headers.get('content-type'), image.headers.get('cross-origin-resource-policy')]).toEqual([
    'image/png',
    'cross-origin',
  ])
  expect([bytes.subarray(1, 4).toString(), bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual(['PNG', 640, 270])
  const { body } = await ask(`/chart?${query}`)
  expect(body).toContain(`href="/runs/${address(RUNS.emoji.path)}"`)
  expect(textDump(body)).toMatch(/1\(100% of all failures\)needle/)
  for (const path of ['/chart', '/chart.png']) {
    const refused = await ask(`${path}?search=a(`)
    expect([refused.status, textDump(refused.body)]).toEqual([400, expect.stringContaining('missing closing )')])
  }
})

test('runs as Prow lists them, and no configuration', async () => {
  const { items } = JSON.parse((await ask('/jobs')).body)
  const urls = items.map(({ status }: { status: { url: string } }) => status.url)
  expect(urls).toContain(`${VIEW}/${runPath(RUNS.emoji)}`)
  const config = await ask('/config')
  expect([config.status, config.body]).toEqual([204, ''])
})

/** Scripts as they stand in CI jobs, dashboards and bots; `$HOST` is all that was changed. */
describe.skipIf(!hasTools())('scripts written for ci-search', () => {
  const run = async (script: string) => {
    const options = { env: { ...process.env, HOST: base, NO_PROXY: '*', DIR: root, LC_ALL: 'C.UTF-8' } }
    return (await promisify(execFile)('bash', ['-o', 'pipefail', '-c', script], options)).stdout
  }
  const TALLY = `jq -r 'to_entries[].value | to_entries[].value[].context[]'`

  test.each<[string, string, string]>([
    [
      'a tally of what lines say',
      `curl -s "$HOST/search?maxAge=96h&type=build-log&maxMatches=500&context=0&search=needle" | ${TALLY} | grep -o 'of .*' | sort | uniq -c | sort -n | sed 's/^ *//'`,
      '250 of emoji\n250 of replacement\n',
    ],
    [
      'a tally of what a line nearby says',
      `curl -s "$HOST/search?maxAge=24h&type=build-log&context=5&search=plain+%3Cb%3E" | jq | sed -n 's/.*Größe: \\(\\S*\\).*/\\1/p' | sort | uniq -c | sed 's/^ *//'`,
      '1 café\n',
    ],
    [
      'a histogram of numbers, of passing runs too',
      `curl -s "$HOST/search?maxAge=96h&type=build-log&context=0&search=needle+[0-9]%2B+of+replacement" -g | jq | sed -n 's/.*needle \\([0-9]*\\) .*/\\1 s/p' | sort -n | uniq -c | sed 's/^ *//'`,
      '1 1 s\n',
    ],
    [
      'lines with their runs',
      `curl -sg "$HOST/search?maxAge=96h&type=build-log&context=0&search=needle+[0-9]1+of+emoji" | jq -r 'to_entries[] | .key as $uri | .value | to_entries[].value[].context[] | $uri + " " + .'`,
      `${VIEW}/${runPath(RUNS.emoji)} needle 11 of emoji\n`,
    ],
    ['a gate', `curl -s "$HOST/search?maxAge=96h&type=build-log&context=0&search=needle" | jq length`, '2\n'],
    [
      'a gate that finds nothing',
      `curl -s "$HOST/search?maxAge=30m&type=build-log&context=0&search=needle" | jq length`,
      '0\n',
    ],
    [
      'runs where two patterns meet',
      `curl -s "$HOST/search?maxAge=96h&type=build-log&search=caf%C3%A9&search=red+alert&search=d%C3%A9but" | jq -r 'to_entries[] | select(.value | length == 3) | .key'`,
      `${VIEW}/${runPath(RUNS.words)}\n`,
    ],
    [
      'a summary of the second form',
      `curl -s "$HOST/v2/search?maxAge=96h&maxMatches=5&name=&search=needle&type=all" | jq -c '.results | map_values(.matches | map(.url) | unique | length)'`,
      '{"needle":2}\n',
    ],
    [
      'a scraper of the page: addresses of runs, and the ages beside them',
      `curl -s "$HOST/?search=needle&type=build-log&name=^job-&maxAge=336h&maxMatches=20&groupBy=none&context=0" | grep -oE 'https://deck.test/view/gs/[^"#]*|[0-9]+ (minutes?|hours?|days?) ago' | sort | uniq | wc -l | tr -d ' '`,
      '2\n',
    ],
    [
      'a poll that has the answer already',
      `curl -s -o /dev/null --etag-save $DIR/etag "$HOST/search?search=needle&type=build-log&context=0" && curl -s -o /dev/null --etag-compare $DIR/etag -w '%{http_code} %{size_download}' "$HOST/search?search=needle&type=build-log&context=0"`,
      '304 0',
    ],
    [
      'a check of a message',
      `curl -s "$HOST/search?type=does-not-exist&search=x" | grep -o 'search must be'`,
      'search must be\n',
    ],
  ])('%s', async (_, script, out) => {
    expect(await run(script)).toBe(out)
  })

  test('a loader that posts 26 quoted patterns takes each back byte for byte', async () => {
    const quoted = ['plain \\<b\\>markup\\<\\/b\\>', ...Array.from({ length: 25 }, (_, i) => `needle ${i + 1} of\\s`)]
    const body = new URLSearchParams([
      ...quoted.map((pattern) => ['search', pattern]),
      ['maxAge', '96h'],
      ['type', 'all'],
    ])
    const answer = await fetch(`${base}/v2/search`, { method: 'POST', body })
    expect(patternsIn(await answer.text())).toEqual(quoted.sort())
  })

  test('a gate does not take an error for a match', async () => {
    await expect(run(`curl -s "$HOST/search?search=a(" | jq length`)).rejects.toMatchObject({ stdout: '' })
    await expect(run(`curl -sf "$HOST/search?search=a("`)).rejects.toMatchObject({ code: 22 })
  })

  test('impact from the page as a text browser shows it', async () => {
    const dump = `curl -s -H 'accept: text/html, text/*;q=0.5' "$HOST/?maxAge=96h&type=build-log&search=needle"`
    const own = textDump(await run(dump)).split('\n')
    expect(own.filter((line) => line.includes('failures match')).sort()).toEqual([
      expect.stringMatching(/^job-\u{1f600} \(all\) - 1 runs, 100% failed, 100% of failures match = 100% impact( |$)/u),
    ])
    expect(own.join('\n')).toMatch(
      /^Found in \d+\.\d\d% of runs \(\d+\.\d\d% of failures\) across \d+ total runs and \d+ jobs \(\d+\.\d\d% failed\) in /m,
    )
  })
})

/** What these scripts need; CI must have it. */
function hasTools(): boolean {
  const found = ['bash', 'curl', 'jq'].every((tool) => spawnSync(tool, ['--version']).status === 0)
  if (!found && process.env.CI === 'true')
    throw new Error('no bash, curl or jq: install them, the tests of scripts need them')
  return found
}

function runPath({ path }: { readonly path: string }): string {
  return path.split('/').map(encodeURIComponent).join('/')
}
