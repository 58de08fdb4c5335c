import { expect, test } from 'playwright/test'
import { dayMonth, planted, plantedSignature } from './planted.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

interface Incident {
  readonly id: string
  readonly from: { readonly earliest: number; readonly latest: number }
  readonly causes: readonly string[]
  readonly runs: readonly { readonly path: string }[]
}

/** How the stories end, as the page of each says it. */
const STORIES = new Map([
  [
    'boskos.heartbeat',
    { state: 'rarer', word: 'rarer', sentence: /where about \d+ were expected \(chance if nothing had/ },
  ],
  ['api.disruption', { state: 'back', word: 'back', sentence: /seen again 1\d times, last on/ }],
  [
    'mirror.mismatch',
    { state: 'unclear', word: 'can’t tell', sentence: 'the line that would show it is no longer written' },
  ],
  ['image.pull503', { state: 'quiet', word: 'quiet', sentence: /such a quiet by chance: 0\.\d%; no change is known/ }],
  ['dns.timeout', { state: 'holding', word: 'holding', sentence: /none in the [\d,]+ runs since the change/i }],
])

test('triage says of the founding failure what was planted', async ({ page }) => {
  const { incidents, change } = plantedSignature('boskos.heartbeat')
  const changeAt = change?.at ?? 0
  const before = incidents.filter(({ at }) => at < changeAt)
  const [again, ...more] = incidents.filter(({ at }) => at >= changeAt)
  expect(before).toHaveLength(12)
  expect(more).toEqual([])

  await page.goto('/')
  const row = page.getByRole('row').filter({ hasText: 'Boskos lease lost' })
  await expect(row).toContainText('12 incidents')
  await expect(row).toContainText(`seen again once, ${dayMonth(again?.at ?? 0)}`)
  const mean = Number(/on average every ([\d.]+)/.exec((await row.textContent()) ?? '')?.[1])
  const days = (changeAt - planted().start) / DAY
  expect(Math.abs(mean - days / 12)).toBeLessThan(0.3)
})

for (const id of ['boskos.heartbeat', 'api.disruption', 'mirror.mismatch', 'image.pull503']) {
  test(`the incidents of ${id} are those planted, run by run`, async ({ request }) => {
    const answer = await request.get(`/api/v1/signatures/${id}`)
    expect(answer.ok()).toBe(true)
    const found: readonly Incident[] = (await answer.json()).incidents
    const expected = plantedSignature(id).incidents
    expect(found.map((incident) => incident.runs.map(({ path }) => path).sort())).toEqual(
      expected.map((incident) => incident.runs.map(({ path }) => path).sort()),
    )
    for (const [i, { at }] of expected.entries()) {
      const from = found[i]?.from
      expect(from?.earliest, new Date(at).toISOString()).toBeLessThan(at + 10 * MINUTE)
      expect(from?.latest, new Date(at).toISOString()).toBeGreaterThan(at - MINUTE)
    }
  })
}

test('each planted story ends in its verdict', async ({ page, request }) => {
  const { rows } = await (await request.get('/api/v1/triage')).json()
  const told = new Map<string, string>(
    rows.map(({ signature, verdict }: { signature: { id: string }; verdict: { state: string } }) => [
      signature.id,
      verdict.state,
    ]),
  )
  expect(Object.fromEntries([...STORIES.keys()].map((id) => [id, told.get(id)]))).toEqual(
    Object.fromEntries([...STORIES].map(([id, { state }]) => [id, state])),
  )
  for (const [id, { word, sentence }] of STORIES) {
    await page.goto(`/signatures/${id}`)
    await expect(page.getByRole('heading', { level: 1 })).toContainText(word)
    await expect(page.getByRole('main')).toContainText(sentence)
    await expect(page.getByRole('main')).not.toContainText(/\bfixed\b/i)
  }
})

test('the founding pair is one failure in two phases, and each phase opens alone', async ({ page, request }) => {
  const both: readonly Incident[] = (await (await request.get('/api/v1/signatures/boskos.heartbeat')).json()).incidents
  expect(both).toHaveLength(13)
  for (const { causes } of both) expect(causes.slice(0, 2)).toEqual(['eof', 'no_route'])

  await page.goto('/signatures/boskos.heartbeat')
  for (const name of ['boskos EOF', 'boskos no route to host']) {
    await page.goto('/signatures/boskos.heartbeat')
    await page.getByRole('main').getByRole('link', { name, exact: true }).first().click()
    await expect(page.getByRole('heading', { level: 1 })).toContainText(name)
    await expect(page.getByRole('main')).toContainText('12 times')
  }
})

test('every incident of the chart leads to its runs, and a run to its line', async ({ page }) => {
  await page.goto('/signatures/boskos.heartbeat')
  const marks = page.locator('svg a[href^="/incidents/"]')
  const addresses = new Set(await marks.evaluateAll((all) => all.map((mark) => mark.getAttribute('href'))))
  expect(addresses.size).toBe(13)

  await page.goto([...addresses].at(-1) ?? '')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const runs = plantedSignature('boskos.heartbeat').incidents.at(-1)?.runs ?? []
  for (const { path } of runs) {
    await expect(page.locator(`a[href*="${path}"]`).first()).toBeAttached()
  }
  await page.locator('main a[href*="#L"]:not(svg *)').first().click()
  await expect(page.locator(':target')).toContainText('failed to send heartbeat for resource')
})
