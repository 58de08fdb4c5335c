import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { serverKilled } from './kills/server.ts'
import { needsBuild } from './start/build.ts'

// npm run nightly kills it more often.
const KILLS = 2

test.skipIf(needsBuild(process.cwd()))(
  'a server killed amid searches and freezing loses nothing that it said was kept, and holds nobody up',
  async () => {
    const root = mkdtempSync(join(tmpdir(), 'prowl-kill-server-'))
    onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }))
    const report = await serverKilled({ root, kills: KILLS, seed: 7 })
    expect(report).toMatchObject({ kills: KILLS, lost: 0, different: 0, faults: [] })
    expect(report.cutOff).toBeGreaterThan(0)
    expect(report.frozen).toBeGreaterThan(0)
  },
  300_000,
)
