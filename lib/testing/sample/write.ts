import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { SampleObject } from './files.ts'
import type { Planned } from './plan.ts'
import { BUCKET } from './records.ts'

/** Writes objects as files whose modification time is their upload's, so that their generation never changes. */
export function makeWriter(dir: string) {
  const made = new Set<string>()
  const write = (name: string, bytes: Buffer | string, at: number) => {
    const file = join(dir, name)
    const parent = dirname(file)
    if (!made.has(parent)) {
      mkdirSync(parent, { recursive: true })
      made.add(parent)
    }
    writeFileSync(file, bytes)
    utimesSync(file, at / 1000, at / 1000)
  }
  return {
    writeRun(run: Planned, objects: readonly SampleObject[]): void {
      for (const { name, bytes } of objects) write(`${run.path}/${name}`, bytes, run.end)
    },
    /** The pointers of presubmits and the `latest-build.txt` files: bare ids, the last writer's. */
    writePointers(runs: readonly Planned[]): void {
      const latest = new Map<string, Planned>()
      for (const run of runs) {
        for (const name of latestNames(run)) latest.set(name, run)
        if (run.type === 'presubmit') {
          write(`pr-logs/directory/${run.job.name}/${run.buildId}.txt`, `gs://${BUCKET}/${run.path}`, run.end)
        }
      }
      for (const [name, run] of latest) write(name, run.buildId, run.end)
    },
  }
}

function latestNames({ job, type, path }: Planned): string[] {
  if (type === 'periodic' || type === 'postsubmit') return [`logs/${job.name}/latest-build.txt`]
  const directory = `pr-logs/directory/${job.name}/latest-build.txt`
  return type === 'batch' ? [directory] : [directory, `${dirname(path)}/latest-build.txt`]
}
