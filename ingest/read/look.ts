import { setTimeout as sleep } from 'node:timers/promises'
import { snowflakeTime } from '#lib/model/build-id.ts'
import type { RunResult } from '#lib/model/run.ts'
import type { RunStamp } from '#lib/store/store.ts'
import type { RunPath } from '../discover/run-path.ts'
import type { ObjectInfo, Source } from '../source/source.ts'
import { type Described, DOCUMENTS, type Documents, describeRun } from './describe.ts'
import { hashLogs, hashTop, parseFingerprint, printFingerprint } from './fingerprint.ts'
import type { LogGlobs } from './log-globs.ts'
import { logKind } from './log-globs.ts'
import { readText } from './read-text.ts'
import { listTop, type Selection, selectLogs } from './select-logs.ts'

export interface LookOptions {
  readonly source: Source
  readonly globs: LogGlobs
  /** Hash of the settings that decide what is read. */
  readonly settings: string
  readonly now: () => number
  /** A run without finished.json is given up after this many ms. */
  readonly lostAfterMs: number
  /** Waits for a build-log.txt that comes after finished.json, ms. */
  readonly buildLogWaitsMs: readonly number[]
  readonly signal?: AbortSignal | undefined
}

/** What there is to read of a run. */
export interface Look {
  readonly path: RunPath
  readonly described: Described
  readonly logs: ReadonlyMap<string, ObjectInfo>
  readonly fingerprint: string
  readonly firstSeen: number
}

/** So long after it was first seen a run may still be uploaded anew (an ABORTED upload, then the real one). */
const SETTLED_AFTER_MS = 3_600_000
/** So long its artifacts may still come (a bucket that is being copied): they are compared too. */
const COMPLETE_AFTER_MS = 600_000
/** finished.json and build-log.txt are uploaded side by side: only just finished runs are waited for. */
const JUST_FINISHED_MS = 600_000
/** In a fingerprint: finished.json may come yet, and if not, time alone changes the run. */
const ENDING = 'ending'
const MAX_DOCUMENT = 8 * 1024 * 1024

/** Whether a published run can have changed in a way that is worth a request. */
export function mayHaveChanged(stamp: RunStamp, { source, settings, now }: LookOptions): boolean {
  // One given up by a clock that was wrong may have ended since.
  if (stamp.result === 'pending' || stamp.result === 'lost' || source.local) return true
  return parseFingerprint(stamp.fingerprint).settings !== settings || now() - stamp.firstSeen <= SETTLED_AFTER_MS
}

/** Lists the run and reads its JSON objects; undefined when it is as it was published. */
export async function lookAt(
  path: RunPath,
  bucket: string,
  stamp: RunStamp | undefined,
  options: LookOptions,
): Promise<Look | undefined> {
  const { source, globs, settings, signal } = options
  let top = await listTop(source, path.path, signal)
  if (stamp && isSame(stamp, top, path, options)) return undefined
  const firstSeen = stamp?.firstSeen ?? options.now()
  const documents = await readDocuments(source, top, signal)
  const lost = isLost(path, firstSeen, options)
  const settledBefore = options.now() - JUST_FINISHED_MS
  const described = describeRun({ bucket, path: path.path }, path, documents, { firstSeen, lost, settledBefore })
  if (stamp && isEnded(stamp.result) && !isEnded(described.run.result)) return undefined
  if (described.run.result === 'pending') {
    const fingerprint = printFingerprint({ settings, top: hashTop(top), logs: described.ended ? ENDING : 'pending' })
    return { path, described, logs: new Map(), fingerprint, firstSeen }
  }
  top = await waitForBuildLog(top, described, options)
  const { logs, warnings } = await selectLogs(source, path.path, top, globs, undefined, signal)
  const fingerprint = printFingerprint({ settings, top: hashTop(top), logs: hashLogs(logs) })
  if (stamp?.fingerprint === fingerprint) return undefined
  const run = { ...described.run, warnings: [...described.run.warnings, ...warnings] }
  return { path, described: { ...described, run }, logs, fingerprint, firstSeen }
}

/** One that was is not undone: its bucket is deleting it, object by object. */
function isEnded(result: RunResult): boolean {
  return result !== 'pending' && result !== 'lost'
}

/** As far as the top listing tells. */
function isSame(stamp: RunStamp, top: Selection, path: RunPath, options: LookOptions): boolean {
  const before = parseFingerprint(stamp.fingerprint)
  if (before.settings !== options.settings || before.top !== hashTop(top)) return false
  if (stamp.result === 'pending') return before.logs !== ENDING && !isLost(path, stamp.firstSeen, options)
  return options.now() - stamp.firstSeen > COMPLETE_AFTER_MS
}

function isLost({ buildId }: RunPath, firstSeen: number, { now, lostAfterMs }: LookOptions): boolean {
  return now() - (snowflakeTime(buildId) ?? firstSeen) >= lostAfterMs
}

async function readDocuments(source: Source, { top }: Selection, signal?: AbortSignal): Promise<Documents> {
  const documents: Documents = {}
  for (const name of DOCUMENTS) {
    const info = top.get(name)
    if (info) documents[name] = await readText(source, info, MAX_DOCUMENT, signal)
  }
  return documents
}

async function waitForBuildLog(top: Selection, { run }: Described, options: LookOptions): Promise<Selection> {
  let now = top
  for (const wait of options.buildLogWaitsMs) {
    if (options.now() - run.time > JUST_FINISHED_MS || [...now.top.keys()].some(isBuildLog)) return now
    await sleep(wait, undefined, options.signal ? { signal: options.signal } : {})
    now = await listTop(options.source, run.path, options.signal)
  }
  return now
}

function isBuildLog(name: string): boolean {
  return logKind(name) === 'build-log'
}
