import { ProwlError } from '../errors.ts'
import type { Evidence } from '../model/evidence.ts'
import { type Day, type LogKind, RUN_RESULTS, type Run, type RunKey, type RunResult } from '../model/run.ts'
import { compareBytes, dayOf } from './order.ts'
import type { OrderKey, Paged, Problem, RunFilter, RunRecord } from './store.ts'

/**
 * A record as it is kept: logs by name, hits by log and line, tracks by log and resource; hits and tracks take the
 * run's key, job and time. Throws STORE_FAILED where it is of another run than the version was begun as, or says another
 * thing of it that it is found by, where a log is named twice, and where one that has blocks is not named or of another
 * kind than they.
 */
export function keptRecord(record: RunRecord, begun: Run, appended: ReadonlyMap<string, LogKind>): RunRecord {
  const { bucket, path, job, time } = record.run
  const [told, facts] = [begun, record.run].map((run) => JSON.stringify(runFacts(run)))
  if (told !== facts) throw new ProwlError('STORE_FAILED', `${path}: begun as ${told}, not ${facts}`)
  const logs = record.logs.toSorted((a, b) => compareBytes(a.name, b.name))
  const twice = logs.find((log, i) => log.name === logs[i - 1]?.name)
  if (twice) throw new ProwlError('STORE_FAILED', `${path}: the log ${twice.name} is named twice; give each log once`)
  const kinds = new Map(logs.map((log) => [log.name, log.kind]))
  const lost = [...appended].find(([name, kind]) => kinds.get(name) !== kind)
  if (lost) throw new ProwlError('STORE_FAILED', `${path}: ${lost[0]} has blocks; name it as ${lost[1]} in the record`)
  return { ...record, logs, ...keptFindings(record, { bucket, path, job, time }) }
}

/** What runs and their blocks are found by. */
export function runFacts({ bucket, path, time, job, buildId, type, result, refs }: Run) {
  const pulls = [...new Set(refs?.pulls.map((pull) => pullName({ ...refs, number: pull.number })))].sort()
  return { bucket, path, time, job, buildId, type, result, pulls }
}

/** Of a pull request: `org/repo#number`. */
export function pullName({ org, repo, number }: NonNullable<RunFilter['pull']>): string {
  return `${org}/${repo}#${number}`
}

/** Hits and tracks as they are kept: in order, with the run's key, job and time. */
export function keptFindings(
  { hits, tracks }: Pick<RunRecord, 'hits' | 'tracks'>,
  { bucket, path, job, time }: RunKey & Pick<Run, 'job' | 'time'>,
): Pick<RunRecord, 'hits' | 'tracks'> {
  return {
    hits: hits
      .map((hit) => ({ ...hit, bucket, path, job, time }))
      .sort((a, b) => compareBytes(a.log, b.log) || a.line - b.line || compareBytes(a.signature, b.signature)),
    tracks: tracks
      .map((track) => ({ ...track, bucket, path }))
      .sort(
        (a, b) =>
          compareBytes(a.signature, b.signature) || compareBytes(a.log, b.log) || compareBytes(a.resource, b.resource),
      ),
  }
}

const UNREAD = 'unread:'

/** The fingerprint of a run whose text is not here: no look at a bucket gives such a one, so it is read again. */
export function unread(fingerprint: string): string {
  return isUnread(fingerprint) ? fingerprint : UNREAD + fingerprint
}

export function isUnread(fingerprint: string): boolean {
  return fingerprint.startsWith(UNREAD)
}

/** Years 1970 to 9999: what every store can sort and name a day of. */
export const MAX_TIME = Date.UTC(10_000, 0, 1)

/** The UTC day of a run's time. Throws STORE_FAILED where it has none. */
export function checkTime(time: number): Day {
  if (Number.isInteger(time) && time >= 0 && time < MAX_TIME) return dayOf(time)
  throw new ProwlError('STORE_FAILED', `${time} is no time of a run; give whole epoch milliseconds from 1970 to 9999`)
}

/** The first `limit` of items in order, and all that share the last one's key: a page never ends amid equal keys. */
export function cutPage<T>(items: readonly T[], limit: number, keyOf: (item: T) => OrderKey): Paged<T> {
  let end = Math.max(1, limit)
  const last = items[end - 1]
  if (!last) return { items }
  const key = keyOf(last)
  for (let item = items[end]; item && sameKey(keyOf(item), key); item = items[end]) end++
  return end < items.length ? { items: items.slice(0, end), next: key } : { items }
}

function sameKey(a: OrderKey, b: OrderKey): boolean {
  return a.path === b.path && a.log === b.log && a.line === b.line && a.bucket === b.bucket
}

export function runOrder({ time, bucket, path }: RunKey & { readonly time: number }): OrderKey {
  return { time, bucket, path }
}

/** A problem's place in the order of problems. */
export function problemKey({ at, bucket, path }: Problem): OrderKey {
  return { time: at, bucket, path }
}

/** Evidence's place in the order of its lists. */
export function evidenceKey({ frozenAt, id }: Evidence): OrderKey {
  return { time: frozenAt, bucket: '', path: id }
}

export function noRuns(): Record<RunResult, number> {
  return Object.fromEntries(RUN_RESULTS.map((result) => [result, 0])) as Record<RunResult, number>
}
