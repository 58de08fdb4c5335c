import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { Command } from 'commander'
import { STEPS } from './nightly/steps.ts'

const options = new Command('npm run nightly --')
  .description('The heavy forms of what CI tests lightly, one after another; docs/reliability.md holds their figures.')
  .option('--minutes <n>', 'for how long each load; the soak takes thrice as long', Number, 10)
  .option('--kills <n>', 'of the worker, and a tenth as many of the server', Number, 200)
  .option('--scale <share>', 'of the sample bucket that killed workers read, 0 to 1', Number, 0.03)
  .option('--only <words>', 'steps whose name holds these words')
  .option('--dir <dir>', 'where the figures go', 'test-results/nightly')
  .parse()
  .opts<{ minutes: number; kills: number; scale: number; only?: string; dir: string }>()

const dir = resolve(options.dir)
mkdirSync(dir, { recursive: true })
const results: { name: string; result: 'passed' | 'failed' | 'skipped'; seconds: number; told: string }[] = []
const began = new Date().toISOString()
for (const step of STEPS.filter(({ name }) => name.includes(options.only ?? ''))) {
  const why = step.skipped?.()
  console.log(`\n── ${step.name}${why === undefined ? '' : ` skipped: ${why}`}`)
  results.push(why === undefined ? run(step) : { name: step.name, result: 'skipped', seconds: 0, told: why })
}
const summary = { began, node: process.version, cores: availableParallelism(), steps: results }
writeFileSync(join(dir, 'nightly.json'), `${JSON.stringify(summary, null, 2)}\n`)
console.log(`\n| check | result | took | figures |\n|---|---|---|---|`)
for (const { name, result, seconds, told } of results) console.log(`| ${name} | ${result} | ${seconds} s | ${told} |`)
process.exitCode = results.length > 0 && results.every(({ result }) => result !== 'failed') ? 0 : 1

function run({ name, args, told }: (typeof STEPS)[number]): (typeof results)[number] {
  const json = join(dir, `${name.replaceAll(/[^a-z]+/gi, '-')}.json`)
  rmSync(json, { force: true })
  const started = performance.now()
  const { status } = spawnSync(process.execPath, [...args(options), '--json', json], { stdio: 'inherit' })
  const seconds = Math.round((performance.now() - started) / 1000)
  // What ended without figures has said why.
  const figures = existsSync(json) ? told(JSON.parse(readFileSync(json, 'utf8'))) : `ended with ${status}`
  return { name, result: status === 0 ? 'passed' : 'failed', seconds, told: figures }
}
