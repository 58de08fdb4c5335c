import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from '@elastic/elasticsearch'
import { classPath, findTools } from './elasticsearch/install.ts'
import { freePort } from './free-port.ts'

/** A real Elasticsearch node, for tests and the bench. */
export interface Elasticsearch {
  /** e.g. `http://127.0.0.1:34567` */
  readonly url: string
  /** A prefix that no other test uses, as long as one may be. */
  newPrefix(): string
  /**
   * Ends the node and removes its data. Of one that ELASTICSEARCH_URL names, deletes the indices and templates below the
   * prefixes that were given out.
   */
  stop(): Promise<void>
}

export interface NodeOptions {
  /** Its data directory is made below. */
  readonly dir?: string
  /** Options of the Java virtual machine: SERVER_JVM, or those that start it soonest. */
  readonly jvm?: readonly string[]
}

export const NO_ELASTICSEARCH =
  'Elasticsearch is missing; install Maven and a JDK of 21 or later, or set ELASTICSEARCH_URL'
const READY_MS = 120_000
const LONGEST_PREFIX = 50
const MEMORY_BYTES = 2 ** 31
const FLAGS = ['--enable-native-access=ALL-UNNAMED', '--add-modules', 'jdk.incubator.vector']
/** As a server runs, with compose.yaml's heap: to measure with. */
export const SERVER_JVM = ['-Xms2g', '-Xmx2g']
/** Starts soonest, and is slow. */
const SOON = ['-Xmx1g', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1']

/** Whether a node can be had here: ELASTICSEARCH_URL, or a JDK and Maven. Where not, CI=true throws: nothing is skipped there. */
export function hasElasticsearch(): boolean {
  const found = process.env.ELASTICSEARCH_URL !== undefined || findTools() !== undefined
  if (!found && process.env.CI === 'true') throw new Error(NO_ELASTICSEARCH)
  return found
}

/**
 * The node that ELASTICSEARCH_URL names, or one started now on a free port, with an empty data directory below `dir` (5 s;
 * half a minute more the first time). It ends with this process, however that ends.
 */
export async function startElasticsearch({ dir = quickDir(), jvm = SOON }: NodeOptions = {}): Promise<Elasticsearch> {
  const { prefixes, newPrefix } = prefixesOf(randomBytes(5).toString('hex'))
  const given = process.env.ELASTICSEARCH_URL
  if (given !== undefined) return { url: given, newPrefix, stop: () => removeBelow(given, prefixes) }
  const tools = findTools()
  if (!tools) throw new Error(NO_ELASTICSEARCH)
  const path = classPath(tools)
  const home = mkdtempSync(join(dir, 'prowl-elasticsearch-'))
  const port = await freePort()
  const args = [...FLAGS, ...jvm, '-cp', path, 'prowl.Main', home, String(port)]
  const child = spawn(join(tools.jdk, 'bin', 'java'), args, {
    // It ends when its standard input does: so it outlives no process that is killed.
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const end = () => {
    child.kill('SIGKILL')
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  }
  // Before whoever made `dir` removes it.
  process.prependOnceListener('exit', end)
  const url = `http://127.0.0.1:${port}`
  await ready(child, url)
  return {
    url,
    newPrefix,
    stop: async () => {
      child.kill('SIGKILL')
      await ended
      process.off('exit', end)
      end()
    },
  }
}

function prefixesOf(session: string) {
  const prefixes: string[] = []
  const newPrefix = () => {
    const prefix = `test_${session}_${prefixes.length}_`.padEnd(LONGEST_PREFIX, 'x')
    prefixes.push(prefix)
    return prefix
  }
  return { prefixes, newPrefix }
}

/** By name, since clusters refuse to delete by pattern. */
async function removeBelow(url: string, prefixes: readonly string[]): Promise<void> {
  const client = new Client({ node: url })
  try {
    for (const prefix of prefixes) {
      const indices = Object.keys(await client.indices.get({ index: `${prefix}-*` }))
      if (indices.length > 0) await client.indices.delete({ index: indices })
      const { index_templates: templates } = await client.indices.getIndexTemplate({ name: `${prefix}-*` })
      await Promise.all(templates.map(({ name }) => client.indices.deleteIndexTemplate({ name })))
    }
  } finally {
    await client.close()
  }
}

/** In memory where there is room, since each write waits for the disk: tests take half the time. */
function quickDir(): string {
  const memory = '/dev/shm'
  if (!existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > MEMORY_BYTES ? memory : tmpdir()
}

async function ready(child: ChildProcess, url: string): Promise<void> {
  const said = Promise.all([child.stdout, child.stderr].map((stream) => (stream ? text(stream) : '')))
  for (const until = performance.now() + READY_MS; performance.now() < until; await sleep(100)) {
    if (child.exitCode !== null) throw new Error(`Elasticsearch ended with ${child.exitCode}: ${(await said).join('')}`)
    const answer = await fetch(`${url}/_cluster/health`).catch(() => undefined)
    if (answer?.ok) return
  }
  child.kill('SIGKILL')
  throw new Error(`Elasticsearch did not get ready: ${(await said).join('')}`)
}
