import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import { verifyDirectory } from '#lib/store/embedded/verify/verify.ts'
import { freePort } from '#lib/testing/free-port.ts'
import { generateSample } from '#lib/testing/sample/generate.ts'
import { NEXT } from '../start/processes.ts'

/** Reads every block: no word in it tells where to look. */
const SLOW = '/api/v1/search?search=%5B0-9%5D%7B4%7D.*%5Ba-z%5D&maxAge=365d'
const ASKED = '/api/v1/search?search=EOF%7Cerror&maxAge=365d&format=text'
const SEARCHES_AT_ONCE = 6
const LONGEST_MS = 1500

export interface ServerKillOptions {
  /** An empty directory. */
  readonly root: string
  readonly kills: number
  readonly seed: number
  readonly onProgress?: (line: string) => void
}

export interface ServerKillReport {
  readonly kills: number
  /** Requests that were under way when the server was killed, all kills together. */
  readonly cutOff: number
  /** Evidence whose freezing was answered, and of it what was not there afterwards. */
  readonly frozen: number
  readonly lost: number
  /** Servers that told other hits than the first. */
  readonly different: number
  readonly faults: readonly string[]
}

/** The web server, killed amid searches and while people freeze evidence; a worker follows its bucket beside it. */
export async function serverKilled({ root, kills, seed, onProgress }: ServerKillOptions): Promise<ServerKillReport> {
  const bucket = join(root, 'sample')
  const dataDir = join(root, 'data')
  await generateSample({ dir: bucket, seed: 11, end: Date.now(), scale: 0.01 })
  const ingest = ['ingest/main.ts', '--bucket', bucket, '--since', 'all', '--data', dataDir]
  const [status] = await once(start(ingest, dataDir), 'close')
  if (status !== 0) throw new Error(`the worker ended with ${status}`)
  const worker = start([...ingest, '--follow', '--every', '1s'], dataDir)
  const random = xoroshiro128plus(seed)
  const report = { kills: 0, cutOff: 0, frozen: 0, lost: 0, different: 0, faults: [] as string[] }
  const frozen: string[] = []
  let expected: string | undefined
  let server: Awaited<ReturnType<typeof served>> | undefined
  try {
    for (; report.kills <= kills; report.kills++) {
      server = await served(dataDir)
      const hits = await hitsAt(server.base)
      expected ??= hits
      if (hits !== expected) report.different++
      report.lost += await lacking(server.base, frozen)
      const last = report.kills === kills
      if (!last) report.cutOff += await killedAmid(server, uniformInt(random, 0, LONGEST_MS), frozen)
      server.child.kill('SIGKILL')
      await once(server.child, 'close')
      report.faults.push(...(await verifyDirectory(dataDir)).faults.map(({ code, detail }) => `${code} ${detail}`))
      if (last) break
      onProgress?.(`the server was killed ${report.kills + 1} times of ${kills}`)
    }
  } finally {
    server?.child.kill('SIGKILL')
    worker.kill('SIGKILL')
  }
  return { ...report, frozen: frozen.length }
}

function start(args: readonly string[], dataDir: string) {
  const env = { ...process.env, PROWL_DATA: dataDir, PROWL_LOG_LEVEL: 'error', NEXT_TELEMETRY_DISABLED: '1' }
  return spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
}

async function served(dataDir: string) {
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const child = start([NEXT, 'start', '-p', String(port)], dataDir)
  while (!(await fetch(`${base}/readyz`).catch(() => undefined))?.ok) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`)
    await sleep(50)
  }
  return { base, child }
}

async function hitsAt(base: string): Promise<string> {
  const text = await (await fetch(base + ASKED)).text()
  if (!/EOF|error/.test(text)) throw new Error(`a search found nothing: ${text}`)
  return text
}

async function lacking(base: string, frozen: readonly string[]): Promise<number> {
  const answers = await Promise.all(frozen.map(async (id) => (await fetch(`${base}/api/v1/evidence/${id}`)).status))
  return answers.filter((status) => status !== 200).length
}

/** How many requests came to no end since the server was killed `ms` after they began. */
async function killedAmid(
  { base, child }: Awaited<ReturnType<typeof served>>,
  ms: number,
  frozen: string[],
): Promise<number> {
  let isOver = false
  let cutOff = 0
  const again = async (ask: (n: number) => Promise<void>) => {
    for (let n = 0; !isOver; n++) await ask(n).catch(() => void cutOff++)
  }
  const searching = Array.from({ length: SEARCHES_AT_ONCE }, (_, i) =>
    again(async (n) => void (await (await fetch(`${base}${SLOW}&context=${i % 3}&x=${n}`)).text())),
  )
  const freezing = again(async (n) => {
    const query = `search=boskos%7Cx${child.pid}x${n}&maxAge=14d`
    const answer = await fetch(`${base}/api/v1/evidence`, { method: 'POST', body: JSON.stringify({ query }) })
    if (answer.status !== 201) return void (await sleep(50))
    const { evidence } = (await answer.json()) as { evidence: { id: string } }
    frozen.push(evidence.id)
  })
  await sleep(ms)
  isOver = true
  child.kill('SIGKILL')
  await Promise.all([...searching, freezing])
  return cutOff
}
