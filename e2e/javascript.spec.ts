import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, type Page, test } from 'playwright/test'
import { freePort } from '../lib/testing/free-port.ts'
import { NEXT } from '../scripts/start/processes.ts'
import { plantedSignature } from './planted.ts'

const MOST_OWN_BYTES = 25 * 1024
/** Below the project: it needs its packages. */
const EMPTY = 'test-results/empty-app'
const FILES = {
  'app/layout.js': 'export default ({ children }) => <html lang="en"><body>{children}</body></html>\n',
  'app/page.js': 'export default () => <p>nothing</p>\n',
  'next.config.js': `export default { turbopack: { root: '${process.cwd()}' } }\n`,
  'package.json': '{ "type": "module" }\n',
}

let server: ChildProcess
let empty: string
test.beforeAll(async () => {
  test.setTimeout(180_000)
  mkdirSync(`${EMPTY}/app`, { recursive: true })
  for (const [name, text] of Object.entries(FILES)) writeFileSync(`${EMPTY}/${name}`, text)
  const built = spawnSync(process.execPath, [NEXT, 'build', EMPTY], { encoding: 'utf8' })
  expect(built.status, built.stdout + built.stderr).toBe(0)
  const port = await freePort()
  server = spawn(process.execPath, [NEXT, 'start', EMPTY, '-p', String(port)], { stdio: 'ignore' })
  empty = `http://127.0.0.1:${port}/`
  const answers = () =>
    fetch(empty).then(
      ({ ok }) => ok,
      () => false,
    )
  await expect.poll(answers, { timeout: 30_000 }).toBe(true)
})
test.afterAll(async () => {
  const ended = once(server, 'close')
  server.kill()
  await ended
  rmSync(EMPTY, { recursive: true, force: true })
})

/** Bytes of all scripts that a page loads, each compressed as it is sent. */
async function scriptBytes(page: Page, path: string): Promise<number> {
  const sizes: Promise<number>[] = []
  const add = (response: import('playwright/test').Response) => {
    if (response.request().resourceType() === 'script')
      sizes.push(response.body().then((body) => gzipSync(body).length))
  }
  page.on('response', add)
  await page.goto(path, { waitUntil: 'networkidle' })
  page.off('response', add)
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

// The empty app is started from here, so this project's front refuses its scripts.
test.use({ bypassCSP: true })

test('own scripts of a page are under 25 kB', async ({ page }) => {
  const ofFramework = await scriptBytes(page, empty)
  expect(ofFramework).toBeGreaterThan(50_000)
  const { incidents } = await (await page.request.get('/api/v1/signatures/boskos.heartbeat')).json()
  const run = plantedSignature('boskos.heartbeat').incidents[0]?.runs[0]?.path
  const own: Record<string, number> = {}
  for (const path of [
    '/',
    '/signatures/boskos.heartbeat',
    '/signatures/boskos.heartbeat/edit',
    `/incidents/${incidents[0].id}`,
    `/runs/dir/origin-ci-test/${run}`,
    '/search?search=boskos.ci.*EOF&maxAge=2880h',
    '/chart?search=boskos.ci.*EOF&maxAge=2880h',
    '/coverage',
    '/status',
  ])
    own[path] = (await scriptBytes(page, path)) - ofFramework
  expect(Math.min(...Object.values(own))).toBeGreaterThan(0)
  expect(Object.entries(own).filter(([, bytes]) => bytes >= MOST_OWN_BYTES)).toEqual([])
})
