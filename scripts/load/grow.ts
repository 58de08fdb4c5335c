import { linkSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Of snowflakes, ms are shifted by so many bits: https://pkg.go.dev/github.com/bwmarrin/snowflake */
const MS_BITS = 22n

/** How many runs a directory bucket holds, pull requests' too. */
export function countRuns(bucket: string): number {
  const entries = readdirSync(bucket, { recursive: true, withFileTypes: true })
  // Numbers of pull requests are directories, too, but hold no files of their own.
  const holders = entries.filter((entry) => entry.isFile()).map(({ parentPath }) => parentPath)
  return new Set(holders.filter((path) => /\/\d+$/.test(path))).size
}

/** Runs of a directory bucket's periodic jobs, as paths below it. */
export function runsIn(bucket: string): string[] {
  const jobs = readdirSync(join(bucket, 'logs'))
  return jobs.flatMap((job) =>
    readdirSync(join(bucket, 'logs', job))
      .filter((id) => /^\d{19}$/.test(id))
      .map((id) => join('logs', job, id)),
  )
}

/** Runs come as fast as they are read: each again under another id, its files the same. */
export async function grow(bucket: string, stop: AbortSignal, read: () => Promise<number>): Promise<void> {
  const first = runsIn(bucket)
  let there = countRuns(bucket)
  for (let turn = 1n; !stop.aborted; turn++)
    for (let at = 0; at < first.length && !stop.aborted; at++) {
      while (at % 100 === 0 && !stop.aborted && there - (await read()) > AHEAD) await sleep(200)
      const path = first[at] as string
      copyRun(
        bucket,
        path,
        path.replace(/\d+$/, (id) => String(BigInt(id) + (turn << MS_BITS))),
      )
      there++
    }
}

/** The worker never waits for runs. */
const AHEAD = 400

function copyRun(bucket: string, from: string, to: string): void {
  const entries = readdirSync(join(bucket, from), { withFileTypes: true, recursive: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  for (const file of files) {
    const target = join(bucket, to, file.slice(join(bucket, from).length))
    mkdirSync(join(target, '..'), { recursive: true })
    linkSync(file, target)
  }
}
