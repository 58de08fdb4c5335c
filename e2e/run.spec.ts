import { expect, test } from 'playwright/test'
import { plantedSignature } from './planted.ts'

/** A run that the founding failure killed. */
function died(): { path: string; job: string } {
  const runs = plantedSignature('boskos.heartbeat').incidents.flatMap((incident) => incident.runs)
  const run = runs.find(({ outcome }) => outcome === 'died')
  if (!run) throw new Error('no run died of the founding failure')
  return run
}

test('a run says why it died, on which line, and links that line to Spyglass', async ({ page, request }) => {
  const { path, job } = died()
  await page.goto(`/runs/dir/origin-ci-test/${path}`)
  const main = page.getByRole('main')
  await expect(page.getByRole('heading', { level: 1 })).toContainText(job)
  await expect(main).toContainText('Boskos lease lost')

  const spyglass = main.locator('a[href*="/view/gs/"][href*="build-log.txt%3A"]').first()
  const address = (await spyglass.getAttribute('href')) ?? ''
  const line = Number(/build-log\.txt%3A(\d+)$/.exec(address)?.[1])
  expect(address).toContain(`https://prow.ci.openshift.org/view/gs/test-platform-results/${path}#1:build-log.txt%3A`)

  const raw = await (await request.get(`/api/v1/raw/dir/origin-ci-test/${path}?log=build-log.txt`)).text()
  expect(raw.split('\n')[line - 1]).toContain('failed to send heartbeat')

  await page.goto(`/runs/dir/origin-ci-test/${path}?log=build-log.txt&line=${line}#L${line}`)
  await expect(page.locator(':target')).toContainText('failed to send heartbeat')
  expect(await page.locator(':target').textContent()).toContain(String(line))
})

test('links lead to the bucket and to the job’s history', async ({ page }) => {
  await page.goto(`/runs/dir/origin-ci-test/${died().path}`)
  const main = page.getByRole('main')
  await expect(main.locator('a[href*="gcsweb"]').first()).toBeAttached()
  await expect(main.locator('a[href*="/job-history/gs/"]').first()).toBeAttached()
})

test('what is not there is said so, with its code', async ({ page, request }) => {
  expect((await page.goto('/runs/dir/origin-ci-test/logs/no-such-job/1'))?.status()).toBe(404)
  await expect(page.getByRole('main')).toContainText(/not/i)
  expect((await request.get('/api/v1/signatures/none')).status()).toBe(404)
  expect(await (await request.get('/api/v1/signatures/none')).json()).toMatchObject({ code: 'NOT_FOUND' })
})
