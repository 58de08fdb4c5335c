import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { needsBuild } from './start/build.ts'

test.skipIf(needsBuild(process.cwd()))(
  'readers, a burst and a worker at once: each is answered or told when to come back, and nothing is lost',
  () => {
    const json = join(tmpdir(), `prowl-load-${process.pid}.json`)
    onTestFinished(() => rmSync(json, { force: true }))
    const args = [
      '--minutes',
      '0.1',
      '--readers',
      '5',
      '--think',
      '100',
      '--burst',
      '300',
      '--scale',
      '0.01',
      '--json',
      json,
    ]
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/load.ts', ...args], { encoding: 'utf8' })
    expect({ status, stderr }, stdout).toEqual({ status: 0, stderr: '' })
    const { bad, runs, burst, pages, memory } = JSON.parse(readFileSync(json, 'utf8'))
    expect(bad).toBe(0)
    expect(runs.read).toBe(runs.there)
    expect(burst['burst API'].answers).toBe(300)
    // How many are refused is a matter of speed.
    expect(burst['burst API'].byStatus['200']).toBeGreaterThan(0)
    expect(Object.keys(pages).length).toBeGreaterThan(3)
    expect(memory.server.most).toBeGreaterThan(50)
  },
  120_000,
)
