import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const home = mkdtempSync(join(tmpdir(), 'prowl-start-'))
const file = join(home, 'a-file')
const busy = createServer()
let busyPort = 0

beforeAll(async () => {
  writeFileSync(file, '')
  await new Promise<void>((resolve) => busy.listen(0, resolve))
  const address = busy.address()
  busyPort = typeof address === 'object' && address ? address.port : 0
})

afterAll(() => {
  busy.close()
  rmSync(home, { recursive: true, force: true })
})

function start(...args: string[]) {
  const env = { ...process.env, PROWL_DATA: join(home, 'data'), PORT: '0' }
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/run.js', 'scripts/start.ts', ...args], {
    env,
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

describe('npm start', () => {
  it.each([
    ['a port in use', () => ['--port', String(busyPort)], /^prowl: PORT_IN_USE: .*--port or PORT$/],
    [
      'a data directory below a file',
      () => ['--data', join(file, 'data')],
      /^prowl: DATA_DIR_UNWRITABLE: .*--data or PROWL_DATA$/,
    ],
    ['a port that is no number', () => ['--port', '80a'], /^error: option '--port <n>'.*$/],
    ['an unknown option', () => ['--buckte', 'x'], /^error: unknown option '--buckte'/],
  ])('refuses %s in one line with status 2', (_, args, line) => {
    const { status, stderr } = start(...args())
    expect(stderr.trim().split('\n')[0]).toMatch(line)
    expect(status).toBe(2)
  })

  it('explains itself', () => {
    const { status, stdout } = start('--help')
    expect(status).toBe(0)
    for (const option of ['--bucket', '--preset', '--jobs', '--since', '--port', '--data'])
      expect(stdout).toContain(option)
  })
})

describe('scripts/run.js', () => {
  it('says in one line that Node is too old', () => {
    const preload = `Object.defineProperty(process.versions, 'node', { value: '20.20.2' })`
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--import', `data:text/javascript,${encodeURIComponent(preload)}`, 'scripts/run.js', 'scripts/start.ts'],
      { encoding: 'utf8' },
    )
    expect(stderr.trim()).toMatch(/^prowl: NODE_TOO_OLD: .*24.*$/)
    expect(status).toBe(2)
  })
})
