import { refreshIncidents } from '#lib/incident/refresh.ts'
import { snowflakeTime } from '#lib/model/build-id.ts'
import { gapsOf, putBackfill, putGaps } from '#lib/service/passes.ts'
import type { FoundRun } from './discover/discovery.ts'
import { fillGaps } from './gaps.ts'
import type { PassResult } from './pass.ts'
import { readCursor } from './pass-state.ts'
import { readRuns } from './read-runs.ts'
import { knownTimes, readingOf, type Worker } from './worker.ts'

/** A past period, epoch ms. */
export interface BackfillPeriod {
  readonly from: number
  readonly to: number
}

/**
 * Reads the runs of a past period, in as many turns as it takes: runs are looked for in the first, and each goes on
 * where the last one stopped. A new worker looks for them again and passes over what is stored.
 */
export class Backfill {
  readonly #worker: Worker
  readonly #period: BackfillPeriod
  readonly #startedAt = Date.now()
  #left: readonly FoundRun[] | undefined
  #lacking: readonly string[] = []
  #reached = 0
  #total = 0
  #failed = 0
  finished = false

  constructor(worker: Worker, period: BackfillPeriod) {
    this.#worker = worker
    this.#period = period
  }

  /** Reads until all is done, or `until` or the worker stops. Throws BUCKET_* and store errors. */
  async turn(until?: AbortSignal): Promise<PassResult> {
    const left = this.#left ?? (await this.#find())
    const before = this.#total - left.length
    const { stop } = this.#worker.hooks
    const catalogue = await this.#worker.catalogue()
    const reading = readingOf(this.#worker, catalogue)
    const stops = [until, stop].filter((signal) => signal !== undefined)
    const { settled, failed, ...result } = await readRuns(left, {
      ...reading,
      stop: AbortSignal.any(stops),
      onProgress: ({ done, bytes }) => reading.onProgress?.({ done: before + done, total: this.#total, bytes }),
      afterBatch: async () => await this.#tell(),
    })
    const ended = new Set([...settled, ...failed])
    this.#left = left.filter((run) => !ended.has(run.path))
    this.#failed += failed.length
    if (result.whole) await this.#end()
    await this.#tell()
    await refreshIncidents(this.#worker.store, catalogue)
    return { ...result, done: this.#total - this.#left.length, total: this.#total, failed: failed.length }
  }

  async #find(): Promise<readonly FoundRun[]> {
    const { jobs, hooks, pastDiscovery } = this.#worker
    const scope = { jobs, ...this.#period, knownTimes: knownTimes(this.#worker), signal: hooks.abort }
    const found = await pastDiscovery.find(scope)
    // Sequential numbers tell no time: those are kept.
    this.#left = found.runs.filter((run) => (snowflakeTime(run.buildId) ?? 0) <= this.#period.to)
    this.#lacking = found.gaps
    this.#reached = found.from
    this.#total = this.#left.length
    return this.#left
  }

  async #end(): Promise<void> {
    const { source, store, scope } = this.#worker
    this.finished = true
    const cursor = await readCursor(store, source.bucket)
    // Of other jobs than those that are followed it makes up for nothing.
    if (this.#lacking.length > 0 || this.#failed > 0 || (cursor && cursor.scope !== scope)) return
    const period = { from: Math.max(this.#period.from, this.#reached), to: this.#period.to }
    await putGaps(store, source.bucket, fillGaps(await gapsOf(store, source.bucket), [], period, Date.now()))
  }

  async #tell(): Promise<void> {
    const { source, store } = this.#worker
    await putBackfill(store, {
      bucket: source.bucket,
      ...this.#period,
      startedAt: this.#startedAt,
      done: this.#total - (this.#left?.length ?? 0),
      total: this.#total,
      ...(this.finished ? { finishedAt: Date.now() } : {}),
    })
  }
}
