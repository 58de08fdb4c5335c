import { execFile } from 'node:child_process'
import { type APIRequestContext, expect, type Page, test } from 'playwright/test'
import { plantedSignature } from './planted.ts'
import { expectSound } from './sound.ts'

const DECK = 'https://prow.ci.openshift.org/view/gs'
const TITLE = 'Boskos lease lost'
const BUG = '1750890'

interface Died {
  readonly path: string
  readonly job: string
}

/** A run of a pull request that the founding failure killed. */
function diedOfPull(): Died {
  const runs = plantedSignature('boskos.heartbeat').incidents.flatMap((incident) => incident.runs)
  const run = runs.find(({ outcome, path }) => outcome === 'died' && /^pr-logs\/pull\/[^/]+\/\d+\//.test(path))
  if (!run) throw new Error('the founding failure killed no run of a pull request')
  return run
}

async function pullOf(request: APIRequestContext, { path }: Died): Promise<string> {
  const { run } = await (await request.get(`/api/v1/runs/dir/origin-ci-test/${path}`)).json()
  return `${run.refs.org}/${run.refs.repo}#${run.refs.pulls[0].number}`
}

function pageOf(pull: string): string {
  return `/pr/${pull.replace('#', '/')}`
}

async function enter(page: Page, text: string): Promise<void> {
  await page.goto('/status')
  await page.getByRole('searchbox').fill(text)
  await page.getByRole('searchbox').press('Enter')
}

for (const javaScriptEnabled of [true, false])
  test.describe(`the box ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, () => {
    test.use({ javaScriptEnabled })

    test('opens a run by any of its addresses and by its build id', async ({ page }) => {
      const { path } = diedOfPull()
      const [id = ''] = path.split('/').slice(-1)
      for (const text of [
        `${DECK}/test-platform-results/${path}`,
        `https://gcsweb-ci.apps.ci.l2s4.p1.openshiftapps.com/gcs/origin-ci-test/${path}/artifacts/`,
        `https://storage.googleapis.com/origin-ci-test/${path}/build-log.txt`,
        `https://console.cloud.google.com/storage/browser/origin-ci-test/${path};tab=objects`,
        `gs://origin-ci-test/${path}/`,
        id,
      ]) {
        await enter(page, text)
        await page.waitForURL((url) => decodeURIComponent(url.pathname) === `/runs/dir/origin-ci-test/${path}`)
        await expect(page.getByRole('main')).toContainText(TITLE)
      }
    })

    test('opens a pull request and a bug', async ({ page }) => {
      const pull = await pullOf(page.request, diedOfPull())
      await enter(page, pull)
      await page.waitForURL(`**${pageOf(pull)}`)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(pull)
      await enter(page, `https://github.com/${pull.replace('#', '/pull/')}/files`)
      await page.waitForURL(`**${pageOf(pull)}`)
      await enter(page, `bz${BUG}`)
      await page.waitForURL(`**/bug/bz${BUG}`)
      await expect(page.getByRole('main')).toContainText(TITLE)
    })

    test('says of a run that was not read when it will be, and searches for what names nothing', async ({ page }) => {
      await enter(page, `${DECK}/origin-ci-test/logs/no-such-job/1`)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('This run has not been read')
      await expect(page.getByRole('main')).toContainText(/pass (begins|is)|follows the bucket/)
      await enter(page, `${DECK}/another-bucket/logs/no-such-job/1`)
      await expect(page.getByRole('main')).toContainText('Its bucket, another-bucket, is not read here')
      await enter(page, 'no route to host')
      await expect(page).toHaveURL(/\/search\?/)
      await expect(page.getByRole('main')).toContainText('no route to host')
    })

    test('of the search page opens addresses, and takes numbers for patterns', async ({ page }) => {
      const { path } = diedOfPull()
      await page.goto('/search')
      await page.getByRole('searchbox').fill(`gs://origin-ci-test/${path}`)
      await page.getByRole('searchbox').press('Enter')
      await page.waitForURL(`**/runs/dir/origin-ci-test/${path}`)
      await page.goto('/search')
      await page.getByRole('searchbox').fill(BUG)
      await page.getByRole('searchbox').press('Enter')
      await page.waitForURL(/\/search\?/)
      await expect(page.getByRole('searchbox')).toHaveValue(BUG)
    })

    test('leads to a pull request’s red jobs: the known with its bug, the others as yours', async ({ page }) => {
      const { job, path } = diedOfPull()
      await page.goto(pageOf(await pullOf(page.request, { job, path })))
      const main = page.getByRole('main')
      for (const folded of await main.locator('details').all()) await folded.locator('summary').click()
      const run = main.getByRole('listitem').filter({ has: page.locator(`a[href*="${path}"]`) })
      await expect(run).toContainText(job)
      await expect(run).toContainText(/known: Boskos lease lost/)
      await expect(run.getByRole('link', { name: BUG, exact: true })).toHaveAttribute('href', `/bug/bz${BUG}`)
      await expect(main.locator('a[href^="https://github.com/"]').first()).toBeAttached()
    })
  })

test('a failed run of nothing known is probably yours', async ({ page, request }) => {
  const { items } = await (await request.get('/jobs?maxAge=3000h')).json()
  const pulls = new Set<string>()
  for (const { spec, status } of items) {
    const [pull] = spec.refs?.pulls ?? []
    if (spec.type === 'presubmit' && status.state === 'failure' && pull)
      pulls.add(`${spec.refs.org}/${spec.refs.repo}/${pull.number}`)
  }
  const texts = await Promise.all(
    [...pulls]
      .slice(0, 40)
      .map(async (pull) => [pull, await (await request.get(`/api/v1/prs/${pull}?format=text`)).text()] as const),
  )
  const [pull] = texts.find(([, text]) => /newest: [^\n]*\nstate[^\n]*\n(?:[^\n]+\n)*not\t/.test(text)) ?? []
  expect(pull).toBeDefined()
  await page.goto(`/pr/${pull}`)
  await expect(page.getByRole('main')).toContainText('not known: probably yours')
})

test('a pull request that was never seen says so', async ({ page, request }) => {
  await page.goto('/pr/no-such/repo/1')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('no-such/repo#1')
  await expect(page.getByRole('main')).toContainText('No run of no-such/repo#1 was read')
  expect((await page.goto('/pr/no-such/repo/x'))?.status()).toBe(404)
  expect((await request.get('/api/v1/prs/no-such/repo/x')).status()).toBe(400)
})

test('the page as plain text and as JSON, each with what it is worth', async ({ request }) => {
  const pull = await pullOf(request, diedOfPull())
  for (const [address, headers] of [
    [`${pageOf(pull)}?format=text`, {}],
    [pageOf(pull), { accept: 'text/plain' }],
    [`/api/v1/prs/${pull.replace('#', '/')}?format=text`, {}],
  ] as const) {
    const answer = await request.get(address, { headers })
    expect(answer.headers()['content-type'], address).toBe('text/plain; charset=utf-8')
    expect(answer.headers()['prowl-partial']).toBe('no')
    expect(await answer.text()).toMatch(/^known\t[^\n]*Boskos lease lost[^\n]*1750890/m)
  }
  const json = await (await request.get(`/api/v1/prs/${pull.replace('#', '/')}`)).json()
  expect(json).toMatchObject({ pull: { name: pull }, completeTo: expect.any(Number), partial: [] })
})

test('the command asks a running prowl, and its status says what is known', async ({ baseURL, request }) => {
  const { path } = diedOfPull()
  const ask = (...args: string[]) =>
    new Promise<{ code: number; out: string }>((resolve) => {
      const given = [...args, '--url', baseURL ?? '']
      execFile(process.execPath, ['scripts/prowl.js', ...given], (error, out) =>
        resolve({ code: error ? Number(error.code) : 0, out }),
      )
    })
  const known = await ask('known', `${DECK}/test-platform-results/${path}`)
  expect(known).toMatchObject({ code: 0, out: expect.stringContaining(`${baseURL}/runs/dir/origin-ci-test/`) })
  expect(await ask('known', `${DECK}/another-bucket/logs/no-such-job/1`)).toMatchObject({ code: 3 })
  expect(await ask('known', 'no-such/repo#1')).toMatchObject({ code: 3 })
  expect((await ask('known', 'package.json')).code).toBe(1)
  const counted = await ask('search', '--count', '--json', 'boskos.ci.*EOF', '--since', '120d')
  expect(counted.code).toBe(0)
  expect(JSON.parse(counted.out)).toMatchObject({ completeTo: expect.any(Number), partial: [] })
  expect((await ask('search', '--count', 'no such text anywhere')).code).toBe(1)
  const lines = await ask('search', 'heartbeat sent', '--since', '120d', '--limit', '450')
  expect(lines.out.trimEnd().split('\n')).toHaveLength(450)
  const refused = await ask('search', 'a(')
  expect(refused.code).toBe(2)
  expect((await request.get('/api/v1/known?run=nothing')).status()).toBe(400)
})

for (const colorScheme of ['light', 'dark'] as const)
  test(`${colorScheme}: readable by everyone, nothing wider than a phone`, async ({ page }) => {
    await page.emulateMedia({ colorScheme })
    const pull = await pullOf(page.request, diedOfPull())
    for (const address of [pageOf(pull), '/pr/no-such/repo/1', `/search?go=1&search=gs://x/logs/no-such-job/1`]) {
      await page.goto(address)
      await expectSound(page)
    }
  })
