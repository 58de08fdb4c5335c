import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { type Browser, chromium } from 'playwright'
import { request } from 'undici'
import { findChromium } from './chromium.ts'
import { EVERY_PAGE, everyPage } from './testing/every-page.ts'

/** Takes the README's pictures of a running prowl that has read the sample bucket; `--all` takes every page, both widths and themes. */
const options = new Command('npm run screenshots --')
  .option('--url <url>', 'address of the running app', 'http://localhost:3000')
  .option('--dir <dir>', 'where the pictures go', 'docs/screenshots')
  .option('--all', 'every page at 360 and 1,440 px, light and dark')
  .parse()
  .opts<{ url: string; dir: string; all?: boolean }>()

async function ask(path: string, sent?: string): Promise<unknown> {
  const answer = await request(options.url + path, sent === undefined ? {} : { method: 'POST', body: sent })
  return await answer.body.json()
}

/** The README's pages, or all. */
async function pages(): Promise<readonly (readonly [name: string, path: string])[]> {
  const found = await everyPage({ get: ask, post: ask })
  const wanted = options.all ? EVERY_PAGE : (['triage', 'signature', 'search', 'run'] as const)
  return wanted.map((name) => [name.replaceAll(' ', '-'), found[name]])
}

interface Look {
  readonly width: number
  readonly scheme: 'light' | 'dark'
}

async function take(browser: Browser, path: string, file: string, { width, scheme }: Look): Promise<void> {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme, deviceScaleFactor: 1 })
  await page.goto(options.url + path, { waitUntil: 'networkidle' })
  await page.screenshot({ path: file })
  await page.close()
}

const looks: readonly Look[] = options.all
  ? [360, 1440].flatMap((width) => (['light', 'dark'] as const).map((scheme) => ({ width, scheme })))
  : [{ width: 1280, scheme: 'light' }]

mkdirSync(options.dir, { recursive: true })
const browser = await chromium.launch({ executablePath: findChromium().path, args: ['--no-sandbox', '--disable-gpu'] })
try {
  for (const [name, path] of await pages()) {
    for (const look of looks) {
      const file = join(options.dir, options.all ? `${name}-${look.width}-${look.scheme}.png` : `${name}.png`)
      await take(browser, path, file, look)
      console.log(file)
    }
  }
} finally {
  await browser.close()
}
