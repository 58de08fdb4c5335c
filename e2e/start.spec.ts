import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'playwright/test'

const PORT = Number(process.env.E2E_PORT ?? 3187)

const home = mkdtempSync(join(tmpdir(), 'prowl-start-'))
const bucket = join(home, 'bucket')
const run = join(bucket, 'logs/e2e/7')
test.beforeAll(() => {
  mkdirSync(run, { recursive: true })
  writeFileSync(join(run, 'finished.json'), JSON.stringify({ timestamp: 1_790_000_000, result: 'FAILURE' }))
  writeFileSync(join(run, 'build-log.txt'), 'needle\n')
})
test.afterAll(() => rmSync(home, { recursive: true, force: true }))

/** As a person calls it; npm must pass signals on. */
function npmStart(port: number, ...args: string[]) {
  const child = spawn('npm', ['start', '--', '--data', join(home, `data-${port}`), '--port', String(port), ...args])
  const printed = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => {
    printed.stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    printed.stderr += chunk
  })
  return { child, printed, ended: once(child, 'close') }
}

async function refuses(url: string): Promise<boolean> {
  return await fetch(url).then(
    () => false,
    () => true,
  )
}

/** What was told. A busy machine answers slowly, and the log says so too. */
const said = (stderr: string) => stderr.split('\n').filter((line) => line && !line.includes('a slow answer'))

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`npm start ends both parts at ${signal}, and starts again`, async () => {
    const port = PORT + (signal === 'SIGTERM' ? 1 : 2)
    for (let round = 0; round < 2; round++) {
      const { child, printed, ended } = npmStart(port, '--bucket', bucket, '--since', 'all')
      await expect.poll(() => printed.stdout, { timeout: 50_000 }).toContain(`prowl is at http://localhost:${port}`)
      const status = `http://localhost:${port}/api/v1/status`
      await expect.poll(async () => (await (await fetch(status)).json()).freshness.runs).toBe(1)
      child.kill(signal)
      expect(await ended).toEqual([0, null])
      await expect.poll(() => refuses(status)).toBe(true)
      expect(said(printed.stderr)).toEqual([])
    }
  })
}

test('npm start names no address when the bucket is refused', async () => {
  const { printed, ended } = npmStart(PORT + 3, '--bucket', join(home, 'none'))
  expect(await ended).toEqual([2, null])
  expect(printed.stderr).toMatch(/^prowl: BUCKET_NOT_FOUND: [^\n]*none: no such directory; [^\n]*\n$/)
  expect(printed.stdout).not.toContain('prowl is at')
})

test('npm start tells in words what the worker warns of', async () => {
  const linked = join(home, 'linked')
  mkdirSync(linked)
  symlinkSync(run, join(linked, 'logs'))
  const { child, printed, ended } = npmStart(PORT + 4, '--bucket', linked, '--since', 'all')
  await expect.poll(() => said(printed.stderr), { timeout: 50_000 }).not.toEqual([])
  child.kill('SIGTERM')
  await ended
  expect(said(printed.stderr)[0]).toBe('prowl: warning: logs: left out, it links to a place outside of the bucket')
})
