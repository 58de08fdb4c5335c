import { runIngest } from '#ingest/run-ingest.ts'
import type { ElasticOptions } from '#lib/store/elastic/connect.ts'
import { type Folders, type Written, writeDay } from './corpus/write.ts'

/** What is done in a process of its own, so that its memory is its own. */
export type Task =
  | {
      readonly do: 'write'
      readonly folders: Folders
      readonly seed: number
      readonly day: number
      readonly bytes: number
    }
  | {
      readonly do: 'ingest'
      readonly bucket: string
      readonly dataDir: string
      /** The cluster that holds the data instead. */
      readonly elastic?: ElasticOptions
      readonly signatureDirs: readonly string[]
    }

export interface Done {
  readonly ms: number
  /** Of all its threads. */
  readonly cpuMs: number
  /** The most memory that the process held, bytes. */
  readonly peakBytes: number
  /** Runs that could not be read. */
  readonly failed: number
  readonly written?: Written
}

process.once('message', async (task: Task) => {
  const started = performance.now()
  let failed = 0
  let written: Written | undefined
  if (task.do === 'write') written = await writeDay(task.folders, task.seed, task.day, task.bytes)
  else await runIngest(task, { onPass: (result) => (failed = result.failed) })
  const { user, system } = process.cpuUsage()
  const done: Done = {
    ms: performance.now() - started,
    cpuMs: (user + system) / 1000,
    peakBytes: process.resourceUsage().maxRSS * 1024,
    failed,
    ...(written ? { written } : {}),
  }
  process.send?.(done, () => process.disconnect())
})
