import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Processes } from '../start/processes.ts'
import { serveApp } from '../testing/app.ts'
import { type HostileBucket, writeHostileBucket } from './bucket.ts'

export interface Ended {
  readonly code: number | null
  /** All that it printed. */
  readonly told: string
  /** Resident memory at most, MiB. */
  readonly mib: number
}

export interface Served {
  readonly root: string
  readonly bucket: string
  readonly data: string
  readonly base: string
  /** Runs that the bucket holds under names that Prow may give. */
  readonly runs: number
  readonly ingest: Ended
  /** What was asked of addresses that objects and readers name. */
  readonly asked: readonly string[]
  readonly canary: string
  command(...args: string[]): Promise<Ended>
  stop(): Promise<void>
}

/** Stands in a file beside the bucket and in the canary's answers: nobody is ever told. */
export const SECRET = 'prowl-secret'

/** What one client may ask a minute. */
export const PACE = { requests: 20, searches: 5 } as const

const PEAK = 'data:text/javascript,process.on("exit",()=>console.error(process.resourceUsage().maxRSS,"KiB at most"))'

/** A hostile bucket, read by the worker and served by the built app, both of so much heap (MiB) at most. */
export async function serveHostile(
  sizes: Pick<HostileBucket, 'fuzzed' | 'bombBytes' | 'lineBytes' | 'tinyLines'>,
  heap: number,
): Promise<Served> {
  const root = mkdtempSync(join(tmpdir(), 'prowl-hostile-'))
  const [bucket, data, secret] = [join(root, 'bucket'), join(root, 'data'), join(root, 'beside', 'secret.txt')]
  mkdirSync(join(secret, '..'), { recursive: true })
  writeFileSync(secret, `${SECRET}\n`)
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.end(SECRET)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const canary = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const runs = await writeHostileBucket({ dir: bucket, secret, canary, ...sizes }, Date.now())
  // Who says to come through a proxy is a client, and this host itself is not limited.
  const limits = {
    PROWL_PROXIES: '1',
    PROWL_PACE_REQUESTS: String(PACE.requests),
    PROWL_PACE_SEARCHES: String(PACE.searches),
  }
  const env = { ...process.env, ...limits, PROWL_DATA: data, NO_PROXY: '*', PROWL_LOG_LEVEL: 'warn' }
  const node = [`--max-old-space-size=${heap}`]
  const command = async (...args: string[]) => await ended([...node, '--import', PEAK, ...args], env)
  const processes = new Processes()
  const ingest = await command('ingest/main.ts', '--bucket', bucket, '--since', 'all')
  const base = await serveApp(processes, { env, node })
  const stop = async () => {
    await processes.stop(10_000)
    server.close()
    rmSync(root, { recursive: true, force: true, maxRetries: 3 })
  }
  return { root, bucket, data, base, runs, ingest, asked, canary, command, stop }
}

async function ended(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let told = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      told += chunk
    })
  const [code] = await once(child, 'close')
  return { code, told, mib: Number(/(\d+) KiB at most/.exec(told)?.[1]) / 1024 }
}
