import { incidentId } from '../incident/ids.ts'
import type { Hit } from '../model/hit.ts'
import type { Incident } from '../model/incident.ts'
import type { Run } from '../model/run.ts'
import type { Signature } from '../model/signature.ts'
import type { Store } from '../store/store.ts'

/** Plain values for tests: what is not given is ordinary. */

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

const KEY = { bucket: 'gs://ci', path: 'logs/e2e-aws/1' }

/** A periodic run that failed after an hour; its job and id are those of its path. */
export function makeRun(given: Partial<Run> & { readonly startedAt: number }): Run {
  const path = given.path ?? KEY.path
  const [job = '', buildId = ''] = path.split('/').slice(-2)
  const finishedAt = given.finishedAt ?? given.startedAt + HOUR
  return {
    bucket: KEY.bucket,
    path,
    job,
    buildId,
    type: 'periodic',
    result: 'failure',
    finishedAt,
    time: finishedAt,
    timeSource: 'finished',
    warnings: [],
    ...given,
  }
}

/** A hit at `at`, known within `within` ms to either side. */
export function makeHit(given: Partial<Hit> & { readonly at: number; readonly within?: number }): Hit {
  const { at, within = 0, ...rest } = given
  const path = rest.path ?? KEY.path
  return {
    bucket: KEY.bucket,
    path,
    signature: 'boskos.heartbeat',
    definition: 'd1',
    job: path.split('/').at(-2) ?? '',
    log: 'build-log.txt',
    line: 1,
    text: 'failed to send heartbeat',
    before: [],
    after: [],
    cause: '',
    resource: '',
    placed: { earliest: at - within, latest: at + within, source: within > 0 ? 'run' : 'line' },
    time: at + HOUR,
    ...rest,
  }
}

/** An incident at `at`, known to the instant, of as many periodic runs as `votes`. */
export function makeIncident(given: Partial<Incident> & { readonly at: number }): Incident {
  const { at, votes = 2 } = given
  const moment = { earliest: at, latest: at }
  const runs = Array.from({ length: Math.max(1, votes) }, (_, i) => ({
    bucket: KEY.bucket,
    path: `logs/e2e-${i}/${at}`,
    job: `e2e-${i}`,
    buildId: String(at),
    time: at + HOUR,
    result: 'failure',
    outcome: 'died' as const,
  }))
  const incident = {
    signature: 'boskos.heartbeat',
    aliases: [],
    from: moment,
    to: moment,
    causes: [],
    runs,
    jobs: runs.map(({ job }) => job),
    pulls: [],
    clusters: [],
    votes,
    ...given,
  }
  return { id: incidentId(incident), ...incident }
}

/** An active outage whose hits join within 30 minutes and span 2 hours at most. */
export function makeSignature(given: Partial<Signature> = {}): Signature {
  return {
    id: 'boskos.heartbeat',
    title: 'Boskos lease lost',
    kind: 'outage',
    regexes: ['failed to send heartbeat'],
    excludes: [],
    excludeJobs: [],
    logs: [],
    causes: [],
    yieldsTo: [],
    windowMs: 30 * MINUTE,
    maxSpanMs: 2 * HOUR,
    status: { state: 'active' },
    bugs: [],
    changes: [],
    replaces: [],
    samples: { match: [], noMatch: [] },
    source: { file: 'test.yaml', line: 1 },
    definition: 'd1',
    ...given,
  }
}

/** Publishes a run without text that could have shown `signatures`, hit as told (each hit takes the run's key and time). */
export async function publishRun(
  store: Store,
  run: Run,
  hits: readonly Hit[] = [],
  signatures: readonly string[] = ['boskos.heartbeat'],
): Promise<void> {
  const version = await store.begin(run)
  const { bucket, path, job, time } = run
  const span = { from: run.startedAt ?? time, to: run.finishedAt ?? time }
  await store.publish(version, {
    run,
    fingerprint: 'f',
    firstSeen: time,
    logs: [],
    hits: hits.map((hit) => ({ ...hit, bucket, path, job, time })),
    tracks: [],
    exposures: signatures.map((signature) => ({ signature, ...span })),
  })
}
