import { expect, type Page, test } from 'playwright/test'
import { everyPage } from '../scripts/testing/every-page.ts'

/** What a chat or an issue shows of a pasted link: it reads the head and runs no script. */
test.use({ javaScriptEnabled: false })

async function head(page: Page): Promise<Readonly<Record<string, string>>> {
  const tags = await page
    .locator('meta[property], meta[name]')
    .evaluateAll((all) =>
      all.map((one) => [one.getAttribute('property') ?? one.getAttribute('name'), one.getAttribute('content')]),
    )
  return Object.fromEntries(tags)
}

function found({ request }: Page) {
  return everyPage({
    get: async (path) => await (await request.get(path)).json(),
    post: async (path, data) => await (await request.post(path, { data })).json(),
  })
}

for (const name of ['signature', 'evidence'] as const) {
  test(`${name}: title, description and a picture that state the answer`, async ({ page }) => {
    await page.goto((await found(page))[name])
    const told = await head(page)
    const heading = await page.getByRole('heading', { level: 1 }).textContent()
    expect(heading).toContain(told['og:title']?.split(':')[0])
    expect(told['og:description']).toBe(told.description)
    expect(told.description?.length).toBeGreaterThan(20)
    expect(told['twitter:card']).toBe('summary_large_image')
    expect(told['og:image:alt']).toBeTruthy()
    const picture = await page.request.get(told['og:image'] ?? '')
    expect([picture.status(), picture.headers()['content-type']]).toEqual([200, 'image/png'])
    expect(picture.headers()['cross-origin-resource-policy']).toBe('cross-origin')
    expect((await picture.body()).length).toBeGreaterThan(5_000)
  })
}

for (const name of ['search', 'incident'] as const) {
  test(`${name}: title and description`, async ({ page }) => {
    await page.goto((await found(page))[name])
    const told = await head(page)
    expect(told['og:title']?.length).toBeGreaterThan(5)
    expect(told['og:description']?.length).toBeGreaterThan(10)
  })
}

test('the chart stands alone as SVG and as PNG, and is asked for again only when it has changed', async ({
  request,
}) => {
  for (const [type, form] of [
    ['svg', 'image/svg+xml'],
    ['png', 'image/png'],
  ]) {
    const path = `/signatures/boskos.heartbeat/chart.${type}`
    const chart = await request.get(path)
    const { 'content-type': given, etag = '', 'content-security-policy': policy } = chart.headers()
    expect(given).toContain(form)
    expect(policy).toContain('sandbox')
    expect((await request.get(path, { headers: { 'if-none-match': etag } })).status()).toBe(304)
  }
})
