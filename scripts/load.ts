import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Command } from 'commander'
import { hasElasticsearch, NO_ELASTICSEARCH, SERVER_JVM, startElasticsearch } from '#lib/testing/elasticsearch.ts'
import { startFaultProxy } from '#lib/testing/fault-proxy.ts'
import { freePort } from '#lib/testing/free-port.ts'
import { generateSample } from '#lib/testing/sample/generate.ts'
import { countRuns, grow, runsIn } from './load/grow.ts'
import { type MemoryFigures, memoryFigures, residentMib, type Sample, SERVED_HEAP_MIB } from './load/memory.ts'
import { type Answer, ask, burst, figuresOf, reader, readRun } from './load/readers.ts'
import { needsBuild } from './start/build.ts'

const NEXT = 'node_modules/next/dist/bin/next'
/** A process that has no more than this each minute is flat: 1 GiB in seventeen hours would be seen in days. */
const FLAT_MIB_A_MINUTE = 1
/** Too short for a slope that means something. */
const SHORT_MINUTES = 5

const options = new Command('npm run load --')
  .description('Readers, a burst of searches and a worker at full speed, at once: errors, times by page, memory.')
  .option('--minutes <n>', 'for how long', Number, 10)
  .option('--readers <n>', 'who ask at once', Number, 50)
  .option('--think <ms>', 'how long each reads before it asks again, on average', Number, 1000)
  .option('--burst <n>', 'searches in one moment', Number, 500)
  .option('--scale <share>', 'of the sample bucket that the worker begins with, 0 to 1', Number, 0.25)
  .option('--json <file>', 'the figures, for a program')
  .option('--elasticsearch', 'on an Elasticsearch, which goes away for a tenth of the time and comes back')
  .parse()
  .opts<{
    minutes: number
    readers: number
    think: number
    burst: number
    scale: number
    json?: string
    elasticsearch?: boolean
  }>()

const home = mkdtempSync(join(tmpdir(), 'prowl-load-'))
const children = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(home, { recursive: true, force: true, maxRetries: 3 })
})
if (needsBuild(process.cwd())) throw new Error('the app is not built; npm run build')
if (options.elasticsearch && !hasElasticsearch()) throw new Error(NO_ELASTICSEARCH)

const bucket = join(home, 'bucket')
await generateSample({ dir: bucket, seed: 1750890, end: Date.now(), scale: options.scale })
const cluster = options.elasticsearch ? await startCluster() : undefined
const env = {
  ...process.env,
  ...cluster?.env,
  PROWL_DATA: home,
  PROWL_LOG_LEVEL: 'error',
  NEXT_TELEMETRY_DISABLED: '1',
}
const port = await freePort()
const base = `http://127.0.0.1:${port}`
const worker = start(['ingest/main.ts', '--bucket', bucket, '--since', 'all', '--follow', '--every', '1s'])
const server = start([`--max-old-space-size=${SERVED_HEAP_MIB}`, NEXT, 'start', '-p', String(port)])
const shown = join('dir', basename(bucket), runsIn(bucket)[0] ?? '')
readRun(shown)
while ((await ask(base, 'run', `/runs/${shown}`)).status !== 200) await sleep(500)

const answers: Answer[] = []
const away: Answer[] = []
let isAway = false
const memory = { server: [] as Sample[], worker: [] as Sample[] }
const began = performance.now()
const stop = new AbortController()
const timer = setInterval(sample, 1000)
const readers = Array.from({ length: options.readers }, (_, seed) =>
  reader(
    base,
    { seed, thinkMs: options.think, stop: stop.signal },
    (answer) => void (isAway ? away : answers).push(answer),
  ),
)
const growing = grow(bucket, stop.signal, readSoFar)
const part = (share: number) => sleep(share * options.minutes * 60_000)
await part(0.4)
const bursting = await burst(base, options.burst)
await part(0.1)
if (cluster) await outage()
await part(0.4)
stop.abort()
await Promise.all(readers)
clearInterval(timer)
await growing
const runs = countRuns(bucket)
// What is waiting is read, whatever went away meanwhile.
for (let waited = 0; (await readSoFar()) < runs && waited < 600; waited++) await sleep(1000)
tell(await readSoFar())
for (const child of children) child.kill('SIGTERM')
await cluster?.stop()

function start(args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
  children.add(child)
  child.once('close', (code) => {
    children.delete(child)
    if (!stop.signal.aborted) {
      console.error(`load: ${args.join(' ')} ended with ${code}`)
      process.exit(1)
    }
  })
  return child
}

async function startCluster() {
  const node = await startElasticsearch({ dir: home, jvm: SERVER_JVM })
  const proxy = await startFaultProxy(node.url)
  const named = { PROWL_STORE: 'elasticsearch', ELASTICSEARCH_URL: proxy.endpoint, ELASTICSEARCH_PREFIX: 'load' }
  return {
    env: named,
    breaks: (breaks: boolean) => proxy.random(breaks ? { seed: 1, share: 1, kinds: [{ kind: 'reset' }] } : undefined),
    stop: async () => {
      await proxy.close()
      await node.stop()
    },
  }
}

/** Answers that are under way at either end belong to neither. */
async function outage(): Promise<void> {
  isAway = true
  cluster?.breaks(true)
  await part(0.1)
  cluster?.breaks(false)
  await sleep(5000)
  isAway = false
}

async function readSoFar(): Promise<number> {
  const answer = await fetch(`${base}/api/v1/status`).catch(() => undefined)
  if (!answer?.ok) return 0
  const { store } = (await answer.json()) as { store?: { runs?: Record<string, number> } }
  return Object.values(store?.runs ?? {}).reduce((sum, count) => sum + count, 0)
}

function sample(): void {
  const minutes = (performance.now() - began) / 60_000
  for (const [name, { pid = 0 }] of [
    ['server', server],
    ['worker', worker],
  ] as const)
    memory[name].push({ minutes, mib: residentMib(pid) })
}

function isRefused({ status, polite }: Answer): boolean {
  return (status === 429 || status === 503) && polite
}

function tell(read: number): void {
  const bad = [...answers, ...bursting].filter((answer) => answer.status !== 200 && !isRefused(answer))
  const impolite = away.filter((answer) => answer.status !== 200 && !isRefused(answer))
  const figures = {
    store: cluster ? 'elasticsearch' : 'embedded',
    ...options,
    cores: availableParallelism(),
    load: loadavg()[0],
    pages: figuresOf(answers),
    burst: figuresOf(bursting),
    ...(cluster && { away: figuresOf(away) }),
    memorySamples: memory,
    memory: { server: memoryFigures(memory.server), worker: memoryFigures(memory.worker) },
    runs: { there: runs, read, aMinute: Math.round(read / ((performance.now() - began) / 60_000)) },
    bad: bad.length,
  }
  if (options.json) writeFileSync(options.json, `${JSON.stringify(figures, null, 2)}\n`)
  for (const [name, { answers: all, byStatus, p50, p95 }] of Object.entries({ ...figures.pages, ...figures.burst }))
    console.log(
      `${name.padEnd(14)}${String(all).padStart(7)}  p50 ${p50} ms, p95 ${p95} ms  ${JSON.stringify(byStatus)}`,
    )
  for (const [name, figure] of Object.entries(figures.memory)) console.log(memoryWords(name, figure))
  console.log(`runs: ${read} of ${runs} read; answers that are errors: ${bad.length}; while away: ${impolite.length}`)
  const isFlat = Object.values(figures.memory).every(({ slope }) => slope <= FLAT_MIB_A_MINUTE)
  const holds = bad.length === 0 && impolite.length === 0 && read === runs
  process.exitCode = holds && (isFlat || options.minutes < SHORT_MINUTES) ? 0 : 1
}

function memoryWords(name: string, { slope, last, most }: MemoryFigures): string {
  return `${name.padEnd(14)}${last.toFixed(0)} MiB at last, ${most.toFixed(0)} at most, ${slope.toFixed(2)} MiB a minute`
}
