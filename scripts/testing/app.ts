import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../start/checks.ts'
import { NEXT, type Processes } from '../start/processes.ts'

export interface AppOptions {
  /** Of the worker, as on its command line. */
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  /** Options of Node for both. */
  readonly node?: readonly string[]
}

/** One pass of the worker, then the built app, as processes of their own; where it answers. Throws where either ends badly. */
export async function readAndServe(processes: Processes, { args, env, node = [] }: AppOptions): Promise<string> {
  await succeed(processes, [...node, 'ingest/main.ts', ...args], env)
  return await serveApp(processes, { env, node })
}

/** The built app as a process of its own; where it answers. Throws where it ends. */
export async function serveApp(processes: Processes, { env, node = [] }: Omit<AppOptions, 'args'>): Promise<string> {
  const port = await freePort(0)
  const base = `http://127.0.0.1:${port}`
  const server = processes.run([...node, NEXT, 'start', '-p', String(port)], env, 'stdout')
  const ended = server.then((code) => Promise.reject(new Error(`the app ended with ${code}`)))
  await Promise.race([ended, listening(base)])
  return base
}

export async function succeed(processes: Processes, args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const code = await processes.run(args, { ...env, NEXT_TELEMETRY_DISABLED: '1' }, 'all')
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`)
}

async function listening(base: string): Promise<void> {
  const answers = () =>
    fetch(`${base}/api/v1/status`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await answers())) await sleep(100)
}
