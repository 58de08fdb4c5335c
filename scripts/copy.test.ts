import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'

const root = mkdtempSync(join(tmpdir(), 'prowl-copy-'))
const data = join(root, 'data')
const at = (name: string) => join(root, name)

beforeAll(() => {
  expect(spawnSync(process.execPath, ['lib/testing/store-driver.ts', data]).status).toBe(0)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

function run(script: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/run.js', `scripts/${script}.ts`, ...args], {
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

const HELD = '240 runs with 360 hits'

it('backs up, restores and migrates, and says what there is', () => {
  expect(run('backup', at('whole'), '--data', data)).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(`^${at('whole')}: ${HELD}, with text, \\d`),
    stderr: expect.stringContaining('100 %'),
  })
  expect(run('restore', at('whole'), '--data', at('restored'))).toMatchObject({
    status: 0,
    stdout: `${HELD}, with text, are in ${at('restored')}\n`,
  })
  expect(run('backup', at('records'), '--without-text', '--data', at('restored'))).toMatchObject({ status: 0 })
  expect(run('restore', at('records'), '--data', at('again'))).toMatchObject({
    status: 0,
    stdout: expect.stringContaining(HELD),
  })
  expect(run('migrate', at('again'), '--data', at('moved'))).toMatchObject({
    status: 0,
    stdout: expect.stringContaining(HELD),
  })
})

it.each([
  ['backup', /^prowl: CONFIG_INVALID: .*exists already/m, () => [root, '--data', data]],
  ['backup', /^prowl: CONFIG_INVALID: .*holds nothing/m, () => [at('x'), '--data', at('nowhere')]],
  ['backup', /^prowl: CONFIG_INVALID: .*see --help/m, () => []],
  ['restore', /^prowl: BACKUP_INVALID: /m, () => [root, '--data', at('y')]],
  ['restore', /^prowl: STORE_NOT_EMPTY: /m, () => [at('whole'), '--data', data]],
  ['migrate', /^prowl: STORE_NOT_EMPTY: /m, () => [at('again'), '--data', data]],
])('%s ends with 2 and says %s', (script, line, args) => {
  expect(run(script, ...args())).toMatchObject({ status: 2, stderr: expect.stringMatching(line) })
})

it('a backup that is killed leaves nothing that looks whole, and can be begun again', async () => {
  const child = spawn(process.execPath, ['scripts/run.js', 'scripts/backup.ts', at('killed'), '--data', data])
  while (!existsSync(at('killed.part/catalogue.sqlite')) && child.exitCode === null) await turn()
  child.kill('SIGKILL')
  expect(await once(child, 'close')).toEqual([null, 'SIGKILL'])
  expect(existsSync(at('killed'))).toBe(false)
  expect(run('restore', at('killed.part'), '--data', at('z'))).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('BACKUP_INVALID'),
  })
  expect(run('backup', at('killed'), '--data', data)).toMatchObject({ status: 0 })
  expect(existsSync(at('killed.part'))).toBe(false)
})
