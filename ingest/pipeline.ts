import pLimit from 'p-limit'
import { isProwlError, type ProwlError } from '#lib/errors.ts'
import { allPages } from '#lib/incident/runs.ts'
import { IngestState } from '#lib/model/ingest-state.ts'
import { compareBytes } from '#lib/store/order.ts'
import type { RunStamp, Store } from '#lib/store/store.ts'
import { snowflakeTime } from './discover/build-id.ts'
import type { Discovery, JobFilter } from './discover/discovery.ts'
import { parseRunPath, type RunPath } from './discover/run-path.ts'
import { type Cursor, PassReport, putCursor, readCursor } from './pass-state.ts'
import { type Look, type LookOptions, lookAt, mayHaveChanged } from './read/look.ts'
import { type WriteOptions, writeRun } from './write-run.ts'

export interface PassOptions extends LookOptions, WriteOptions {
  readonly store: Store
  readonly discovery: Discovery
  readonly jobs: JobFilter
  /** Hash of what decides which runs are found. */
  readonly scope: string
  /** Runs that began before are left out, epoch ms; 0: none. */
  readonly since: number
  /** Runs read at once. */
  readonly concurrency: number
  readonly followEverySeconds?: number | undefined
  /** Runs that were given up are tried again. */
  readonly retryAll?: boolean
  /** Ends the pass cleanly: runs under way are finished, no other is begun. `signal` cuts them off instead. */
  readonly stop?: AbortSignal | undefined
  readonly onProgress?: (progress: Progress) => void
  /** After each batch of runs, before the next is begun. */
  readonly afterBatch?: () => Promise<void>
}

export interface Progress {
  readonly done: number
  readonly total: number
  /** Decoded so far. */
  readonly bytes: number
}

export interface PassResult extends Progress {
  readonly published: number
  readonly failed: number
  /** False when it was stopped early. */
  readonly whole: boolean
}

const BATCH = 200
/** Runs are looked for this long before the last pass: an id is given before its first object is written. */
const OVERLAP_MS = 24 * 3_600_000
/** Passes in which a run that can't be read is tried. */
const MAX_ATTEMPTS = 5
const MAX_RELOOKS = 2

/** One pass over a bucket: finds runs, reads what is new or changed, publishes each. Throws BUCKET_* and store errors. */
export async function runPass(options: Omit<PassOptions, 'onBytes'>): Promise<PassResult> {
  const { store, source, now } = options
  const startedAt = now()
  const last = await lastState(store, source.bucket)
  const report = new PassReport(
    store,
    {
      bucket: source.bucket,
      passStartedAt: startedAt,
      done: 0,
      total: 0,
      ...(last?.passFinishedAt === undefined ? {} : { passFinishedAt: last.passFinishedAt }),
      ...(last?.completeTo === undefined ? {} : { completeTo: last.completeTo }),
      ...(options.followEverySeconds === undefined ? {} : { followEverySeconds: options.followEverySeconds }),
    },
    now,
  )
  const pass = new Pass(options, report, await startCursor(options))
  try {
    const result = await pass.run()
    const complete = result.whole && pass.retriesLeft === 0
    await report.end({
      ...(result.whole ? { passFinishedAt: now() } : {}),
      ...(complete ? { completeTo: startedAt } : {}),
    })
    return result
  } catch (error) {
    await report.end({ error: isProwlError(error) ? `${error.code}: ${error.message}` : String(error) }).catch(() => {})
    throw error
  }
}

class Pass {
  readonly #options: PassOptions
  readonly #report: PassReport
  readonly #cursor: Cursor
  readonly #startedAt: number
  #done = 0
  #total = 0
  #bytes = 0
  #published = 0
  #failed = 0
  #fatal: unknown

  constructor(options: Omit<PassOptions, 'onBytes'>, report: PassReport, cursor: Cursor) {
    this.#options = { ...options, onBytes: (bytes) => this.#add(bytes) }
    this.#report = report
    this.#cursor = cursor
    this.#startedAt = options.now()
  }

  /** Runs that failed and will be tried again. */
  get retriesLeft(): number {
    return Object.values(this.#cursor.failures).filter((attempts) => attempts < MAX_ATTEMPTS).length
  }

  async run(): Promise<PassResult> {
    const found = await this.#find()
    this.#total = found.length
    this.#tell()
    for (let at = 0; at < found.length && !this.#stopped; at += BATCH) {
      await this.#batch(found.slice(at, at + BATCH))
      await this.#options.afterBatch?.()
    }
    if (this.#fatal) throw this.#fatal
    const whole = !this.#stopped
    const seenTo = whole ? this.#startedAt : this.#cursor.seenTo
    await putCursor(this.#options.store, this.#options.source.bucket, { ...this.#cursor, seenTo })
    return {
      done: this.#done,
      total: this.#total,
      bytes: this.#bytes,
      published: this.#published,
      failed: this.#failed,
      whole,
    }
  }

  /** Newest first: what the listing found, runs that were pending, and those that failed. */
  async #find(): Promise<RunPath[]> {
    const { store, discovery, jobs, source, signal, since } = this.#options
    const { bucket } = source
    const recent = this.#cursor.seenTo - OVERLAP_MS
    const { runs: found } = await discovery.find({
      jobs,
      from: source.local ? since : Math.max(since, recent),
      knownTimes: async (paths) =>
        new Map((await store.stamps(bucket, paths)).map((stamp) => [stamp.path, stamp.time])),
      signal,
    })
    const byPath = new Map(found.map((run) => [run.path, run]))
    const again = Object.keys(this.#cursor.failures)
    for await (const run of allPages((page) => store.runs({ bucket, results: ['pending'] }, page), 1000))
      again.push(run.path)
    for (const path of again) {
      const run = parseRunPath(path)
      if (run && jobs(run.job)) byPath.set(path, run)
    }
    return [...byPath.values()].filter((run) => (this.#cursor.failures[run.path] ?? 0) < MAX_ATTEMPTS).sort(newestFirst)
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
        delete this.#cursor.failures[look.path.path]
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

  /** One run that can't be read is noted and stops no other; a bucket or store that fails ends the pass. */
  async #guarded<T>(path: RunPath, run: () => Promise<T>): Promise<T | undefined> {
    try {
      return await run()
    } catch (error) {
      const { store, source, now, signal } = this.#options
      if (signal?.aborted) return undefined
      if (isProwlError(error) && !error.code.startsWith('OBJECT_')) throw error
      this.#failed++
      this.#cursor.failures[path.path] = (this.#cursor.failures[path.path] ?? 0) + 1
      const problem = { code: isProwlError(error) ? error.code : 'INTERNAL', message: firstLine(error) }
      await store.fail({ bucket: source.bucket, path: path.path, ...problem, at: now() })
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

  #one(): void {
    this.#done++
    this.#tell()
  }

  #add(bytes: number): void {
    this.#bytes += bytes
    this.#tell()
  }

  #tell(): void {
    this.#report.progress(this.#done, this.#total)
    this.#options.onProgress?.({ done: this.#done, total: this.#total, bytes: this.#bytes })
  }
}

async function startCursor(options: Omit<PassOptions, 'onBytes'>): Promise<Cursor> {
  const { store, source, scope, since, retryAll = false } = options
  const last = await readCursor(store, source.bucket)
  const failures = Object.entries(last?.failures ?? {}).map(([path, tries]) => [path, retryAll ? 0 : tries] as const)
  const covered = last?.scope === scope && last.from <= since ? last : { scope, from: since, seenTo: 0 }
  return { ...covered, failures: Object.fromEntries(failures) }
}

async function lastState(store: Store, bucket: string): Promise<IngestState | undefined> {
  return IngestState.safeParse(await store.state(`ingest:${bucket}`)).data
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
