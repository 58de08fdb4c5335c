import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { STEPS } from './nightly/steps.ts'

test('each step is a script that is there, and asks for what the night takes', () => {
  const all = STEPS.map(({ args }) => args({ minutes: 10, kills: 200, scale: 0.03 }))
  expect(all.filter(([script = '']) => !existsSync(script))).toEqual([])
  expect(all).toContainEqual(['scripts/kills.ts', '--kills', '200', '--scale', '0.03'])
  expect(all).toContainEqual(['scripts/kills.ts', '--server', '--kills', '20'])
  expect(all).toContainEqual(['scripts/load.ts', '--minutes', '10', '--elasticsearch'])
})

test('docs/reliability.md names files and commands that are there', () => {
  const docs = readFileSync('docs/reliability.md', 'utf8')
  const files = new Set(docs.match(/(?<=`)(?:app|lib|ingest|scripts)\/[\w./-]+\.ts(?=`)/g))
  expect(files.size).toBeGreaterThan(30)
  expect([...files].filter((file) => !existsSync(file))).toEqual([])
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(docs.match(/(?<=npm run )[a-z]+/g)?.filter((name) => !(name in scripts))).toEqual([])
})

test('a step’s figures are told as a table and kept as JSON, and what fails makes the night fail', () => {
  const dir = mkdtempSync(join(tmpdir(), 'prowl-nightly-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const nightly = (...args: string[]) =>
    spawnSync(process.execPath, ['scripts/nightly.ts', '--dir', dir, ...args], { encoding: 'utf8' })
  const one = nightly('--only', 'kills of the worker', '--kills', '1', '--scale', '0.005')
  expect(one.stdout).toMatch(
    /\| kills of the worker \| passed \| \d+ s \| 1 kills, 0 of 1 directories differ, 0 faults \|/,
  )
  expect(one.status).toBe(0)
  expect(JSON.parse(readFileSync(join(dir, 'nightly.json'), 'utf8')).steps).toMatchObject([{ result: 'passed' }])
  expect(nightly('--only', 'nothing of this name').status).toBe(1)
}, 120_000)
