import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStore } from '#lib/store/open.ts'
import { generateSample } from '#lib/testing/sample/generate.ts'
import { catalogueOf } from './testing/catalogue-of.ts'

const KILLS = 20
const root = mkdtempSync(join(tmpdir(), 'prowl-kill-worker-'))
const bucket = join(root, 'sample')

beforeAll(() => generateSample({ dir: bucket, seed: 11, end: Date.now(), scale: 0.1 }))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** A life of the real worker, ended by SIGKILL after so many ms unless it is done before. */
async function live(dataDir: string, ms?: number): Promise<void> {
  const args = ['ingest/main.ts', '--bucket', bucket, '--since', 'all', '--data', dataDir]
  const child = spawn(process.execPath, args, { stdio: 'ignore' })
  const ended = once(child, 'close')
  if (ms !== undefined) {
    await Promise.race([ended, sleep(ms)])
    child.kill('SIGKILL')
  }
  const [status, signal] = await ended
  expect(signal === 'SIGKILL' || status === 0).toBe(true)
}

async function read(dataDir: string) {
  const store = await openStore({ dataDir, mode: 'read' })
  try {
    const { runs: _runs, ...status } = await store.status()
    const { runs, told } = await catalogueOf(store, 'dir://sample', ['signatures'])
    return { runs, told, hits: status.hits, logs: status.logs, problems: status.problemCount }
  } finally {
    await store.close()
  }
}

it(`the worker killed at ${KILLS} random moments leaves what an undisturbed one leaves`, async () => {
  const [calm, killed] = [join(root, 'calm'), join(root, 'killed')]
  await live(calm)
  const random = xoroshiro128plus(1750890)
  for (let kill = 0; kill < KILLS; kill++) await live(killed, uniformInt(random, 200, 1100))
  await live(killed)
  const expected = await read(calm)
  expect(expected.hits).toBeGreaterThan(0)
  expect(await read(killed)).toEqual(expected)
}, 300_000)
