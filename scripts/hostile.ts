import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Command } from 'commander'
import { CATASTROPHES } from '#lib/search/testing/catastrophes.ts'
import { linksIn, ask as page } from './hostile/ask.ts'
import { PAGE } from './hostile/crawl.ts'
import { serveHostile } from './hostile/served.ts'
import { SERVED_HEAP_MIB } from './load/memory.ts'
import { type Answer, ask, figuresOf, reader, readRun } from './load/readers.ts'
import { needsBuild } from './start/build.ts'

const MIB = 1024 * 1024
/** Of JavaScript's heap, in the worker and in the web app, for what a hostile log may take; readers would wait for its collecting. */
const HEAP_MIB = 160

const options = new Command('npm run hostile --')
  .description('Larger objects than the tests read, then readers beside others whose patterns never end.')
  .option('--bomb <MiB>', 'what a gzip holds', Number, 8192)
  .option('--line <MiB>', 'one line', Number, 1024)
  .option('--lines <n>', 'of two bytes each', Number, 20_000_000)
  .option('--fuzzed <n>', 'runs of random bytes', Number, 500)
  .option('--minutes <n>', 'of readers alone, and as long again with attackers', Number, 2)
  .option('--readers <n>', 'who ask at once', Number, 10)
  .option('--attackers <n>', 'who send catastrophic patterns, one after another', Number, 4)
  .option('--most <ms>', 'that 95 of 100 answers to the others may take', Number, 300)
  .option('--json <file>', 'the figures, for a program')
  .parse()
  .opts<
    Readonly<Record<'bomb' | 'line' | 'lines' | 'fuzzed' | 'minutes' | 'readers' | 'attackers' | 'most', number>> & {
      readonly json?: string
    }
  >()

if (needsBuild(process.cwd())) throw new Error('the app is not built; npm run build')
const sizes = { bombBytes: options.bomb * MIB, lineBytes: options.line * MIB, tinyLines: options.lines }
const large = await serveHostile({ fuzzed: options.fuzzed, ...sizes }, HEAP_MIB)
const { code, mib } = large.ingest
await large.stop()
console.log(`worker: ended with ${code}, ${mib.toFixed(0)} MiB at most, of a heap of ${HEAP_MIB}`)
// Readers of ordinary amounts: how long a search reads hundreds of MB is another question.
const served = await serveHostile({ fuzzed: 20, bombBytes: MIB, lineBytes: MIB, tinyLines: 10_000 }, SERVED_HEAP_MIB)
try {
  const links = linksIn((await page(served.base, '/search?search=needle&maxAge=90d', PAGE)).body)
  readRun((links.find((link) => link.startsWith('/runs/dir/bucket/')) ?? '').replace(/^\/runs\/|\?.*$/g, ''))
  // The first answers make what all later ones use.
  await phase('warming up', 0, 0.2)
  const alone = await phase('readers alone', 0, options.minutes)
  const beside = await phase(`beside ${options.attackers} attackers`, options.attackers, options.minutes)
  const figures = { ended: code, workerMiB: mib, heapMiB: HEAP_MIB, attackers: options.attackers, alone, beside }
  if (options.json) writeFileSync(options.json, `${JSON.stringify(figures, null, 2)}\n`)
  const isGood = ({ failed, p95 }: Phase) => failed === 0 && p95 < options.most
  process.exitCode = code === 0 && isGood(alone) && isGood(beside) ? 0 : 1
} finally {
  await served.stop()
}

interface Phase {
  readonly answers: number
  /** Answers to readers that were errors, and no polite refusals. */
  readonly failed: number
  /** Of all of them, ms. */
  readonly p95: number
}

async function phase(name: string, attackers: number, minutes: number): Promise<Phase> {
  const [answers, attacks]: [Answer[], Answer[]] = [[], []]
  const stop = new AbortController()
  const readers = Array.from({ length: options.readers }, (_, seed) =>
    reader(served.base, { seed, thinkMs: 1000, stop: stop.signal }, (answer) => void answers.push(answer)),
  )
  const attacking = Array.from({ length: attackers }, (_, at) => attack(at, stop.signal, attacks))
  await sleep(minutes * 60_000)
  stop.abort()
  await Promise.all([...readers, ...attacking])
  const all = figuresOf(answers.map((answer) => ({ ...answer, name: 'all' }))).all
  console.log(`${name}: ${all?.answers} answers, p50 ${all?.p50} ms, p95 ${all?.p95} ms`)
  for (const [of, { answers: count, p50, p95, byStatus }] of Object.entries(figuresOf([...answers, ...attacks])))
    console.log(
      `  ${of.padEnd(12)}${String(count).padStart(6)}  p50 ${p50} ms, p95 ${p95} ms  ${JSON.stringify(byStatus)}`,
    )
  const failed = answers.filter(({ status, polite }) => status !== 200 && !polite).length
  return { answers: answers.length, failed, p95: all?.p95 ?? Number.POSITIVE_INFINITY }
}

async function attack(first: number, stop: AbortSignal, attacks: Answer[]): Promise<void> {
  for (let at = first * 7; !stop.aborted; at++) {
    const { pattern = '' } = CATASTROPHES[at % CATASTROPHES.length] ?? {}
    attacks.push(await ask(served.base, 'attack API', `/api/v1/search?${new URLSearchParams({ search: pattern })}`))
  }
}
