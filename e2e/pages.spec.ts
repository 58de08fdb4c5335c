import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from 'playwright/test'
import { plantedSignature } from './planted.ts'

async function pages(page: Page): Promise<Record<string, string>> {
  const run = plantedSignature('boskos.heartbeat').incidents[0]?.runs[0]?.path
  const { incidents } = await (await page.request.get('/api/v1/signatures/boskos.heartbeat')).json()
  const { unexplained } = await (await page.request.get('/api/v1/coverage?days=90')).json()
  return {
    triage: '/',
    signature: '/signatures/boskos.heartbeat',
    edit: '/signatures/boskos.heartbeat/edit',
    'new signature': '/signatures/new',
    coverage: '/coverage?days=90',
    group: `/groups/${unexplained.groups[0].id}?days=90`,
    incident: `/incidents/${incidents[0].id}`,
    search: '/search?search=boskos.ci.*EOF&maxAge=2880h',
    chart: '/chart?search=boskos.ci.*EOF&search=no+route&maxAge=2880h&name=',
    run: `/runs/dir/origin-ci-test/${run}`,
    job: '/jobs/pull-ci-openshift-installer-master-e2e-aws',
    status: '/status',
    missing: '/no/such/page',
  }
}

const NAMES = [
  'triage',
  'coverage',
  'group',
  'signature',
  'edit',
  'new signature',
  'incident',
  'search',
  'chart',
  'run',
  'job',
  'status',
  'missing',
]

for (const scheme of ['light', 'dark'] as const) {
  for (const name of NAMES) {
    test(`${name}, ${scheme}: readable by everyone, no script or style refused, nothing wider than a phone`, async ({
      page,
    }) => {
      const refused: string[] = []
      page.on('console', (message) => {
        if (/Content Security Policy|hydrat/i.test(message.text())) refused.push(message.text())
      })
      page.on('pageerror', (error) => refused.push(String(error)))
      await page.emulateMedia({ colorScheme: scheme })
      await page.goto((await pages(page))[name] ?? '/')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      const { violations } = await new AxeBuilder({ page }).analyze()
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])

      await page.setViewportSize({ width: 360, height: 740 })
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect(overflow).toBeLessThanOrEqual(0)
      expect(refused).toEqual([])
    })
  }
}

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
