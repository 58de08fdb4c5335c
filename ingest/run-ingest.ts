import { setTimeout as sleep } from 'node:timers/promises'
import { isProwlError, ProwlError } from '#lib/errors.ts'
import { refreshIncidents } from '#lib/incident/refresh.ts'
import { followCatalogue } from '#lib/service/follow-catalogue.ts'
import { createMatcher } from '#lib/signature/run-matcher.ts'
import { openStore } from '#lib/store/open.ts'
import type { Store } from '#lib/store/store.ts'
import { chainDiscovery } from './discover/chain.ts'
import { jobFilter } from './discover/discovery.ts'
import { holdsRuns, listingDiscovery } from './discover/listing.ts'
import { type PassResult, runPass } from './pass.ts'
import { hash } from './read/fingerprint.ts'
import { DEFAULT_LOG_GLOBS, logGlobs } from './read/log-globs.ts'
import type { Progress } from './read-runs.ts'
import { sweep } from './retention.ts'
import { openSource } from './source/open.ts'
import type { Source } from './source/source.ts'

export interface IngestOptions {
  /** `gs://name`, or a directory. */
  readonly bucket: string
  readonly dataDir: string
  readonly signatureDirs: readonly string[]
  readonly gcsEndpoint?: string | undefined
  /** RE2 over job names. */
  readonly jobs?: string | undefined
  readonly excludeJobs?: string | undefined
  /** Runs that began longer ago are left out, ms; undefined: none are. */
  readonly sinceMs: number | undefined
  /** Passes start this often, ms; undefined: one pass. */
  readonly everyMs: number | undefined
  readonly logGlobs?: readonly string[] | undefined
  readonly maxLogBytes?: number | undefined
  /** Runs read at once. */
  readonly concurrency?: number | undefined
  /** Text of older days is deleted; 0 keeps all. */
  readonly keepDays?: number | undefined
}

export interface IngestHooks {
  /** Ends cleanly: runs under way are finished. */
  readonly stop?: AbortSignal | undefined
  /** Cuts off what is under way; nothing published is lost. */
  readonly abort?: AbortSignal | undefined
  readonly onProgress?: (progress: Progress) => void
  readonly onPass?: (result: PassResult) => void
  readonly onWarning?: (message: string) => void
  /** Bucket and store are open: reading begins. */
  readonly onOpen?: () => void
}

const DEFAULT_MAX_LOG_BYTES = 64 * 1024 * 1024
/** In a long pass incidents are gathered this often. */
const REFRESH_EVERY_MS = 60_000
const LOST_AFTER_MS = 48 * 3_600_000
const BUILD_LOG_WAITS_MS = [1000, 2000, 4000]

/** Reads a bucket into the store, once or for as long as it is followed. Throws coded errors; nothing published is lost. */
export async function runIngest(options: IngestOptions, hooks: IngestHooks = {}): Promise<void> {
  const jobs = jobFilter(options.jobs, options.excludeJobs)
  const source = await openSource(options.bucket, {
    gcsEndpoint: options.gcsEndpoint,
    ...(hooks.onWarning ? { onWarning: hooks.onWarning } : {}),
  })
  try {
    const follow = options.everyMs !== undefined
    if (!follow && !(await holdsRuns(source)))
      throw new ProwlError('BUCKET_EMPTY', `${options.bucket}: holds no runs below logs/ or pr-logs/; check the bucket`)
    const store = await openStore({ dataDir: options.dataDir, mode: 'write' })
    try {
      hooks.onOpen?.()
      await passes({ source, store, options, hooks, jobs })
    } finally {
      await store.close()
    }
  } finally {
    await source.close()
  }
}

interface Worker {
  readonly source: Source
  readonly store: Store
  readonly options: IngestOptions
  readonly hooks: IngestHooks
  readonly jobs: (job: string) => boolean
}

async function passes(worker: Worker): Promise<void> {
  const { options, hooks } = worker
  const catalogue = followCatalogue(options.signatureDirs)
  for (let first = true; ; first = false) {
    const startedAt = Date.now()
    try {
      const result = await onePass(worker, catalogue, first)
      hooks.onPass?.(result)
    } catch (error) {
      if (hooks.abort?.aborted) return
      // A bucket that does not answer now may do so in the next pass.
      if (options.everyMs === undefined || !isProwlError(error) || error.code !== 'BUCKET_UNREACHABLE') throw error
      hooks.onWarning?.(`${error.code}: ${error.message}`)
    }
    if (options.everyMs === undefined) return
    const wait = Math.max(0, startedAt + options.everyMs - Date.now())
    await sleep(wait, undefined, hooks.stop ? { signal: hooks.stop } : {}).catch(() => {})
    if (hooks.stop?.aborted || hooks.abort?.aborted) return
  }
}

async function onePass(
  worker: Worker,
  catalogue: ReturnType<typeof followCatalogue>,
  retryAll: boolean,
): Promise<PassResult> {
  const { source, store, options, hooks, jobs } = worker
  const { sinceMs, everyMs, maxLogBytes = DEFAULT_MAX_LOG_BYTES, logGlobs: globs = DEFAULT_LOG_GLOBS } = options
  await sweep(store, options.keepDays ?? 0, Date.now())
  const signatures = await catalogue()
  let refreshedAt = Date.now()
  const result = await runPass({
    source,
    store,
    jobs,
    maxLogBytes,
    discovery: chainDiscovery([listingDiscovery(source)]),
    matcher: createMatcher(signatures),
    globs: logGlobs(globs),
    settings: hash([...globs, String(maxLogBytes)]),
    scope: hash([options.jobs ?? '', options.excludeJobs ?? '', sinceMs === undefined ? 'all' : 'since']),
    since: sinceMs === undefined ? 0 : Date.now() - sinceMs,
    concurrency: options.concurrency ?? (source.local ? 2 : 8),
    now: Date.now,
    retryAll,
    lostAfterMs: LOST_AFTER_MS,
    buildLogWaitsMs: BUILD_LOG_WAITS_MS,
    ...(everyMs === undefined ? {} : { followEverySeconds: Math.round(everyMs / 1000) }),
    afterBatch: async () => {
      if (Date.now() - refreshedAt < REFRESH_EVERY_MS) return
      await refreshIncidents(store, signatures)
      refreshedAt = Date.now()
    },
    stop: hooks.stop,
    signal: hooks.abort,
    ...(hooks.onProgress ? { onProgress: hooks.onProgress } : {}),
  })
  await refreshIncidents(store, signatures)
  return result
}
