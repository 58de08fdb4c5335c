import { expect, type Page, test } from 'playwright/test'
import { planted } from './planted.ts'
import { expectSound } from './sound.ts'

const ID = 'api.disruption'
const STRICT = '(?:[0-9]+h)?[1-9][0-9]*m[0-9]+s'
const LOOSE = '(?:[0-9]+h)?(?:[0-9]+m)?[0-9]+s'

const yamlOf = (page: Page) => page.getByLabel('The signature’s YAML')

async function open(page: Page): Promise<string> {
  await page.goto(`/signatures/${ID}`)
  await page.getByText('Definition and samples').click()
  await page.getByRole('link', { name: 'Try an edit' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Try an edit')
  return await yamlOf(page).inputValue()
}

async function preview(page: Page, yaml: string): Promise<void> {
  await yamlOf(page).fill(yaml)
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  await page.waitForURL(/\/edit\?yaml=/)
}

/** The sample that forbids what LOOSE finds. */
function withoutSample(yaml: string): string {
  return yaml
    .split('\n')
    .filter((line) => !line.includes('at least 23s of'))
    .join('\n')
}

async function gain(page: Page): Promise<string> {
  const yaml = await open(page)
  expect(yaml).toContain(STRICT)
  await preview(page, yaml.replace(STRICT, LOOSE))
  const main = page.getByRole('main')
  await expect(main.getByRole('alert')).toContainText('1 fault')
  await expect(main).toContainText('must not match but does')
  await expect(main).toContainText(/Line \d+ of api\.disruption/)

  const edited = withoutSample(yaml.replace(STRICT, LOOSE))
  await preview(page, edited)
  await expect(main).toContainText(/would gain [\d,]+ runs and lose none; [\d,]+ stay/)
  await expect(main).toContainText('Nothing was written')
  return edited
}

/** The first run gained, and its line. */
async function followGained(page: Page): Promise<void> {
  const gained = page.getByRole('listitem').filter({ hasText: 'within the allowed share' }).first()
  await gained.locator('a[href*="#L"]').click()
  await expect(page.locator(':target')).toContainText('this is within the allowed share')
}

test('a looser regex: the sample that forbids it, the runs gained with their lines, the YAML to paste', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const edited = await gain(page)
  const address = page.url()
  await page.getByRole('button', { name: 'copy YAML' }).click()
  await expect(page.getByRole('button', { name: 'copied' })).toBeVisible()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied.replace(/^ {2}/gm, '')).toBe(edited)
  await expect(page.getByLabel('YAML to paste')).toHaveValue(copied)
  await page.getByRole('button', { name: 'copy link' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^http:.*\/edit\?yaml=/)

  await followGained(page)
  await page.goto(address)
  await expect(yamlOf(page)).toHaveValue(edited)
  await page.getByRole('link', { name: 'Start anew from the file' }).click()
  await expect(yamlOf(page)).toHaveValue(/at least 23s of/)
})

test('a stricter regex loses exactly the runs planted with it', async ({ page }) => {
  const yaml = await open(page)
  await preview(
    page,
    yaml.replace(STRICT, '(?:[0-9]+h)[1-9][0-9]*m[0-9]+s').replace(/^ {6}- 'Jan {2}7.*1m23s.*\n/m, ''),
  )
  const planting = planted().signatures.find(({ id }) => id === ID)
  const runs = new Set(planting?.incidents.flatMap((incident) => incident.runs.map(({ path }) => path)))
  await expect(page.getByRole('main')).toContainText(`would gain none and lose ${runs.size} runs`)
})

test('what changes no rule, and no YAML at all, is said in words', async ({ page }) => {
  const yaml = await open(page)
  const main = page.getByRole('main')
  await preview(page, yaml.replace('title: ', 'title: Another '))
  await expect(main).toContainText('No change: no rule differs')
  await preview(page, yaml)
  await expect(main).toContainText('This is what the file has')
  await preview(page, yaml.replace('kind: outage', 'kind: [outage'))
  await expect(main.getByRole('alert')).toContainText('can’t be tried')
  await expect(yamlOf(page)).toHaveAttribute('aria-invalid', 'true')
})

test('a pattern that comes to no end: an answer all the same, and searches go on', async ({ page, request }) => {
  const yaml = withoutSample(await open(page))
  const answers = Promise.all([
    preview(page, yaml.replace(STRICT, '(?:.*[0-9]+.*[0-9]+.*){17,40}!').replace(/samples:[\s\S]*$/, '')),
    request.get('/api/v1/search?search=boskos.ci.*EOF&maxAge=2880h'),
  ])
  const [, search] = await answers
  expect((await search.json()).hits.length).toBeGreaterThan(0)
  await expect(page.getByRole('main')).toContainText(/compared|left out/)
})

test('a new signature is found where it would be', async ({ page }) => {
  await page.goto('/signatures/new')
  const box = page.getByLabel('A file of signatures')
  const yaml = (await box.inputValue()).replace(/failed to reach thing[^']*(?=')/, 'boskos.ci.*EOF')
  await box.fill(yaml.replace(/ +samples:[\s\S]*$/, ''))
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  const main = page.getByRole('main')
  await expect(main).toContainText(/would be found in [\d,]+ runs/)
  await expect(main).toContainText('signatures/new.yaml')
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the same, by the same addresses', async ({ page }) => {
    const edited = await gain(page)
    await expect(page.getByRole('button', { name: /copy/ })).toHaveCount(0)
    expect((await page.getByLabel('YAML to paste').inputValue()).replace(/^ {2}/gm, '')).toBe(edited)
    await followGained(page)
  })
})

for (const scheme of ['light', 'dark'] as const) {
  test(`an answer and its faults, ${scheme}: readable by everyone, nothing wider than a phone`, async ({ page }) => {
    const refused: string[] = []
    page.on('console', (message) => {
      if (/Content Security Policy|hydrat/i.test(message.text())) refused.push(message.text())
    })
    page.on('pageerror', (error) => refused.push(String(error)))
    await page.emulateMedia({ colorScheme: scheme })
    const yaml = (await open(page)).replace(STRICT, LOOSE)
    for (const edit of [yaml, withoutSample(yaml)]) {
      await preview(page, edit)
      await expectSound(page)
    }
    expect(refused).toEqual([])
  })
}
