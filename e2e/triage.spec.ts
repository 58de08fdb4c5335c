import { expect, test } from 'playwright/test'
import { plantedSignature } from './planted.ts'
import { scripted } from './scripted.ts'

const HOUR = 3_600_000

/** The founding failure's one incident since its change. */
function again() {
  const { incidents, change } = plantedSignature('boskos.heartbeat')
  const at = incidents.find((incident) => incident.at >= (change?.at ?? 0))?.at ?? 0
  return { at, since: new Date(at - HOUR).toISOString() }
}

test('says what was seen again since, and leads to that incident', async ({ page, request }) => {
  const { since, at } = again()
  const { incidents } = await (await request.get('/api/v1/signatures/boskos.heartbeat')).json()
  await page.goto(`/?since=${since}`)
  const line = page.locator('#news')
  await expect(line).toContainText(/^Since .*: (\d+ new · )?1 seen again/)
  const list = page.locator('#news-again')
  await expect(list).toContainText('first since the change')
  await expect(list).toContainText('Boskos lease lost')
  await line.getByRole('link', { name: '1 seen again' }).click()
  await page.waitForURL(`/incidents/${incidents.at(-1).id}`)

  await page.goto(`/?since=${new Date(at + HOUR).toISOString()}`)
  await expect(page.locator('#news')).not.toContainText('seen again')
})

test('without a moment: since yesterday at nine', async ({ page }) => {
  await page.goto('/')
  await expect(page.locator('#news')).toContainText(/^Since yesterday 09:00: /)
})

test('a moment that can’t be read is said on the page', async ({ page }) => {
  await page.goto('/?since=monday')
  await expect(page.getByRole('main')).toContainText('since: must be a UTC time such as')
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('one owner’s failures, whatever else is chosen', async ({ page }) => {
    await page.goto('/?since=7d')
    await page.getByRole('navigation', { name: 'Owner' }).getByRole('link', { name: 'api-team (1)' }).click()
    await expect(page).toHaveURL('/?since=7d&owner=api-team')
    const rows = page.locator('main table tbody tr')
    await expect(rows).toHaveCount(1)
    await expect(rows).toContainText('Kubernetes API')
    await page.getByRole('link', { name: 'yesterday 09:00' }).click()
    await expect(page).toHaveURL('/?owner=api-team')
    await expect(rows).toHaveCount(1)
  })

  test('muted ones are folded with their reason, retired ones are not there', async ({ page, request }) => {
    await page.goto('/')
    const muted = page.getByText('muted: the lines that lease.exhausted and boskos.heartbeat count come with it (1)')
    const row = page.getByRole('link', { name: 'ci-operator blames the lease' })
    await expect(row).toBeHidden()
    await muted.click()
    await expect(row).toBeVisible()

    const { signatures } = await (await request.get('/api/v1/signatures')).json()
    const retired = signatures.filter((one: { status: { state: string } }) => one.status.state === 'retired')
    expect(retired.length).toBeGreaterThan(0)
    for (const { title } of retired) await expect(page.getByRole('link', { name: title })).toHaveCount(0)
  })
})

test('each column says what it is of, and the table is no wider than the window', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('columnheader')).toHaveText([
    'state now',
    'failure',
    /^incidents, last \d+ days/,
    'how often, all data',
    '24 h (usual)',
    'killed, 14 d',
    'bug',
  ])
  const row = page.getByRole('row').filter({ hasText: 'No lease free' })
  await expect(row).toContainText(/\d+(, more than usual)? \(\d+(–\d+)?\) in the last 24 h/)
  const { right } = await page
    .locator('main table')
    .first()
    .evaluate((table) => table.getBoundingClientRect().toJSON())
  expect(right).toBeLessThanOrEqual(1440)
})

test('j, k and Enter walk the rows', async ({ page }) => {
  await page.goto('/')
  await scripted(page)
  const names = page.locator('main table [data-row]')
  await page.keyboard.press('j')
  await expect(names.nth(0)).toBeFocused()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  await expect(names.nth(1)).toBeFocused()
  const href = await names.nth(1).getAttribute('href')
  await page.keyboard.press('Enter')
  await page.waitForURL(href ?? '')
})

test('j passes over what is folded, to what is unknown', async ({ page }) => {
  await page.goto('/')
  await scripted(page)
  const known = page.locator('main > table [data-row]')
  await known.last().focus()
  await page.keyboard.press('j')
  await expect(page.locator('#unknown [data-row]').first()).toBeFocused()
  await page.keyboard.press('k')
  await expect(known.last()).toBeFocused()
})

test('a tick that has the focus says when, and what it hit', async ({ page }) => {
  await page.goto('/')
  const tick = page.getByRole('row').filter({ hasText: 'Boskos lease lost' }).locator('svg a').last()
  await page.keyboard.press('Tab')
  await tick.focus()
  await expect(tick.locator('text')).toBeVisible()
  await expect(tick.locator('text')).toHaveText(/^\d+ \w+ \d{4} \d\d:\d\d: \d+ runs? of \d+ jobs?$/)
})
