import { expect, type Page, test } from 'playwright/test'
import { EVERY_PAGE, type EveryPage, everyPage } from '../scripts/testing/every-page.ts'
import { expectSound } from './sound.ts'

let found: Promise<Readonly<Record<EveryPage, string>>> | undefined

/** Frozen evidence is one page, however often it is asked for. */
function pages({ request }: Page) {
  found ??= everyPage({
    get: async (path) => await (await request.get(path)).json(),
    post: async (path, data) => await (await request.post(path, { data })).json(),
  })
  return found
}

for (const scheme of ['light', 'dark'] as const) {
  for (const name of EVERY_PAGE) {
    test(`${name}, ${scheme}: readable by everyone, no script or style refused, nothing wider than a phone`, async ({
      page,
    }) => {
      const refused: string[] = []
      page.on('console', (message) => {
        if (/Content Security Policy|hydrat/i.test(message.text())) refused.push(message.text())
      })
      page.on('pageerror', (error) => refused.push(String(error)))
      await page.emulateMedia({ colorScheme: scheme })
      await page.goto((await pages(page))[name])
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expectSound(page)
      expect(refused).toEqual([])
    })
  }
}

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })
  for (const name of EVERY_PAGE) {
    test(`${name} says the same`, async ({ page, browser }) => {
      const path = (await pages(page))[name]
      const scripted = await browser.newPage()
      await Promise.all([page.goto(path), scripted.goto(path)])
      const said = (of: Page) => of.getByRole('main').getByRole('heading').allTextContents()
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      expect(await said(page)).toEqual(await said(scripted))
      await scripted.close()
    })
  }
})

test('every answer carries the policy and hides the framework', async ({ request }) => {
  for (const path of [
    '/',
    '/search?search=x',
    '/status',
    '/no/such/page',
    '/api/v1/status',
    '/api/v1/search?search=(',
  ]) {
    const headers = (await request.get(path)).headers()
    expect(headers['content-security-policy'], path).toContain("default-src 'self'")
    expect(headers['x-content-type-options'], path).toBe('nosniff')
    expect(headers['x-powered-by'], path).toBeUndefined()
  }
})

test('status says what was read, what is odd and what is broken', async ({ page }) => {
  await page.goto('/status')
  const main = page.getByRole('main')
  await expect(main).toContainText(/runs/i)
  await expect(main).toContainText(/pending/i)
  await expect(main).toContainText(/lost/i)
})
