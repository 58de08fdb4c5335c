import type { Page } from 'playwright/test'

/** Waits for the page's scripts: a key pressed before they have come is heard by nobody, and a link is only a link. */
export async function scripted(page: Page): Promise<void> {
  await page.locator('html[data-scripted]').waitFor({ state: 'attached' })
}
