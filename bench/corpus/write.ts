import { closeSync, linkSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { type LogPlan, logText } from './log-text.ts'
import { planDay } from './plan.ts'
import { JOBS } from './words.ts'

/** The same logs three times over, sharing what they can by hard links. */
export interface Folders {
  /** As they are: what plain ripgrep searches. */
  readonly plain: string
  /** Those over 1 MiB gzipped, as ci-search keeps them. */
  readonly ciSearch: string
  /** A bucket of runs; its logs are ci-search's files. */
  readonly bucket: string
}

export interface Written {
  readonly logs: number
  readonly bytes: number
  readonly lines: number
}

const GZIP_OVER = 1024 * 1024
const SNOWFLAKE_EPOCH = 1_288_834_974_657
const RUN_SECONDS = 1800

const compress = promisify(gzip)

export function foldersOf(dir: string): Folders {
  return { plain: join(dir, 'plain'), ciSearch: join(dir, 'ci-search'), bucket: join(dir, 'bucket') }
}

/** Writes the logs of one day. One log is compressed while the next is made. */
export async function writeDay(folders: Folders, seed: number, day: number, bytes: number): Promise<Written> {
  const plans = planDay(seed, day, bytes)
  const total = { logs: plans.length, bytes: 0, lines: 0 }
  for (const folder of [folders.plain, folders.ciSearch]) mkdirSync(folder, { recursive: true })
  let compressing: Promise<void> = Promise.resolve()
  for (const plan of plans) {
    const name = `${plan.day}-${String(plan.index).padStart(6, '0')}.txt`
    const path = join(folders.plain, name)
    const pieces = [...logText(seed, plan)].map((text) => Buffer.from(text))
    writePieces(path, pieces)
    for (const piece of pieces) {
      total.bytes += piece.length
      total.lines += newlines(piece)
    }
    await compressing
    compressing = keep(folders, plan, { path, name, pieces })
  }
  await compressing
  return total
}

interface Log {
  readonly path: string
  readonly name: string
  readonly pieces: readonly Buffer[]
}

async function keep({ ciSearch, bucket }: Folders, plan: LogPlan, { path, name, pieces }: Log): Promise<void> {
  const whole = Buffer.concat(pieces)
  const kept = join(ciSearch, whole.length > GZIP_OVER ? `${name}.gz` : name)
  if (whole.length > GZIP_OVER) writeFileSync(kept, await compress(whole))
  else linkSync(path, kept)
  const log = join(bucket, runPath(plan), 'build-log.txt')
  mkdirSync(dirname(log), { recursive: true })
  linkSync(kept, log)
  const started = Math.floor(plan.start / 1000)
  const result = plan.index % 3 === 0 ? 'SUCCESS' : 'FAILURE'
  const finished = { timestamp: started + RUN_SECONDS, passed: result === 'SUCCESS', result }
  writeFileSync(join(dirname(log), 'started.json'), JSON.stringify({ timestamp: started }))
  writeFileSync(join(dirname(log), 'finished.json'), JSON.stringify(finished))
}

function runPath({ start, index }: LogPlan): string {
  return `logs/${JOBS[index % JOBS.length]}/${(BigInt(start - SNOWFLAKE_EPOCH) << 22n) | 4096n}`
}

function writePieces(path: string, pieces: readonly Buffer[]): void {
  const file = openSync(path, 'w')
  try {
    for (const piece of pieces) writeSync(file, piece)
  } finally {
    closeSync(file)
  }
}

function newlines(piece: Buffer): number {
  let count = 0
  for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, at + 1)) count++
  return count
}
