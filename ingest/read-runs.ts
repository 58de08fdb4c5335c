import pLimit from 'p-limit'
import { isProwlError, type ProwlError } from '#lib/errors.ts'
import { snowflakeTime } from '#lib/model/build-id.ts'
import { compareBytes } from '#lib/store/order.ts'
import type { RunStamp } from '#lib/store/store.ts'
import type { FoundRun } from './discover/discovery.ts'
import type { RunPath } from './discover/run-path.ts'
import { type Look, type LookOptions, lookAt, mayHaveChanged } from './read/look.ts'
import { type WriteOptions, writeRun } from './write-run.ts'

export interface ReadRunsOptions extends LookOptions, Omit<WriteOptions, 'onBytes'> {
  /** Runs read at once. */
  readonly concurrency: number
  /** Ends cleanly: runs under way are finished, no other is begun. `signal` cuts them off instead. */
  readonly stop?: AbortSignal | undefined
  readonly onProgress?: (progress: Progress) => void
  readonly onRun?: (told: RunTold) => void
  /** After each batch of runs, before the next is begun. */
  readonly afterBatch?: () => Promise<void>
}

export interface Progress {
  /** What is done, where it is not reading runs. */
  readonly task?: string
  readonly done: number
  readonly total: number
  /** Decoded so far. */
  readonly bytes: number
}

/** What became of one run. */
export interface RunTold {
  readonly bucket: string
  readonly path: string
  /** Why it could not be read; absent where it was published. */
  readonly failure?: { readonly code: string; readonly message: string }
}

export interface ReadResult extends Progress {
  readonly published: number
  /** Paths of runs that could not be read. */
  readonly failed: readonly string[]
  /** Paths of runs that are now as the bucket has them. */
  readonly settled: readonly string[]
  /** False when it was stopped early. */
  readonly whole: boolean
}

const BATCH = 200
const MAX_RELOOKS = 2

/**
 * Reads the runs that are new or changed, those known to have failed before the others, then the newest first. One that
 * can't be read is noted and stops no other; throws where the bucket or the store fails.
 */
export async function readRuns(runs: readonly FoundRun[], options: ReadRunsOptions): Promise<ReadResult> {
  return await new Reading(runs, options).run()
}

class Reading {
  readonly #options: ReadRunsOptions & WriteOptions
  readonly #runs: readonly FoundRun[]
  readonly #failed: string[] = []
  readonly #settled: string[] = []
  #done = 0
  #bytes = 0
  #published = 0
  #fatal: unknown

  constructor(runs: readonly FoundRun[], options: ReadRunsOptions) {
    this.#runs = [...runs].sort(failedFirst)
    this.#options = { ...options, onBytes: (bytes) => this.#add(bytes) }
  }

  async run(): Promise<ReadResult> {
    this.#tell()
    for (let at = 0; at < this.#runs.length && !this.#stopped; at += BATCH) {
      await this.#batch(this.#runs.slice(at, at + BATCH))
      await this.#options.afterBatch?.()
    }
    if (this.#fatal) throw this.#fatal
    return {
      ...this.#progress,
      published: this.#published,
      failed: this.#failed,
      settled: this.#settled,
      whole: !this.#stopped,
    }
  }

  /** Looks at all runs of a batch, then reads them, the failed before the others. */
  async #batch(paths: readonly RunPath[]): Promise<void> {
    const { store, source } = this.#options
    const stamps = await store.stamps(
      source.bucket,
      paths.map((run) => run.path),
    )
    const byPath = new Map(stamps.map((stamp) => [stamp.path, stamp]))
    const looks: { look: Look; stamp: RunStamp | undefined }[] = []
    await this.#each(paths, async (path) => {
      const stamp = byPath.get(path.path)
      const look = stamp && !mayHaveChanged(stamp, this.#options) ? undefined : await this.#look(path, stamp)
      if (look) looks.push({ look, stamp })
      else this.#one()
    })
    looks.sort((a, b) => urgency(a.look) - urgency(b.look) || newestFirst(a.look.path, b.look.path))
    await this.#each(looks, async ({ look, stamp }) => {
      await this.#write(look, stamp)
      this.#one()
    })
  }

  /** Undefined where there is nothing to read: the run is as it was published, or can't be read. */
  async #look(path: RunPath, stamp: RunStamp | undefined): Promise<Look | undefined> {
    const { bucket } = this.#options.source
    return await this.#guarded(path, () => this.#again(() => lookAt(path, bucket, stamp, this.#options)))
  }

  async #write(look: Look, stamp: RunStamp | undefined): Promise<void> {
    let current: Look | undefined = look
    await this.#guarded(look.path, () =>
      this.#again(async (retry) => {
        if (retry) current = await lookAt(look.path, this.#options.source.bucket, stamp, this.#options)
        if (current) await writeRun(current, this.#options)
        this.#published++
        this.#options.onRun?.({ bucket: this.#options.source.bucket, path: look.path.path })
      }),
    )
  }

  /** Objects that change or go between listing and reading are listed anew at once. */
  async #again<T>(run: (retry: boolean) => Promise<T>): Promise<T> {
    for (let relooks = 0; ; relooks++) {
      try {
        return await run(relooks > 0)
      } catch (error) {
        const moved = isProwlError(error) && (error.code === 'OBJECT_CHANGED' || error.code === 'OBJECT_NOT_FOUND')
        if (!moved || relooks >= MAX_RELOOKS) throw error
      }
    }
  }

  /** One run that can't be read is noted and stops no other; a bucket or store that fails ends it all. */
  async #guarded<T>({ path }: RunPath, run: () => Promise<T>): Promise<T | undefined> {
    const { store, source, now, signal, onRun } = this.#options
    try {
      const result = await run()
      if (result === undefined) this.#settled.push(path)
      return result
    } catch (error) {
      if (signal?.aborted) return undefined
      if (isProwlError(error) && !error.code.startsWith('OBJECT_')) throw error
      this.#failed.push(path)
      const failure = { code: isProwlError(error) ? error.code : 'INTERNAL', message: firstLine(error) }
      onRun?.({ bucket: source.bucket, path, failure })
      await store.fail({ bucket: source.bucket, path, ...failure, at: now() })
      return undefined
    }
  }

  /** Bounded, in parallel; a fatal error or a stop lets what is under way end and begins no other. */
  async #each<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
    const limit = pLimit(this.#options.concurrency)
    await Promise.all(
      items.map((item) =>
        limit(async () => {
          if (this.#stopped) return
          await run(item).catch((error: unknown) => {
            this.#fatal ??= error
          })
        }),
      ),
    )
  }

  get #stopped(): boolean {
    const { stop, signal } = this.#options
    return this.#fatal !== undefined || stop?.aborted === true || signal?.aborted === true
  }

  get #progress(): Progress {
    return { done: this.#done, total: this.#runs.length, bytes: this.#bytes }
  }

  #one(): void {
    this.#done++
    this.#tell()
  }

  #add(bytes: number): void {
    this.#bytes += bytes
    this.#tell()
  }

  #tell(): void {
    this.#options.onProgress?.(this.#progress)
  }
}

function failedFirst(a: FoundRun, b: FoundRun): number {
  return Number(b.failed ?? false) - Number(a.failed ?? false) || newestFirst(a, b)
}

function newestFirst(a: RunPath, b: RunPath): number {
  return (snowflakeTime(b.buildId) ?? 0) - (snowflakeTime(a.buildId) ?? 0) || compareBytes(a.path, b.path)
}

function urgency({ described }: Look): number {
  return described.run.result === 'success' || described.run.result === 'pending' ? 1 : 0
}

function firstLine(error: unknown): string {
  return String((error as ProwlError | undefined)?.message ?? error).split('\n', 1)[0] ?? ''
}
