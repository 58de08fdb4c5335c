import { expect, test } from 'playwright/test'
import { plantedSignature } from './planted.ts'

const FEED = 'link[rel="alternate"][type="application/atom+xml"]'

test('triage and each signature name their feed, and a signature offers it', async ({ page, request }) => {
  await page.goto('/')
  await expect(page.locator(FEED)).toHaveAttribute('href', '/feed')
  await page.goto('/signatures/boskos.heartbeat')
  const address = '/feed?signature=boskos.heartbeat'
  await expect(page.locator(FEED)).toHaveAttribute('href', address)
  await expect(page.getByRole('main').getByRole('link', { name: 'subscribe' })).toHaveAttribute('href', address)

  const entries = async (path: string) => {
    const answer = await request.get(path)
    expect(answer.headers()['content-type']).toContain('application/atom+xml')
    const xml = await answer.text()
    return await page.evaluate((text) => {
      const feed = new DOMParser().parseFromString(text, 'application/xml')
      return feed.querySelector('parsererror') ? undefined : feed.querySelectorAll('entry').length
    }, xml)
  }
  expect(await entries(address)).toBe(plantedSignature('boskos.heartbeat').incidents.length)
  // The first look at a store is silent.
  expect(await entries('/feed')).toBe(0)
})
