import { loadDeployments } from '#lib/deployment/deployments.ts'
import { followCatalogue } from '#lib/service/follow-catalogue.ts'
import type { Catalogue } from '#lib/signature/catalogue.ts'
import { createMatcher } from '#lib/signature/run-matcher.ts'
import { refuseUnfinished } from '#lib/store/fill.ts'
import type { Store } from '#lib/store/store.ts'
import { chainDiscovery } from './discover/chain.ts'
import { deckDiscovery } from './discover/deck.ts'
import { type ChainFound, type JobFilter, jobFilter, type Scope } from './discover/discovery.ts'
import { indexDiscovery } from './discover/index-objects.ts'
import { listingDiscovery } from './discover/listing.ts'
import type { Wanted } from './discover/resolve.ts'
import { openForWriting } from './open-for-writing.ts'
import type { IngestHooks, IngestOptions } from './options.ts'
import { hash } from './read/fingerprint.ts'
import { DEFAULT_LOG_GLOBS, logGlobs } from './read/log-globs.ts'
import type { ReadRunsOptions } from './read-runs.ts'
import { openSource } from './source/open.ts'
import type { Source } from './source/source.ts'
import { type Target, targetOf } from './target.ts'

export interface Discover {
  find(scope: Scope): Promise<ChainFound>
}

/** A bucket and a store, open, with what decides how the one is read into the other. */
export interface Worker {
  readonly source: Source
  readonly store: Store
  readonly options: IngestOptions
  readonly hooks: IngestHooks
  readonly jobs: JobFilter
  /** The ways to find runs. */
  readonly discovery: Discover
  /** Those of a period long past: Deck keeps ProwJobs for days only, and is not asked. */
  readonly pastDiscovery: Discover
  /** Hash of what decides which runs are found. */
  readonly scope: string
  /** The signatures as their files are now. */
  readonly catalogue: () => Promise<Catalogue>
}

const DEFAULT_MAX_LOG_BYTES = 64 * 1024 * 1024
const LOST_AFTER_MS = 48 * 3_600_000
const BUILD_LOG_WAITS_MS = [1000, 2000, 4000]

/**
 * Opens bucket and store for `use`, and closes them after it. `check` may refuse the bucket before a store is made.
 * Undefined where it was stopped while it stood by.
 */
export async function withWorker<T>(
  options: IngestOptions,
  hooks: IngestHooks,
  wanted: Wanted | undefined,
  check: (source: Source) => Promise<void>,
  use: (worker: Worker) => Promise<T>,
): Promise<T | undefined> {
  const jobs = jobFilter(options.jobs, options.excludeJobs)
  const target = targetOf(options, loadDeployments(options.deploymentsFile), wanted)
  const { gcsEndpoint, auth, bandwidth } = options
  const warn = hooks.onWarning ? { onWarning: hooks.onWarning } : {}
  const source = await openSource(target.bucket, { gcsEndpoint, auth, bandwidthBytesPerSecond: bandwidth, ...warn })
  try {
    await check(source)
    // Compressing and indexing blocks takes as long as reading and matching them: a thread each.
    const store = await openForWriting(options, hooks)
    if (!store) return undefined
    try {
      await refuseUnfinished(store)
      hooks.onOpen?.()
      const scope = hash([options.jobs ?? '', options.excludeJobs ?? ''])
      const catalogue = followCatalogue(options.signatureDirs)
      return await use({ source, store, options, hooks, jobs, scope, catalogue, ...discoveriesOf(source, target) })
    } finally {
      await store.close()
    }
  } finally {
    await source.close()
  }
}

function discoveriesOf(source: Source, { deck, index, aliases }: Target) {
  const listing = listingDiscovery(source)
  const past = !source.local && index ? [indexDiscovery(source), listing] : [listing]
  const all = !source.local && deck !== undefined ? [deckDiscovery({ deck, source, aliases }), ...past] : past
  return { discovery: chainDiscovery(all), pastDiscovery: chainDiscovery(past) }
}

/** Times of runs read before, by path. */
export function knownTimes({ source, store }: Pick<Worker, 'source' | 'store'>): Scope['knownTimes'] {
  return async (paths) => new Map((await store.stamps(source.bucket, paths)).map((stamp) => [stamp.path, stamp.time]))
}

/** How runs are read. */
export function readingOf({ source, store, options, hooks }: Worker, catalogue: Catalogue): ReadRunsOptions {
  const { maxLogBytes = DEFAULT_MAX_LOG_BYTES, logGlobs: globs = DEFAULT_LOG_GLOBS } = options
  return {
    source,
    store,
    maxLogBytes,
    matcher: createMatcher(catalogue),
    globs: logGlobs(globs),
    settings: hash([...globs, String(maxLogBytes)]),
    // A cluster is waited for as a bucket far away is, and runs that are published at once share a refresh.
    concurrency: options.concurrency ?? (source.local && !options.elastic ? 2 : 8),
    now: Date.now,
    lostAfterMs: LOST_AFTER_MS,
    buildLogWaitsMs: BUILD_LOG_WAITS_MS,
    stop: hooks.stop,
    signal: hooks.abort,
    ...(hooks.onProgress ? { onProgress: hooks.onProgress } : {}),
    ...(hooks.onRun ? { onRun: hooks.onRun } : {}),
  }
}
