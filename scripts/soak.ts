import { writeFileSync } from 'node:fs'
import { Command } from 'commander'
import prettyBytes from 'pretty-bytes'
import { soak } from '#ingest/testing/soak.ts'
import { fakeGcsBinary } from '#lib/testing/fake-gcs.ts'

/** So much more memory in the last third than in the middle one is no longer flat. */
const FLAT = 1.15
const RUN_EVERY_MS = 4000

const options = new Command('npm run soak --')
  .description(
    'The ingest worker follows a growing bucket through random faults; what it stored must be what is there.',
  )
  .option('--minutes <n>', 'for how long', Number, 10)
  .option('--seed <n>', 'of the bucket and of the faults', Number, 1750890)
  .option('--share <n>', 'of requests that fail, 0 to 1', Number, 0.15)
  .option('--json <file>', 'the figures, for a program')
  .parse()
  .opts<{ minutes: number; seed: number; share: number; json?: string }>()

const binary = fakeGcsBinary()
if (binary === undefined) {
  console.error('fake-gcs-server is missing; install Go, or the binary')
  process.exit(2)
}
delete process.env.STORAGE_EMULATOR_HOST
process.env.NO_PROXY = '127.0.0.1'

const report = await soak(binary, {
  seed: options.seed,
  share: options.share,
  runs: Math.round((options.minutes * 60_000) / RUN_EVERY_MS),
  everyMs: RUN_EVERY_MS,
  hangs: true,
  env: process.env,
  onProgress: (line) => console.log(line),
})
const { runs, objects, requests, faults, traffic, same, memory } = report
if (options.json) writeFileSync(options.json, `${JSON.stringify({ ...options, ...report }, null, 2)}\n`)
const flat = memory.last <= memory.middle * FLAT
const injected = Object.values(faults).reduce((sum, n) => sum + n, 0)
console.log(`
${runs} runs, ${objects} objects, ${requests} requests, ${prettyBytes(traffic?.bytes ?? 0)} transferred
faults: ${injected} (${Object.entries(faults)
  .map(([kind, n]) => `${kind} ${n}`)
  .join(', ')})
requests tried again: ${traffic?.retries}, given up: ${traffic?.failed}
catalogue equals one read without faults: ${same ? 'yes' : 'NO'}
memory: median ${memory.middle.toFixed(0)} MiB in the middle third, ${memory.last.toFixed(0)} in the last, ${memory.most.toFixed(0)} at most: ${flat ? 'flat' : 'NOT FLAT'}`)
process.exitCode = same && flat ? 0 : 1
