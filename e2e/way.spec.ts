import { expect } from 'playwright/test'
import { NO_ELASTICSEARCH } from '../lib/testing/elasticsearch.ts'
import type { SampleStory } from '../lib/testing/sample/story.ts'
import { scripted } from './scripted.ts'
import { test } from './store.ts'

const ID = 'boskos.heartbeat'
const LINE = 'failed to send heartbeat for resource'

test.beforeEach(({ served }) => test.skip(served === undefined, NO_ELASTICSEARCH))

function incidentsOf(story: SampleStory | undefined) {
  return story?.signatures.find(({ id }) => id === ID)?.incidents ?? []
}

test('from triage over a signature and an incident to the line that killed a run', async ({
  page,
  served,
  storeName,
}) => {
  expect(await (await page.request.get('/api/v1/status')).json()).toMatchObject({ store: { kind: storeName } })
  const incidents = incidentsOf(served?.story)
  await page.goto('/')
  const row = page.getByRole('row').filter({ hasText: 'Boskos lease lost' })
  await row.getByRole('link', { name: 'Boskos lease lost' }).click()

  await expect(page.getByRole('heading', { level: 1 })).toContainText('Boskos lease lost')
  const marks = page.locator('svg a[href^="/incidents/"]')
  const addresses = new Set(await marks.evaluateAll((all) => all.map((mark) => mark.getAttribute('href'))))
  expect(addresses.size).toBe(incidents.length)
  await marks.last().press('Enter')

  await page.waitForURL(/\/incidents\//)
  for (const { path } of incidents.at(-1)?.runs ?? [])
    await expect(page.locator(`main a[href*="${path}"]`).first()).toBeAttached()
  await page.locator('main a[href*="#L"]:not(svg *)').first().click()

  await page.waitForURL(/\/runs\//)
  await expect(page.locator(':target')).toContainText(LINE)
})

test('a search finds every run of it, and leads to the line', async ({ page, served }) => {
  await page.goto('/')
  await scripted(page)
  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox')).toBeFocused()
  await page.keyboard.type('boskos.ci.*EOF')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/search\?/)
  await expect(page.getByRole('main')).toContainText(LINE)

  await page.goto('/search?search=boskos.ci.*EOF&maxAge=2880h')
  const runs = incidentsOf(served?.story).flatMap((incident) => incident.runs)
  const addresses = await page
    .locator('main a[href^="/runs/dir/"]')
    .evaluateAll((all) => all.map((a) => decodeURIComponent(a.getAttribute('href') ?? '')))
  for (const { path } of runs) expect(addresses.join('\n')).toContain(path)
  await scripted(page)
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/runs\//)
  await expect(page.locator(':target')).toContainText(LINE)
})
