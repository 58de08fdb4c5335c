import { type APIRequestContext, expect, type Page, test } from 'playwright/test'
import { plantedSignature } from './planted.ts'
import { scripted } from './scripted.ts'

interface LongLog {
  readonly run: string
  readonly log: string
  readonly lines: number
}

/** A log that is longer than a window, of a run that the founding failure hit. */
async function longLog(request: APIRequestContext): Promise<LongLog> {
  for (const { path } of plantedSignature('boskos.heartbeat').incidents.flatMap(({ runs }) => runs)) {
    const run = `dir/origin-ci-test/${path}`
    const { logs } = await (await request.get(`/api/v1/runs/${run}`)).json()
    const found = logs.find(({ lines }: { lines: number }) => lines > 1_000)
    if (found) return { run, log: found.name, lines: found.lines }
  }
  throw new Error('no run has a long log')
}

const addressOf = ({ run, log }: LongLog, params: Record<string, string> = {}) =>
  `/runs/${run}?${new URLSearchParams({ log, ...params })}`
const selected = (page: Page) =>
  page
    .locator('#log [data-selected]')
    .evaluateAll((rows) => rows.map((row) => Number((row as HTMLElement).dataset.line)))
/** That these lines are selected, once the page that a click asked for has come. */
const expectSelected = (page: Page, lines: readonly number[]) => expect.poll(() => selected(page)).toEqual(lines)
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
const rawLines = async (request: APIRequestContext, { run, log }: LongLog) =>
  (await (await request.get(`/api/v1/raw/${run}?${new URLSearchParams({ log })}`)).text()).split('\n')

for (const javaScriptEnabled of [true, false])
  test.describe(`a long log ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, () => {
    test.use({ javaScriptEnabled })

    test('a range that a link names is shown and marked, a line that a form names too', async ({ page, request }) => {
      const long = await longLog(request)
      await page.goto(`${addressOf(long, { line: '12', to: '20' })}#L12-L20`)
      await expectSelected(page, range(12, 20))
      await expect(page.locator('#L12')).toBeInViewport()

      await page.getByRole('textbox', { name: 'Line' }).fill('900')
      await page.getByRole('button', { name: 'Go to line' }).click()
      await expect(page.locator('#L900')).toBeInViewport()
      await expectSelected(page, [900])
      expect(page.url()).toContain('line=900')

      await page.goto(addressOf(long, { line: '999999' }))
      await expect(page.getByRole('main')).toContainText('There is no line 999,999')
    })

    test('what a regex finds is counted, marked, and gone through beyond the window', async ({ page, request }) => {
      // A page for each of a dozen matches.
      test.slow()
      const long = await longLog(request)
      const lines = await rawLines(request, long)
      // The rarest word of the last third that has a line before and after another.
      const wordsOf = (line: string) => new Set(line.match(/\b[A-Za-z]{7,}\b/g))
      const numbersOf = Map.groupBy(
        lines.flatMap((line, i) => [...wordsOf(line)].map((word) => ({ word, line: i + 1 }))),
        ({ word }) => word,
      )
      const [rarest] = [...new Set(lines.slice(700, 1_000).flatMap((line) => [...wordsOf(line)]))]
        .map((word) => numbersOf.get(word) ?? [])
        .filter(({ length }) => length > 2)
        .sort((a, b) => a.length - b.length)
      if (!rarest) throw new Error('no word is rare')
      const word = rarest[0]?.word ?? ''
      const find = `\\b${word}\\b`
      const numbers = rarest.map(({ line }) => line)
      await page.goto(addressOf(long))
      await page.getByRole('searchbox', { name: /Find in the logs/ }).fill(find)
      await page.getByRole('button', { name: 'Find', exact: true }).click()
      await page.waitForURL(/[?&]find=/)
      if ((await page.getByRole('link', { name: 'count them all' }).count()) > 0)
        await page.getByRole('link', { name: 'count them all' }).click()
      await expect(page.locator('mark').first()).toHaveText(word)
      await expect(page.locator(`#L${numbers[0]}`)).toBeInViewport()
      await expect(page.getByRole('navigation', { name: 'Logs of this run' }).locator('[aria-current]')).toHaveText(
        long.log,
      )
      const api = await (
        await request.get(`/api/v1/runs/${long.run}?${new URLSearchParams({ log: long.log, find })}`)
      ).json()
      expect(api.find.logs).toContainEqual({ log: long.log, lines: numbers.length })
      await expect(page.getByRole('main').getByRole('status').first()).toContainText(`${api.find.lines} lines of`)

      const next = page.getByRole('link', { name: /next match/ })
      // All of it, however busy the machine is: a page waits for a moment only.
      await page.goto(addressOf(long, { find, line: '1', all: '1' }))
      for (const line of numbers.filter((each) => each > 1)) {
        await next.click()
        await expect(page.locator(':target mark').first()).toBeInViewport()
        await expectSelected(page, [line])
      }
      await expect(next).toHaveCount(0)
      await page.getByRole('link', { name: /previous match/ }).click()
      await expectSelected(page, numbers.slice(-2, -1))
    })

    test('a faulty regex is told with its place, the log is shown all the same', async ({ page, request }) => {
      const answer = await page.goto(addressOf(await longLog(request), { find: 'a(b' }))
      expect(answer?.status()).toBe(400)
      await expect(page.getByRole('main').getByRole('alert')).toContainText('a(b')
      await expect(page.getByRole('searchbox', { name: /Find in the logs/ })).toHaveAttribute('aria-invalid', 'true')
      await expect(page.locator('#log li').first()).toBeVisible()
    })
  })

test('a fragment that names lines beyond the window brings them, once', async ({ page, request }) => {
  const long = await longLog(request)
  const asked: string[] = []
  page.on('request', (each) => each.isNavigationRequest() && asked.push(each.url()))
  await page.goto(`${addressOf(long)}#L12-L20`)
  await expect(page.locator('#L12')).toBeInViewport()
  await expectSelected(page, range(12, 20))
  expect(asked).toHaveLength(2)
  expect(page.url()).toMatch(/line=12&to=20#L12-L20$/)

  // Not for ever, where the log has no such line.
  await page.goto(`${addressOf(long)}#L999990-L999999`)
  await expect(page.getByRole('main')).toContainText('There is no line 999,990')
  expect(asked).toHaveLength(4)
})

test('clicks, shift and arrows select lines, the address follows, c copies link and lines', async ({
  page,
  request,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const long = await longLog(request)
  const lines = await rawLines(request, long)
  await page.goto(addressOf(long, { line: '500' }))
  const number = (line: number) => page.locator(`#L${line} > a`)
  await scripted(page)
  await number(510).click()
  await number(505).click({ modifiers: ['Shift'] })
  await expectSelected(page, range(505, 510))
  expect(page.url()).toMatch(/line=505&to=510#L505-L510$/)
  // The other end moves, the first one clicked stays.
  await number(512).click({ modifiers: ['Shift'] })
  await expectSelected(page, range(510, 512))

  await number(520).press('Enter')
  await number(520).press('Shift+ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  await expectSelected(page, range(520, 522))
  await page.keyboard.press('c')
  await expect(page.getByRole('button', { name: 'copied' })).toBeVisible()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  const [link = '', ...told] = copied.replace(/\n$/, '').split('\n')
  expect(told.map((line) => line.replace(/\r$/, ''))).toHaveLength(3)
  expect(lines[519]).toContain(told[0]?.slice(-20) ?? '?')
  await page.goto(link)
  await expectSelected(page, range(520, 522))
})

test('n and p go over what is found, and on to the next window', async ({ page, request }) => {
  const long = await longLog(request)
  const { find } = await (
    await request.get(`/api/v1/runs/${long.run}?${new URLSearchParams({ log: long.log, find: '.' })}`)
  ).json()
  expect(find.next).toBeGreaterThan(1)
  await page.goto(addressOf(long, { find: '.', line: '1', all: '1' }))
  const last = page.locator('#log [data-hit]').last()
  const number = await last.textContent()
  const nextWindow = new RegExp(`line=${find.next}&`)
  await scripted(page)
  await last.focus()
  await page.keyboard.press('n')
  await expect(page).toHaveURL(nextWindow)
  await expect(page.locator(`#L${find.next} > a`)).toBeFocused()
  await page.keyboard.press('p')
  await expect(page.locator(`#L${number} > a`)).toBeFocused()
})

test('raw bytes come whole, in part, or not again', async ({ request }) => {
  const long = await longLog(request)
  const address = `/api/v1/raw/${long.run}?${new URLSearchParams({ log: long.log })}`
  const whole = await request.get(address)
  const bytes = await whole.body()
  const { etag = '', ...headers } = whole.headers()
  expect(headers).toMatchObject({ 'accept-ranges': 'bytes' })
  expect(headers['content-disposition']).toMatch(/filename="[\w.-]+"/)
  expect(headers['content-encoding']).toBeUndefined()
  expect(headers['content-security-policy']).toContain('sandbox')
  const tail = await request.get(address, { headers: { range: 'bytes=-100', 'if-range': etag } })
  expect([tail.status(), await tail.body()]).toEqual([206, bytes.subarray(-100)])
  const beyond = await request.get(address, { headers: { range: `bytes=${bytes.length}-` } })
  expect([beyond.status(), beyond.headers()['content-range']]).toEqual([416, `bytes */${bytes.length}`])
  expect((await request.get(address, { headers: { 'if-none-match': etag } })).status()).toBe(304)
})

test('addresses in a log are linked, and told nothing of this page', async ({ page, request }) => {
  const { hits } = await (await request.get('/api/v1/signatures/boskos.heartbeat')).json()
  const view = hits.find(({ hit }: { hit: { text: string } }) => /"https?:/.test(hit.text))
  await page.goto(view.links.prowl)
  const link = page.locator(':target [data-text] a').first()
  expect(await link.getAttribute('rel')).toBe('noreferrer noopener nofollow')
  expect(await link.getAttribute('href')).toMatch(/^https?:\/\/[^"\s]+[^".:]$/)
})
