import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, it, onTestFinished, test } from 'vitest'
import { readConfig } from '#lib/config.ts'
import { snowflakeAt } from '#lib/model/build-id.ts'
import { finishedRun, temporaryDirectory, writeFiles } from './testing/bucket.ts'
import { logEnd, workerLog } from './worker-log.ts'

const NOW = Date.now()
const HOUR = 3_600_000
const SECRET = 'S3cr3tPath'

/** What a follower of a bucket wrote to standard error before it was told to end, once a line says `until`. */
async function followed(bucket: string, env: Record<string, string>, until: RegExp): Promise<string> {
  const data = join(temporaryDirectory(), 'data')
  const args = ['ingest/main.ts', '--bucket', bucket, '--data', data, '--since', 'all', '--follow', '--every', '1s']
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let err = ''
  child.stderr.on('data', (text) => {
    err += text
    if (until.test(err)) child.kill('SIGTERM')
  })
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0)
  return err
}

it('tells of each pass and, by its path, of each run; nothing of it is the webhook’s secret', async () => {
  const root = temporaryDirectory()
  const [good, broken] = [`logs/job/${snowflakeAt(NOW - HOUR)}`, `logs/job/${snowflakeAt(NOW - 2 * HOUR)}`]
  writeFiles(root, {
    ...finishedRun(good, { at: NOW - HOUR, result: 'FAILURE' }),
    ...finishedRun(broken, { at: NOW - HOUR, result: 'FAILURE' }),
  })
  const env = { PROWL_LOG_LEVEL: 'trace', PROWL_WEBHOOK: `https://127.0.0.1:1/${SECRET}` }
  const err = await followed(root, env, /"a pass has ended"/)
  const lines = err
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(lines.map(({ name }) => name)).toEqual(lines.map(() => 'worker'))
  expect(
    lines
      .filter(({ msg }) => msg === 'a run was read')
      .map(({ run, pass }) => [run, pass])
      .sort(),
  ).toEqual(
    [
      [broken, 1],
      [good, 1],
    ].sort(),
  )
  expect(lines).toContainEqual(
    expect.objectContaining({
      level: 'info',
      pass: 1,
      found: 2,
      published: 2,
      failed: 0,
      whole: true,
      msg: 'a pass has ended',
    }),
  )
  expect(err).not.toContain(SECRET)
})

test('on a terminal people are told in words, and of warnings alone', () => {
  const said: string[] = []
  const terminal = { isTTY: true, write: (text: string) => said.push(text) > 0 }
  const log = workerLog(readConfig({ NODE_ENV: 'test', PROWL_WEBHOOK: `https://h.test/${SECRET}` }), terminal)
  log.info({ pass: 1 }, 'a pass has ended')
  log.warn({ run: 'logs/job/1', code: 'OBJECT_BROKEN' }, 'build-log.txt: checksum')
  log.warn(`the webhook https://h.test/${SECRET} is away`)
  logEnd(log, Object.assign(new Error('boom'), { stack: `Error: boom ${SECRET}` }))
  expect(said).toEqual([
    'prowl: warning: logs/job/1: OBJECT_BROKEN: build-log.txt: checksum\n',
    'prowl: warning: the webhook [redacted] is away\n',
    'Error: boom S3cr3tPath\n'.replace(SECRET, '[redacted]'),
  ])
})
