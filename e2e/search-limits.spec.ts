import { type APIRequestContext, expect, test } from 'playwright/test'

/** Comes to no end on most lines of a log: V8's linear engine takes no such counts. */
const ENDLESS = '^(?:[a-z0-9 ]+[a-z0-9 ]+){17,40}~'

/** The searches of other tests come and go meanwhile; each of them ends soon. */
test.describe.configure({ mode: 'serial' })

for (const [path, accept] of [
  ['/api/v1/search', 'application/json'],
  ['/search', 'text/html'],
  ['/v2/search', '*/*'],
] as const)
  test(`a reader who leaves ${path} frees its threads`, async ({ request, baseURL }) => {
    const reader = new AbortController()
    const address = `${baseURL}${path}?${new URLSearchParams({ search: ENDLESS, maxAge: '2880h', type: 'all' })}`
    const left = fetch(address, { signal: reader.signal, headers: { accept } }).then((answer) => answer.text())
    await expect.poll(() => tasks(request)).toBeGreaterThan(1)
    reader.abort()
    await expect(left).rejects.toThrow()
    // By itself the search would go on for ten seconds, and its counts for three more.
    await expect.poll(() => tasks(request), { timeout: 8_000 }).toBe(0)
    const answer = await request.get('/api/v1/search?search=no+route+to+host&maxAge=2880h')
    expect((await answer.json()).partial).not.toContain('deadline')
  })

async function tasks(request: APIRequestContext): Promise<number> {
  const status = await request.get('/api/v1/status')
  return (await status.json()).searching.tasks
}

test('several patterns: the page marks the one that is at fault, and where', async ({ page }) => {
  await page.goto(
    `/search?${new URLSearchParams([...['fine', 'lease (lost'].map((p) => ['search', p]), ['name', 'e2e']])}`,
  )
  await expect(page.getByRole('main').getByRole('alert')).toContainText('pattern 2, `lease (lost`: missing closing )')
  const invalid = page.locator('[aria-invalid="true"]')
  await expect(invalid).toHaveCount(1)
  await expect(invalid).toHaveValue('lease (lost')
  await page.goto('/search?search=fine&excludeName=%5B')
  await expect(page.locator('[aria-invalid="true"]')).toHaveAttribute('name', 'excludeName')
})

test('an answer says how far the data reaches, and gives a run no more lines than asked', async ({ page }) => {
  await page.goto('/search?search=heartbeat+sent&maxAge=2880h&maxPerRun=1&groupBy=run')
  const main = page.getByRole('main')
  await expect(main).toContainText(/Complete for runs started before .* UTC; \d+% of [\d,]+ blocks indexed/)
  await expect(main.getByText('This run was read no further').first()).toBeVisible()
  await expect(page.getByLabel('Lines of a run')).toHaveValue('1')
})
