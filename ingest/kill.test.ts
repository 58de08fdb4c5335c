import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { killed } from './testing/kills.ts'

// npm run nightly kills 200 times.
const KILLS = 20

it(`the worker killed at ${KILLS} random moments leaves what an undisturbed one leaves`, async () => {
  const root = mkdtempSync(join(tmpdir(), 'prowl-kill-worker-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const report = await killed({ root, kills: KILLS, seed: 1750890, scale: 0.01 })
  expect(report).toMatchObject({ kills: KILLS, different: 0, faults: [] })
  expect(report.hits).toBeGreaterThan(0)
  // Else most struck workers that had nothing left to do.
  expect(report.directories).toBeGreaterThan(1)
  expect(report.whileWorking).toBeGreaterThan(KILLS / 3)
}, 300_000)
