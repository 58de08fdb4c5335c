import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { type KillReport, killed } from '#ingest/testing/kills.ts'
import { type ServerKillReport, serverKilled } from './kills/server.ts'

const options = new Command('npm run kills --')
  .description('Kills the worker at random moments: what it leaves must be what an undisturbed one leaves.')
  .option('--kills <n>', 'how often', Number, 200)
  .option('--seed <n>', 'of the moments', Number, Date.now() % 1_000_000)
  .option('--scale <share>', 'of the sample bucket, 0 to 1', Number, 0.03)
  .option('--server', 'the web server instead, amid searches; npm run build first')
  .option('--json <file>', 'the figures, for a program')
  .parse()
  .opts<{ kills: number; seed: number; scale: number; server?: boolean; json?: string }>()

const root = mkdtempSync(join(tmpdir(), 'prowl-kills-'))
process.once('exit', () => rmSync(root, { recursive: true, force: true }))
const onProgress = (line: string) => console.log(line)
const report = options.server
  ? await serverKilled({ ...options, root, onProgress })
  : await killed({ ...options, root, onProgress })
console.log(`seed ${options.seed}: ${told(report)}`)
for (const fault of report.faults) console.log(fault)
if (options.json) writeFileSync(options.json, `${JSON.stringify({ seed: options.seed, ...report }, null, 2)}\n`)
const lost = 'lost' in report ? report.lost : 0
process.exitCode = report.different + report.faults.length + lost === 0 ? 0 : 1

function told(report: KillReport | ServerKillReport): string {
  const sound = `${report.different} differ, ${report.faults.length} faults found by verify`
  return 'cutOff' in report
    ? `${report.kills} kills cut ${report.cutOff} requests off; ${report.lost} of ${report.frozen} evidence lost; ${sound}`
    : `${report.kills} kills, ${report.whileWorking} of them once there were files; ${report.directories} directories of ${report.runs} runs and ${report.hits} hits, ${sound}`
}
