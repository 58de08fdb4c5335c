import { hostname } from 'node:os'
import { isProwlError } from '#lib/errors.ts'
import { allPages } from '#lib/incident/runs.ts'
import type { Gap } from '#lib/model/gap.ts'
import { gapsOf, ingestStateOf, putGaps } from '#lib/service/passes.ts'
import type { Store } from '#lib/store/store.ts'
import type { ChainFound, FoundRun, JobFilter, Scope } from './discover/discovery.ts'
import { parseRunPath } from './discover/run-path.ts'
import { downGap, fillGaps, openSince, withGaps } from './gaps.ts'
import { type Cursor, coveredTo, moveCursor, PassReport, putCursor, readCursor } from './pass-state.ts'
import { type Progress, type ReadRunsOptions, readRuns } from './read-runs.ts'
import { type Discover, knownTimes } from './worker.ts'

export interface PassOptions extends ReadRunsOptions {
  readonly store: Store
  readonly discovery: Discover
  readonly jobs: JobFilter
  /** Hash of what decides which runs are found. */
  readonly scope: string
  /** Runs that began before are left out, epoch ms; 0: none. */
  readonly since: number
  readonly followEverySeconds?: number | undefined
  /** Runs that were given up are tried again. */
  readonly retryAll?: boolean
}

export interface PassResult extends Progress {
  readonly published: number
  readonly failed: number
  /** False when it was stopped early. */
  readonly whole: boolean
}

/** Runs are looked for this long before the last pass: an id is given before its first object is written. */
const OVERLAP_MS = 24 * 3_600_000
/** Passes in which a run that can't be read is tried. */
const MAX_ATTEMPTS = 5

/** One pass over a bucket: finds runs, reads what is new or changed, publishes each. Throws BUCKET_* and store errors. */
export async function runPass(options: PassOptions): Promise<PassResult> {
  const { store, source, now, followEverySeconds } = options
  const startedAt = now()
  const last = await ingestStateOf(store, source.bucket)
  const everyMs = followEverySeconds === undefined ? undefined : followEverySeconds * 1000
  const down = downGap(last?.passFinishedAt, everyMs, startedAt)
  const gaps = withGaps(await gapsOf(store, source.bucket), down ? [down] : [])
  await putGaps(store, source.bucket, gaps)
  const report = new PassReport(
    store,
    {
      bucket: source.bucket,
      passStartedAt: startedAt,
      worker: `${hostname()} ${process.pid}`,
      done: 0,
      total: 0,
      ...(last?.passFinishedAt === undefined ? {} : { passFinishedAt: last.passFinishedAt }),
      ...(last?.completeTo === undefined ? {} : { completeTo: last.completeTo }),
      ...(followEverySeconds === undefined ? {} : { followEverySeconds }),
    },
    now,
    () => source.traffic(),
  )
  try {
    return await pass(options, startedAt, gaps, report)
  } catch (error) {
    await report.end({ error: isProwlError(error) ? `${error.code}: ${error.message}` : String(error) }).catch(() => {})
    throw error
  }
}

async function pass(options: PassOptions, startedAt: number, gaps: Gap[], report: PassReport): Promise<PassResult> {
  const { store, source, now } = options
  const before = await startCursor(options)
  const from = findFrom(options, before, gaps)
  const found = await options.discovery.find(scopeOf(options, from))
  report.found(found.attempts)
  const lacking = gapsIn(found, from, startedAt)
  const runs = await withUnfinished(options, found.runs, before)
  const { settled, failed, ...result } = await readRuns(runs, {
    ...options,
    onProgress: (progress) => {
      report.progress(progress)
      options.onProgress?.(progress)
    },
  })
  const read = { ...before, failures: failuresAfter(before, settled, failed) }
  const cursor = result.whole ? moveCursor(read, found, from, startedAt) : read
  await putCursor(store, source.bucket, cursor)
  const covered = Math.max(from, found.from)
  await putGaps(
    store,
    source.bucket,
    result.whole ? fillGaps(gaps, lacking, { from: covered }, now()) : withGaps(gaps, lacking),
  )
  const tries = Object.values(cursor.failures)
  const retrying = tries.filter((attempts) => attempts < MAX_ATTEMPTS).length
  const completeTo = result.whole && retrying === 0 ? coveredTo(cursor, found, from) : undefined
  await report.end({
    retrying,
    givenUp: tries.length - retrying,
    cursors: cursor.cursors,
    ...(result.whole ? { passFinishedAt: now() } : {}),
    ...(completeTo === undefined ? {} : { completeTo }),
  })
  return { ...result, failed: failed.length }
}

/** What the kinds could not search, and the time that none of them reached. */
function gapsIn(found: ChainFound, from: number, startedAt: number): Gap[] {
  const lacking = found.gaps.map((detail): Gap => ({ from, to: startedAt, why: 'discovery', detail }))
  if (found.from <= from) return lacking
  const why = found.attempts.findLast(({ error }) => error !== undefined)?.error ?? 'nothing reaches back so far'
  return [...lacking, { from, to: found.from, why: 'discovery', detail: why }]
}

/** A local bucket is cheap to look through whole; of a remote one, what came since the last pass, and open gaps. */
function findFrom({ source, since }: PassOptions, { cursors }: Cursor, gaps: readonly Gap[]): number {
  if (source.local) return since
  const seenTo = Math.min(...Object.values(cursors))
  const recent = Number.isFinite(seenTo) ? Math.max(since, seenTo - OVERLAP_MS) : since
  return Math.min(recent, openSince(gaps, since) ?? recent)
}

function scopeOf({ store, source, jobs, signal }: PassOptions, from: number): Scope {
  return {
    jobs,
    from,
    knownTimes: knownTimes({ source, store }),
    signal,
  }
}

/** What was found, runs that were pending, and those that failed, or whose text the store lost: these are tried again. */
async function withUnfinished(options: PassOptions, found: readonly FoundRun[], cursor: Cursor): Promise<FoundRun[]> {
  const { store, source, jobs } = options
  const again = Object.keys(cursor.failures)
  const pending = { bucket: source.bucket, results: ['pending'] as const }
  for await (const run of allPages((page) => store.runs(pending, page), 1000)) again.push(run.path)
  for await (const { bucket, path, code } of allPages((page) => store.problems(page), 1000))
    if (bucket === source.bucket && code === 'STORE_CORRUPT') again.push(path)
  const byPath = new Map(found.map((run) => [run.path, run]))
  for (const path of again) {
    const run = byPath.has(path) ? undefined : parseRunPath(path)
    if (run && jobs(run.job)) byPath.set(path, run)
  }
  return [...byPath.values()].filter((run) => (cursor.failures[run.path] ?? 0) < MAX_ATTEMPTS)
}

function failuresAfter({ failures }: Cursor, settled: readonly string[], failed: readonly string[]) {
  const after: Record<string, number> = { ...failures }
  for (const path of settled) delete after[path]
  for (const path of failed) after[path] = (after[path] ?? 0) + 1
  return after
}

/** The clock was ahead when it was written, and has been set right: what came meanwhile was not looked for. */
function isAhead({ cursors }: Cursor, now: number): boolean {
  return Math.max(0, ...Object.values(cursors)) > now + OVERLAP_MS / 2
}

async function startCursor({ store, source, scope, since, now, retryAll = false }: PassOptions): Promise<Cursor> {
  const last = await readCursor(store, source.bucket)
  const failures = Object.entries(last?.failures ?? {}).map(([path, tries]) => [path, retryAll ? 0 : tries] as const)
  const isKnown = last !== undefined && last.scope === scope && last.from <= since && !isAhead(last, now())
  const covered = isKnown ? last : { scope, from: since, cursors: {} }
  return { ...covered, failures: Object.fromEntries(failures) }
}
