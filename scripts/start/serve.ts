import { request } from 'undici'
import type { Config } from '#lib/config.ts'
import type { StartOptions } from '../start.ts'
import { needsBuild } from './build.ts'
import { checkDataDir, freePort } from './checks.ts'
import { Processes } from './processes.ts'
import { sampleBucket } from './sample.ts'

const NEXT = 'node_modules/next/dist/bin/next'
const GRACE_MS = 20_000

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
  const build = needsBuild(process.cwd()) ? processes.run([NEXT, 'build'], env, { quiet: true }) : Promise.resolve(0)
  const sample = options.bucket ? undefined : await sampleBucket(config.dataDir, Date.now())
  const bucket = options.bucket ?? sample?.dir ?? ''

  if (sample) {
    const first = await processes.run(ingestArgs(bucket, { ...options, since: options.since ?? 'all' }), env)
    if (first !== 0) return first
  }
  const slow = setTimeout(() => console.log('Building the web app …'), 500)
  const built = await build
  clearTimeout(slow)
  if (built !== 0) return built

  const server = processes.run([NEXT, 'start', '-p', String(port)], env, { quiet: true })
  const follow = keepFollowing(
    [...ingestArgs(bucket, { ...options, ...(sample ? { since: 'all' } : {}) }), '--follow', '--every', options.every],
    env,
    processes,
  )
  if (await answers(`http://127.0.0.1:${port}/api/v1/status`, server)) {
    console.log(
      `\nprowl is at http://localhost:${port}${sample ? ` (sample data up to ${new Date(sample.end).toISOString().slice(0, 16)}Z; real logs: npm start -- --bucket gs://…)` : ''}\nCtrl-C ends it.`,
    )
  }
  return Promise.race([server.then((code) => code || 1), follow])
}

function ingestArgs(bucket: string, options: Partial<StartOptions>): string[] {
  const args = ['ingest/main.ts', '--bucket', bucket]
  if (options.jobs) args.push('--jobs', options.jobs)
  if (options.excludeJobs) args.push('--exclude-jobs', options.excludeJobs)
  if (options.since) args.push('--since', options.since)
  return args
}

/** Restarts a worker that dies of a fault, ever more slowly; a refusal (status 2) ends it all. */
async function keepFollowing(args: readonly string[], env: NodeJS.ProcessEnv, processes: Processes): Promise<number> {
  for (let waitMs = 5_000; ; waitMs = Math.min(waitMs * 2, 300_000)) {
    const code = await processes.run(args, env)
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
