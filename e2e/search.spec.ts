import { expect, test } from 'playwright/test'
import { plantedSignature } from './planted.ts'
import { scripted } from './scripted.ts'

const FOUNDING = 'boskos.ci.*EOF'

test('an old link finds the founding lines, each linked to its failing job', async ({ page }) => {
  await page.goto(`/?search=${FOUNDING}&maxAge=2880h`)
  expect(new URL(page.url()).pathname).toBe('/')
  const main = page.getByRole('main')
  await expect(main).toContainText('failed to send heartbeat for resource')
  const linked = await main
    .locator('a[href^="/runs/dir/"]')
    .evaluateAll((all) => all.map((a) => decodeURIComponent(a.getAttribute('href') ?? '')))
  const runs = plantedSignature('boskos.heartbeat').incidents.flatMap((incident) => incident.runs)
  for (const { path } of runs)
    expect(
      linked.some((href) => href.includes(path)),
      path,
    ).toBe(true)
})

test('the same address answers JSON and plain text for scripts', async ({ request }) => {
  const json = await (await request.get(`/api/v1/search?search=${FOUNDING}&maxAge=2880h`)).json()
  expect(json.hits.length).toBeGreaterThan(12)
  for (const hit of json.hits) expect(hit.text).toMatch(/boskos.ci.*EOF/)
  const text = await (await request.get(`/api/v1/search?search=${FOUNDING}&maxAge=2880h&format=text`)).text()
  expect(
    text
      .trim()
      .split('\n')
      .every((line) => /EOF/.test(line)),
  ).toBe(true)
})

test('a search from the box: path, hits, line', async ({ page }) => {
  await page.goto('/')
  await scripted(page)
  await page.keyboard.press('/')
  await page.keyboard.type('no route to host')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/search\?/)
  await scripted(page)
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/runs\//)
  await expect(page.locator(':target')).toContainText('no route to host')
})

test('a pattern that is not RE2 is refused at its position', async ({ page, request }) => {
  await page.goto(`/search?search=${encodeURIComponent('lease (lost')}`)
  await expect(page.getByRole('main').getByRole('alert')).toContainText('missing closing )')
  const answer = await request.get(`/api/v1/search?search=${encodeURIComponent('a(?=b)')}`)
  expect(answer.status()).toBe(400)
  expect(await answer.json()).toMatchObject({ code: 'REGEX_UNSUPPORTED', position: 1 })
})

test('filters narrow: job, excluded job, result, range', async ({ request }) => {
  const hits = async (query: string) => {
    const answer = await request.get(`/api/v1/search?search=heartbeat+sent&maxAge=2880h&${query}`)
    return (await answer.json()).hits as { job: string; result: string; time: number }[]
  }
  for (const hit of await hits('name=aws')) expect(hit.job).toMatch(/aws/)
  for (const hit of await hits('excludeName=aws')) expect(hit.job).not.toMatch(/aws/)
  for (const hit of await hits('result=failure')) expect(hit.result).toBe('failure')
  expect((await hits('name=aws')).length).toBeGreaterThan(0)
  expect(await hits('name=no-such-job')).toEqual([])
})

test('an empty answer says what was searched and what to loosen', async ({ page }) => {
  await page.goto('/search?search=no+such+text+anywhere&name=aws')
  const main = page.getByRole('main')
  await expect(main).toContainText(/searched/i)
  await expect(main).toContainText(/job/i)
})

test('the key c copies the search with absolute times', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/search?search=boskos.ci.*EOF&maxAge=2880h')
  await expect(page.getByRole('main')).toContainText('failed to send heartbeat')
  await scripted(page)
  await page.keyboard.press('c')
  const copied = new URL(await page.evaluate(() => navigator.clipboard.readText()))
  expect(copied.searchParams.get('from')).toMatch(/^\d{4}-\d\d-\d\dT/)
  expect(copied.searchParams.get('to')).toMatch(/^\d{4}-\d\d-\d\dT/)
  expect(copied.searchParams.has('maxAge')).toBe(false)
})

test('further lines of a log come in place, without those that are there', async ({ page }) => {
  await page.goto('/search?search=heartbeat+sent&maxAge=2880h&maxPerRun=&context=0')
  const link = page.getByRole('link', { name: 'all lines of this run' }).first()
  const more = Number(/(\d+) more/.exec((await link.locator('..').textContent()) ?? '')?.[1])
  const lines = page.locator('[data-log]')
  const before = await lines.count()
  await scripted(page)
  await link.click()
  await expect(lines).toHaveCount(before + Math.min(more, 200))
  expect(new URL(page.url()).searchParams.get('groupBy')).toBeNull()
  const hrefs = await page.locator('[data-row]').evaluateAll((all) => all.map((a) => a.getAttribute('href')))
  expect(new Set(hrefs).size).toBe(hrefs.length)
})

test('more lines stream in as the end of the page comes near', async ({ page }) => {
  await page.goto('/search?search=heartbeat+sent&maxAge=2880h')
  const lines = page.locator('[data-log]')
  const first = await lines.count()
  await page.getByRole('link', { name: 'Next lines' }).scrollIntoViewIfNeeded()
  await expect.poll(() => lines.count()).toBeGreaterThan(first)
  const hrefs = await page.locator('[data-row]').evaluateAll((all) => all.map((a) => a.getAttribute('href')))
  expect(new Set(hrefs).size).toBe(hrefs.length)
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('a bar of the histogram narrows the search to its time', async ({ page }) => {
    await page.goto('/search?search=boskos.ci.*EOF&maxAge=2880h')
    const bar = page.getByRole('group', { name: /runs that match by/i }).getByRole('link', { name: /: [1-9]\d* runs?/ })
    const title = await bar.first().getAttribute('aria-label')
    const runs = Number(/: (\d+) run/.exec(title ?? '')?.[1])
    await page.goto((await bar.first().getAttribute('href')) ?? '')
    expect(new URL(page.url()).searchParams.get('from')).toMatch(/^\d{4}-/)
    await expect(page.getByRole('heading', { level: 1 })).toContainText(new RegExp(`^${runs} runs?\\b`))
  })

  test('several patterns: added, coloured, counted, and runs where they meet', async ({ page }) => {
    await page.goto('/search?search=heartbeat+sent&maxAge=2880h')
    await page.getByRole('button', { name: '+ pattern' }).click()
    await page.getByLabel('Regex 2').fill('boskos.ci.*EOF')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    const main = page.getByRole('main')
    const runs = async () =>
      Number(/^[\d,]+/.exec((await main.locator('h1').textContent()) ?? '')?.[0].replace(',', ''))
    await expect(main.getByRole('list', { name: 'Patterns' }).getByRole('listitem')).toHaveCount(2)
    const any = await runs()
    await main.getByRole('link', { name: 'all', exact: true }).click()
    await expect(main.locator('h1')).toContainText('in which all patterns match')
    const all = await runs()
    await main.getByRole('link', { name: '1 without the others' }).click()
    await expect(main.locator('h1')).toContainText('none of the others')
    const without = await runs()
    expect(all).toBeGreaterThan(0)
    expect(all + without).toBeLessThanOrEqual(any)
    await expect(main.locator('pre mark').filter({ hasText: /EOF/ })).toHaveCount(0)
  })

  test('a tally of what a group caught, by run and by line, each value a search', async ({ page }) => {
    await page.goto(`/search?${new URLSearchParams({ search: 'heartbeat for resource "(\\S+?)"', maxAge: '2880h' })}`)
    await page.getByLabel('Show').selectOption('a tally by run')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    const rows = page.getByRole('main').locator('tbody tr')
    await expect(rows.first()).toContainText('%')
    const counts = (await rows.locator('td:nth-child(2)').allTextContents()).map((text) =>
      Number(text.replace(',', '')),
    )
    expect(counts.length).toBeGreaterThan(1)
    expect(counts).toEqual(counts.toSorted((a, b) => b - a))
    const value = await rows.first().getByRole('link').textContent()
    await rows.first().getByRole('link').click()
    await expect(page.locator('pre mark').first()).toHaveText(value ?? '')
  })

  test('all lines of a run are a link beside its first', async ({ page }) => {
    await page.goto('/search?search=heartbeat+sent&maxAge=2880h')
    const link = page.getByRole('link', { name: 'all lines of this run' }).first()
    const more = Number(/(\d+) more/.exec((await link.locator('..').textContent()) ?? '')?.[1])
    await link.click()
    await expect(page.locator('h1')).toContainText(/^1 run/)
    expect(await page.locator('pre').count()).toBeGreaterThanOrEqual(Math.min(200, more + 1))
  })

  test('lines to leave out are no part of the answer', async ({ page }) => {
    await page.goto('/search?search=heartbeat&maxAge=2880h')
    await page.getByLabel('not line').fill('heartbeat sent')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await expect(page.locator('pre mark').first()).toBeVisible()
    for (const line of await page.locator('pre span:has(> mark)').allTextContents())
      expect(line).not.toContain('heartbeat sent')
  })

  test('search, further pages and a run are whole', async ({ page }) => {
    await page.goto('/')
    await page.getByRole('searchbox').fill('heartbeat sent')
    await page.getByRole('searchbox').press('Enter')
    await expect(page.getByRole('main')).toContainText('heartbeat sent for resource')
    await page.getByRole('link', { name: /next/i }).click()
    await expect(page.getByRole('main')).toContainText('heartbeat sent for resource')
    await page.getByRole('main').locator('a[href*="#L"]').first().click()
    await expect(page.locator(':target')).toContainText('heartbeat sent')
  })
})
