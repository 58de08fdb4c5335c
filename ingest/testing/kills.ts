import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import { isProwlError } from '#lib/errors.ts'
import { verifyDirectory } from '#lib/store/embedded/verify/verify.ts'
import { openStore } from '#lib/store/open.ts'
import { generateSample } from '#lib/testing/sample/generate.ts'
import { catalogueOf } from './catalogue-of.ts'

/** Node itself needs about so long to start. */
const FIRST_MS = 150
/** A life ends within this share of what reading everything takes. */
const SHARE = 0.8
/** Then the directory is finished, compared, and another begun: later kills would strike workers that have nothing left to do. */
const KILLS_EACH = 5

export interface KillOptions {
  /** An empty directory. */
  readonly root: string
  readonly kills: number
  readonly seed: number
  /** Of the sample bucket. */
  readonly scale: number
  readonly onProgress?: (line: string) => void
}

export interface KillReport {
  readonly kills: number
  /** Of them those that struck once the worker had made its files. */
  readonly whileWorking: number
  /** Data directories that were filled, each by workers that were killed and a last one that was not. */
  readonly directories: number
  /** Of these those that tell something else than an undisturbed worker's. */
  readonly different: number
  /** What npm run verify finds, after kills and in the end. */
  readonly faults: readonly string[]
  readonly runs: number
  readonly hits: number
}

/** The real worker, killed (SIGKILL) at random moments and then left to finish, again and again until there were enough kills. */
export async function killed({ root, kills, seed, scale, onProgress }: KillOptions): Promise<KillReport> {
  const bucket = join(root, 'sample')
  await generateSample({ dir: bucket, seed: 11, end: Date.now(), scale })
  const calm = join(root, 'calm')
  const began = performance.now()
  await live(bucket, calm)
  const longest = Math.max(FIRST_MS * 4, Math.round((performance.now() - began) * SHARE))
  const expected = await told(calm)
  const random = xoroshiro128plus(seed)
  const report = { kills: 0, whileWorking: 0, directories: 0, different: 0, faults: [] as string[] }
  while (report.kills < kills) {
    const dataDir = join(root, `killed-${report.directories++}`)
    const enough = Math.min(kills, report.kills + KILLS_EACH)
    while (report.kills < enough && (await live(bucket, dataDir, uniformInt(random, FIRST_MS, longest))) === 'killed') {
      report.kills++
      if (existsSync(join(dataDir, 'catalogue.sqlite'))) report.whileWorking++
      // Every other time, so that workers too find what was left as it was left.
      if (report.kills % 2 === 0) report.faults.push(...(await faultsOf(dataDir)))
      onProgress?.(`${report.kills} of ${kills} kills, ${report.directories} directories`)
    }
    await live(bucket, dataDir)
    report.faults.push(...(await faultsOf(dataDir)))
    if (!isDeepStrictEqual(await told(dataDir), expected)) report.different++
    await rm(dataDir, { recursive: true })
  }
  return { ...report, runs: expected.runs.length, hits: expected.hits }
}

/** A life of the worker, ended by SIGKILL after so many ms unless it is done before. */
async function live(bucket: string, dataDir: string, ms?: number): Promise<'killed' | 'done'> {
  const args = ['ingest/main.ts', '--bucket', bucket, '--since', 'all', '--data', dataDir]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (text) => {
    said += text
  })
  const ended = once(child, 'close')
  if (ms !== undefined) {
    await Promise.race([ended, sleep(ms)])
    child.kill('SIGKILL')
  }
  const [status, signal] = await ended
  if (signal === 'SIGKILL') return 'killed'
  if (status !== 0) throw new Error(`the worker ended with ${status}: ${said}`)
  return 'done'
}

async function faultsOf(dataDir: string): Promise<string[]> {
  const report = await verifyDirectory(dataDir).catch((error: unknown) => {
    // Killed before it had made a catalogue, or anything in it.
    if (isProwlError(error) && error.code === 'CONFIG_INVALID') return { faults: [] }
    throw error
  })
  return report.faults.map(({ code, file, detail }) => `${code} ${file}: ${detail}`)
}

async function told(dataDir: string) {
  const store = await openStore({ dataDir, mode: 'read' })
  try {
    const { hits, logs, problemCount, truncatedLogs, brokenLogs } = await store.status()
    return {
      ...{ hits, logs, problemCount, truncatedLogs, brokenLogs },
      ...(await catalogueOf(store, 'dir://sample', ['signatures'])),
    }
  } finally {
    await store.close()
  }
}
