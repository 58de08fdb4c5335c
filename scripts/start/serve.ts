import { request } from 'undici'
import type { Config } from '#lib/config.ts'
import type { StartOptions } from '../start.ts'
import { needsBuild } from './build.ts'
import { checkDataDir, freePort } from './checks.ts'
import { NEXT, Processes } from './processes.ts'
import { sampleBucket } from './sample.ts'

const GRACE_MS = 20_000
/** An edit of a signature is tried by its address: 64 KiB of YAML, each byte escaped to three. */
const HEADER_BYTES = 256 * 1024

/** Everything that `npm start` does, until a signal ends it. Gives the exit status. */
export async function serve(options: StartOptions, config: Config, env: NodeJS.ProcessEnv): Promise<number> {
  checkDataDir(config.dataDir)
  const port = await freePort(config.port)
  const processes = new Processes()
  const stopped = onSignal(processes)
  const childEnv = { ...env, PROWL_DATA: config.dataDir, PORT: String(port), NEXT_TELEMETRY_DISABLED: '1' }

  const status = await Promise.race([stopped, run(options, config, childEnv, port, processes)])
  await processes.stop(GRACE_MS)
  return status
}

async function run(
  options: StartOptions,
  config: Config,
  env: NodeJS.ProcessEnv,
  port: number,
  processes: Processes,
): Promise<number> {
  const build = buildIfNeeded(env, processes)
  const sample = options.bucket || options.preset ? undefined : await sampleBucket(config.dataDir, Date.now())
  const args = ingestArgs(sample ? { since: 'all', ...options, bucket: sample.dir } : options)

  // Whether or not it is a terminal that they look at.
  const workerEnv = { PROWL_LOG_FORMAT: 'words', ...env }
  if (sample) {
    const firstPass = await processes.run(args, workerEnv)
    if (firstPass !== 0) return firstPass
  }
  let opened = () => {}
  const reading = new Promise<void>((resolve) => {
    opened = () => resolve()
  })
  const follow = keepFollowing([...args, '--follow', '--every', options.every], workerEnv, processes, opened)
  const refused = await Promise.race([build.then(async (code) => code || (await reading) || undefined), follow])
  if (refused !== undefined) return refused

  const server = processes.run(
    [`--max-http-header-size=${HEADER_BYTES}`, NEXT, 'start', '-p', String(port)],
    env,
    'stdout',
  )
  if (await answers(`http://127.0.0.1:${port}/api/v1/status`, server)) console.log(greeting(port, sample?.end))
  return Promise.race([server.then((code) => code || 1), follow])
}

async function buildIfNeeded(env: NodeJS.ProcessEnv, processes: Processes): Promise<number> {
  if (!needsBuild(process.cwd())) return 0
  console.log('Building the web app')
  return processes.run([NEXT, 'build'], env, 'all')
}

function greeting(port: number, sampleEnd: number | undefined): string {
  const about =
    sampleEnd === undefined
      ? ''
      : `\nSample data up to ${new Date(sampleEnd).toISOString().slice(0, 16)}Z; for real logs: npm start -- --bucket gs://NAME`
  return `\nprowl is at http://localhost:${port}${about}\nCtrl-C ends it.`
}

const INGEST_FLAGS = {
  bucket: '--bucket',
  preset: '--preset',
  deck: '--deck',
  auth: '--auth',
  jobs: '--jobs',
  excludeJobs: '--exclude-jobs',
  since: '--since',
  backfill: '--backfill',
  keepDays: '--keep-days',
  maxBandwidth: '--max-bandwidth',
} as const

function ingestArgs(options: Partial<StartOptions>): string[] {
  const flags = Object.entries(INGEST_FLAGS) as [keyof typeof INGEST_FLAGS, string][]
  return ['ingest/main.ts', ...flags.flatMap(([name, flag]) => (options[name] ? [flag, options[name]] : []))]
}

/** Restarts a worker that dies of a fault, ever more slowly; a refusal (status 2) ends it all. `opened`: it begins to read. */
async function keepFollowing(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  processes: Processes,
  opened: () => void,
): Promise<number> {
  for (let waitMs = 5_000; ; waitMs = Math.min(waitMs * 2, 300_000)) {
    const code = await processes.run(args, env, 'nothing', opened)
    if (processes.stopping || code === 2) return code
    console.error(`The ingest worker ended with status ${code}; starting it again in ${waitMs / 1000} s`)
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
}

/** Whether the server answers before it ends. */
async function answers(url: string, server: Promise<number>): Promise<boolean> {
  let ended = false
  void server.then(() => {
    ended = true
  })
  while (!ended) {
    const status = await request(url).then(
      async ({ statusCode, body }) => {
        await body.dump()
        return statusCode
      },
      () => 0,
    )
    if (status > 0) return true
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return false
}

/** Resolves to 0 at the first Ctrl-C or SIGTERM; a second one kills what is left at once. */
function onSignal(processes: Processes): Promise<number> {
  return new Promise((resolve) => {
    const handle = () => {
      if (processes.stopping) processes.signal('SIGKILL')
      processes.stopping = true
      resolve(0)
    }
    process.on('SIGINT', handle)
    process.on('SIGTERM', handle)
  })
}
