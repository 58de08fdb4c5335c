import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { killed } from '#ingest/testing/kills.ts'

const options = new Command('npm run kills --')
  .description('Kills the worker at random moments: what it leaves must be what an undisturbed one leaves.')
  .option('--kills <n>', 'how often', Number, 200)
  .option('--seed <n>', 'of the moments', Number, Date.now() % 1_000_000)
  .option('--scale <share>', 'of the sample bucket, 0 to 1', Number, 0.03)
  .option('--json <file>', 'the figures, for a program')
  .parse()
  .opts<{ kills: number; seed: number; scale: number; json?: string }>()

const root = mkdtempSync(join(tmpdir(), 'prowl-kills-'))
process.once('exit', () => rmSync(root, { recursive: true, force: true }))
const report = await killed({ ...options, root, onProgress: (line) => console.log(line) })
const { kills, whileWorking, directories, different, faults, runs, hits } = report
console.log(
  `${kills} kills (seed ${options.seed}), ${whileWorking} of them once there were files; ${directories} directories of ${runs} runs and ${hits} hits: ${different} differ from an undisturbed one, ${faults.length} faults found by verify`,
)
for (const fault of faults) console.log(fault)
if (options.json) writeFileSync(options.json, `${JSON.stringify({ seed: options.seed, ...report }, null, 2)}\n`)
process.exitCode = different === 0 && faults.length === 0 ? 0 : 1
