import { createHash } from 'node:crypto'
import { expect, type Page, test } from 'playwright/test'
import { expectSound } from './sound.ts'

const SEARCH = '/search?search=boskos.ci.*EOF&maxAge=75d'

async function freeze(page: Page, address: string): Promise<string> {
  await page.goto(address)
  await page.getByRole('button', { name: 'Freeze as evidence' }).click()
  await page.waitForURL(/\/e\/[0-9a-z]{10,}$/)
  return page.url()
}

test('a search is frozen, shown beside today, and copied for a bug', async ({ page, context }) => {
  test.slow()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const address = await freeze(page, SEARCH)
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { level: 1 })).toContainText(/boskos\.ci\.\*EOF: \d+ lines? in \d+ runs/)
  await expect(page).toHaveTitle(/boskos\.ci\.\*EOF: \d+ lines/)
  expect(await page.locator('meta[name=description]').getAttribute('content')).toMatch(/^Frozen .* UTC by query/)
  const row = main.getByRole('row', { name: /runs that match/ })
  const [then, now] = await row.getByRole('cell').allTextContents()
  expect(Number(then)).toBeGreaterThan(3)
  expect(now?.replace('≥ ', '')).toBe(then)
  await expect(main.locator('mark').first()).toContainText('boskos.ci')
  await expect(main.getByText('Known for these lines')).toBeVisible()
  await expectSound(page)

  for (const [button, last] of [
    ['copy Markdown', `<${address}>`],
    ['copy Jira', `[${address}]`],
    ['copy plain text', address],
  ] as const) {
    await main.getByRole('button', { name: button }).click()
    await expect(main.getByRole('button', { name: 'copied' })).toBeVisible()
    const text = await page.evaluate(() => navigator.clipboard.readText())
    expect(text.length).toBeLessThan(1500)
    expect(text.split('\n').at(-1)).toBe(last)
    await page.reload()
  }
  const report = new URL((await main.getByRole('link', { name: 'GitHub' }).getAttribute('href')) ?? '')
  expect(report.searchParams.get('body')?.endsWith(`<${address}>`)).toBe(true)

  expect(await freeze(page, SEARCH)).toBe(address)
  await main.locator('a[href*="#L"]').first().click()
  await expect(page.locator(':target')).toContainText('boskos.ci')
})

test('without JavaScript a search is frozen too, and its text for a bug is there to take', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  const address = await freeze(page, SEARCH)
  await page.getByRole('link', { name: 'the texts' }).click()
  await expect(page.getByLabel('For a bug, as Markdown')).toHaveValue(new RegExp(`<${address}>$`))
  await expect(page.getByRole('button', { name: /copy/ })).toHaveCount(0)
  await context.close()
})

test('a signature and an incident are frozen, and the bug gathers them', async ({ page }) => {
  test.slow()
  const ofSignature = await freeze(page, '/signatures/boskos.heartbeat')
  const main = page.getByRole('main')
  await expect(main.getByRole('row', { name: /^incidents/ })).toBeVisible()
  await expect(main.getByText('Its page said then')).toBeVisible()
  await main.getByText('The signature’s rules as they were').click()
  await expectSound(page)
  await page.goto('/signatures/boskos.heartbeat')
  await page.locator('a[href^="/incidents/"]').first().click()
  await page.waitForURL(/\/incidents\//)
  await freeze(page, page.url())
  await expect(main.getByRole('row', { name: /^incidents/ })).toContainText('1')

  await page.goto('/')
  await page.getByRole('searchbox').fill('bz1750890')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/bug\/bz1750890$/)
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(/Bug bz1750890/)
  await expect(main).toContainText('Boskos lease lost')
  await expect(main.locator(`a[href="${new URL(ofSignature).pathname}"]`)).toBeVisible()
  await expectSound(page)
  await page.goto('/bug/https%3A%2F%2Fbugzilla.redhat.com%2Fshow_bug.cgi%3Fid%3D1750890')
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(/Bug bz1750890/)
  for (const [key, words] of [
    ['OCPBUGS-999', 'Nothing here names OCPBUGS-999'],
    ['%3Cb%3E', 'This names no bug'],
    ['o%2Fr%2312', 'Nothing here names o/r#12'],
  ]) {
    await page.goto(`/bug/${key}`)
    await expect(main).toContainText(words ?? '')
  }
})

test('prints on one page', async ({ page }) => {
  await freeze(page, SEARCH)
  const pdf = await page.pdf({ format: 'A4' })
  expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
})

test('is fine on a phone, in the dark', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await freeze(page, SEARCH)
  await expectSound(page)
})

test('another site can not freeze, and an unknown link says so', async ({ page, request, baseURL }) => {
  const body = createHash('sha256').update('x').digest('hex')
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.test' }, {}]) {
    const answer = await request.post(`${baseURL}/e`, { form: { query: `search=${body}` }, headers })
    expect(answer.status()).toBe(403)
  }
  await page.setContent(
    `<form method="post" action="${baseURL}/e"><input name="query" value="search=x"><button>go</button></form>`,
  )
  const [sent] = await Promise.all([
    page.waitForResponse((response) => response.url() === `${baseURL}/e`),
    page.getByRole('button').click(),
  ])
  expect(sent.status()).toBe(403)
  expect((await page.goto('/e/0000000000'))?.status()).toBe(404)
})
