import { expect, type Page, test } from 'playwright/test'
import type { IncidentView } from '../lib/service/views.ts'
import { expectSound } from './sound.ts'

type Incident = IncidentView['incident']

async function incidents(page: Page, signature: string): Promise<readonly Incident[]> {
  return (await (await page.request.get(`/api/v1/signatures/${signature}`)).json()).incidents
}

async function view(page: Page, { id }: Pick<Incident, 'id'>): Promise<IncidentView> {
  return await (await page.request.get(`/api/v1/incidents/${id}`)).json()
}

test('an incident says what became of each run, in words and shapes, and when it began and ended', async ({ page }) => {
  const all = await incidents(page, 'boskos.heartbeat')
  const mixed = all.find(({ runs }) => ['died', 'later'].every((wanted) => runs.some((run) => run.outcome === wanted)))
  if (!mixed) throw new Error('of no incident of the sample did a run die and another fail later')
  const { outcomes, outcomeWords, lanes } = await view(page, mixed)
  await page.goto(`/incidents/${mixed.id}`)
  const main = page.getByRole('main')
  expect(outcomeWords).toContain(`${outcomes.died} ${outcomes.died === 1 ? 'run' : 'runs'} died of it`)
  await expect(main).toContainText(outcomeWords)
  await expect(page.locator('meta[property="og:description"]')).toHaveAttribute(
    'content',
    new RegExp(`^${outcomeWords}`),
  )
  await expect(main).toContainText(/Began (at|between) \d\d:\d\d:\d\d.*, ended (at|between) \d\d:\d\d:\d\d.* UTC/)
  await expect(main).toContainText('In order: EOF: the request was cut off → no route to host')

  const rows = main.locator('ol > li')
  await expect(rows).toHaveCount(lanes.length)
  for (const [i, { end, run }] of lanes.entries()) {
    await expect(rows.nth(i)).toContainText(end)
    await expect(
      main.locator('figure svg text').filter({ hasText: new RegExp(`${end} \\d\\d:\\d\\d`) }),
    ).not.toHaveCount(0)
    await expect(rows.nth(i)).toContainText(run.buildId)
  }
  const marks = main.locator('figure svg a[href*="#L"]')
  for (const href of await marks.evaluateAll((found) => found.map((a) => a.getAttribute('href') ?? '')))
    expect(href).toMatch(/^\/runs\/dir\/.*[?&]line=(\d+)#L\1$/)
  const first = await marks.first().getAttribute('href')
  await marks.first().press('Enter')
  await page.waitForURL((url) => url.pathname + url.search + url.hash === first)
})

test('one outage that two signatures show is told by each of them', async ({ page }) => {
  // ci-operator's own word on why it failed follows the empty pool of leases in the same runs.
  const all = await incidents(page, 'lease.exhausted')
  const views = await Promise.all(all.filter(({ votes }) => votes >= 2).map((incident) => view(page, incident)))
  const told = views.find(({ together }) => together.length > 0)
  const companion = told?.together[0]
  if (!told || !companion) throw new Error('nothing struck together')
  expect(companion).toMatchObject({ signature: { id: 'lease.reason' } })
  expect(companion.sharedRuns).toBeGreaterThan(0)
  expect(companion.times).toBeGreaterThan(10 * companion.expected)

  await page.goto(`/incidents/${told.incident.id}`)
  const section = page.getByRole('region', { name: 'Struck together with' })
  await expect(section).toContainText(/these two did so \d+ times, where chance alone would give/)
  await expectSound(page)
  await section.locator(`a[href="/incidents/${companion.incident.id}"]`).click()
  await page.waitForURL(`**/incidents/${companion.incident.id}`)
  await expect(section.locator(`a[href="/incidents/${told.incident.id}"]`)).toBeVisible()

  await section.getByRole('link', { name: told.signature.title }).click()
  await expect(page.locator('#scorecard')).toContainText(`Strikes together with ${companion.signature.title}`)
})

test('on a phone the swimlanes open where the outage began', async ({ page }) => {
  const [incident] = await incidents(page, 'boskos.heartbeat')
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto(`/incidents/${incident?.id}`)
  const job = page.locator('figure svg a[href^="/runs/"] text').first()
  await expect(job).toBeInViewport()
})

test('what strikes by itself is told with nothing', async ({ page }) => {
  for (const signature of ['boskos.heartbeat', 'api.disruption', 'image.pull503'])
    for (const incident of await incidents(page, signature)) expect((await view(page, incident)).together).toEqual([])
})
