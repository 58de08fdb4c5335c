import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { type Browser, chromium } from 'playwright'
import { request } from 'undici'
import { z } from 'zod'
import { findChromium } from './chromium.ts'

/** Takes the README's pictures of a running prowl that has read the sample bucket; `--all` takes every page, both widths and themes. */
const options = new Command('npm run screenshots --')
  .option('--url <url>', 'address of the running app', 'http://localhost:3000')
  .option('--dir <dir>', 'where the pictures go', 'docs/screenshots')
  .option('--all', 'every page at 360 and 1,440 px, light and dark')
  .parse()
  .opts<{ url: string; dir: string; all?: boolean }>()

const Signature = z.object({
  incidents: z.array(
    z.object({
      id: z.string(),
      pulls: z.array(z.string()),
      runs: z.array(z.object({ path: z.string(), job: z.string() })),
    }),
  ),
})

const Frozen = z.object({ evidence: z.object({ id: z.string() }) })

async function freeze(): Promise<string> {
  const body = JSON.stringify({ query: 'search=boskos.ci.*EOF&maxAge=120d' })
  const answer = await request(`${options.url}/api/v1/evidence`, { method: 'POST', body })
  return Frozen.parse(await answer.body.json()).evidence.id
}

async function pages(): Promise<Record<string, string>> {
  const answer = await request(`${options.url}/api/v1/signatures/boskos.heartbeat`)
  const { incidents } = Signature.parse(await answer.body.json())
  const incident = incidents.at(-1)
  const pull = incidents.flatMap(({ pulls }) => pulls).at(-1)
  const run = incident?.runs[0]
  return {
    triage: '/',
    signature: '/signatures/boskos.heartbeat',
    search: '/search?search=boskos.ci.*EOF&maxAge=120d',
    run: `/runs/dir/origin-ci-test/${run?.path}`,
    ...(options.all && {
      incident: `/incidents/${incident?.id}`,
      job: `/jobs/${run?.job}`,
      status: '/status',
      evidence: `/e/${await freeze()}`,
      bug: '/bug/bz1750890',
      ...(pull && { pull: `/pr/${pull.replace('#', '/')}` }),
      'search-error': '/search?search=lease+%28lost',
      'search-none': '/search?search=no+such+text&name=aws',
      missing: '/no/such/page',
    }),
  }
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
  for (const [name, path] of Object.entries(await pages())) {
    for (const look of looks) {
      const file = join(options.dir, options.all ? `${name}-${look.width}-${look.scheme}.png` : `${name}.png`)
      await take(browser, path, file, look)
      console.log(file)
    }
  }
} finally {
  await browser.close()
}
