import { setTimeout as sleep } from 'node:timers/promises'
import { isProwlError, ProwlError } from '#lib/errors.ts'
import { refreshIncidents } from '#lib/incident/refresh.ts'
import { noteChanges } from '#lib/incident/seen-changes.ts'
import type { Catalogue } from '#lib/signature/catalogue.ts'
import type { StoredRun } from '#lib/store/store.ts'
import { Backfill } from './backfill.ts'
import { holdsRuns } from './discover/listing.ts'
import { parseWanted } from './discover/resolve.ts'
import { giveNotice } from './give-notice.ts'
import { isWaitedFor } from './open-for-writing.ts'
import type { IngestHooks, IngestOptions } from './options.ts'
import { type PassResult, runPass } from './pass.ts'
import { readOne } from './read-one.ts'
import { reevaluate } from './reevaluate.ts'
import { sweep } from './retention.ts'
import type { Source } from './source/source.ts'
import { readingOf, type Worker, withWorker } from './worker.ts'

/** In a long pass incidents are gathered this often. */
const REFRESH_EVERY_MS = 60_000

/**
 * Reads a bucket into the store: a period of it, all of it once, or for as long as it is followed. Throws coded errors;
 * nothing published is lost. Who follows and loses the store, to another worker, as it is away or as its disk is full,
 * waits for it.
 */
export async function runIngest(options: IngestOptions, hooks: IngestHooks = {}): Promise<void> {
  for (;;) {
    try {
      return await ingest(options, hooks)
    } catch (error) {
      if (options.everyMs === undefined || !isWaitedFor(error) || isStopped(hooks)) throw error
      hooks.onWarning?.(`${error.code}: ${error.message}`)
      // Nobody makes room within a moment.
      if (error.code === 'STORE_FULL') await until([AbortSignal.timeout(options.everyMs), hooks.stop, hooks.abort])
      if (isStopped(hooks)) return
    }
  }
}

async function ingest(options: IngestOptions, hooks: IngestHooks): Promise<void> {
  const follows = options.everyMs !== undefined
  const check = async (source: Source) => {
    if (!follows && !(await holdsRuns(source)))
      throw new ProwlError('BUCKET_EMPTY', `${source.bucket}: holds no runs below logs/ or pr-logs/; check the bucket`)
  }
  await withWorker(options, hooks, undefined, check, async (worker) => {
    const backfill = options.backfill && new Backfill(worker, options.backfill)
    if (options.everyMs !== undefined) return await follow(worker, options.everyMs, backfill)
    const result = await (backfill ? backfill.turn() : onePass(worker, true))
    // Of a follower the next pass seals what this one wrote.
    await sweep(worker.store, options.keepDays ?? 0, Date.now())
    hooks.onPass?.(result)
  })
}

/** Reads the one run that an address names. Throws coded errors. */
export async function runIngestOfOne(
  address: string,
  options: IngestOptions,
  hooks: IngestHooks = {},
): Promise<StoredRun> {
  const wanted = parseWanted(address)
  const run = await withWorker(
    { ...options, everyMs: undefined },
    hooks,
    wanted,
    async () => {},
    (worker) => readOne(worker, wanted),
  )
  if (!run) throw new ProwlError('STORE_FAILED', 'stopped before the run was read; run it again')
  return run
}

/** Pass after pass; between them the backfill goes on. */
async function follow(worker: Worker, everyMs: number, backfill: Backfill | undefined): Promise<void> {
  const { hooks } = worker
  for (let first = true; ; first = false) {
    const due = AbortSignal.timeout(everyMs)
    await outlasting(worker, () => onePass(worker, first))
    if (backfill && !backfill.finished && !due.aborted && !isStopped(hooks))
      await outlasting(worker, () => backfill.turn(due))
    await until([due, hooks.stop, hooks.abort])
    if (isStopped(hooks)) return
  }
}

/** A bucket that does not answer now may do so in the next pass. */
async function outlasting({ hooks }: Worker, read: () => Promise<PassResult>): Promise<void> {
  try {
    const result = await read()
    hooks.onPass?.(result)
  } catch (error) {
    if (hooks.abort?.aborted) return
    const passing = isProwlError(error) && (error.code === 'BUCKET_UNREACHABLE' || error.code === 'DISCOVERY_FAILED')
    if (!passing) throw error
    hooks.onWarning?.(`${error.code}: ${error.message}`)
  }
}

async function onePass(worker: Worker, retryAll: boolean): Promise<PassResult> {
  const { store, discovery, jobs, scope, options } = worker
  const { sinceMs, everyMs } = options
  await sweep(store, options.keepDays ?? 0, Date.now())
  const catalogue = await worker.catalogue()
  await noteChanges(store, catalogue.signatures, Date.now())
  await lookAnew(worker, catalogue)
  let refreshedAt = Date.now()
  const result = await runPass({
    ...readingOf(worker, catalogue),
    discovery,
    jobs,
    scope,
    since: sinceMs === undefined ? 0 : Date.now() - sinceMs,
    retryAll,
    ...(everyMs === undefined ? {} : { followEverySeconds: Math.round(everyMs / 1000) }),
    afterBatch: async () => {
      if (Date.now() - refreshedAt < REFRESH_EVERY_MS) return
      await refreshIncidents(store, catalogue)
      refreshedAt = Date.now()
    },
  })
  await refreshIncidents(store, catalogue)
  // Half a pass is no state to compare with: what the other half holds would be taken for news.
  if (result.whole) await giveNotice(worker, catalogue)
  return result
}

/** Signatures that were edited; of a follower for one turn at most, so that what is new does not wait. */
async function lookAnew({ store, options, hooks }: Worker, catalogue: Catalogue): Promise<void> {
  const { everyMs } = options
  const turn = everyMs === undefined ? [] : [AbortSignal.timeout(everyMs)]
  const stops = [...turn, hooks.stop, hooks.abort].filter((signal) => signal !== undefined)
  await reevaluate({
    store,
    catalogue,
    now: Date.now,
    stop: AbortSignal.any(stops),
    onProgress: (progress) => hooks.onProgress?.({ task: 'looking for edited signatures', ...progress }),
  })
}

function isStopped({ stop, abort }: IngestHooks): boolean {
  return stop?.aborted === true || abort?.aborted === true
}

async function until(signals: readonly (AbortSignal | undefined)[]): Promise<void> {
  const any = AbortSignal.any(signals.filter((signal) => signal !== undefined))
  while (!any.aborted) await sleep(2 ** 31 - 1, undefined, { signal: any }).catch(() => {})
}
