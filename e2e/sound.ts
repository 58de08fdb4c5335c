import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from 'playwright/test'

/** Readable by everyone, and nothing wider than a phone. In the dark only colours differ from the light. */
export async function expectSound(page: Page): Promise<void> {
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  const axe = new AxeBuilder({ page })
  const { violations } = await (isDark ? axe.withRules(['color-contrast']) : axe).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
  const size = page.viewportSize()
  await page.setViewportSize({ width: 360, height: 740 })
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow).toBeLessThanOrEqual(0)
  if (size) await page.setViewportSize(size)
}
