import type { Hit } from '#lib/model/hit.ts'
import type { Log, Run, RunResult } from '#lib/model/run.ts'
import type { Signature } from '#lib/model/signature.ts'
import { type Random, random } from '#lib/testing/sample/random.ts'

const DAY = 86_400_000
const HOUR = 3_600_000
/** OpenShift's order of size (docs/operations.md). */
export const RUNS_A_DAY = 10_000
const JOBS = 1000
const GROUPS = 400
const CLUSTERS = ['build01', 'build02', 'build03', 'build04', 'build05']
const BRANCHES = ['main', 'release-4.20', 'release-4.19', 'release-4.18']

/** How a signature strikes: outages a day with their hits a run, or hits a run. */
interface Strikes {
  readonly id: string
  readonly cause?: string
  readonly outagesADay?: number
  readonly perRun: number
}

/** Some 50,000 hits in 3.6 million runs. */
const STRIKES: readonly Strikes[] = [
  { id: 'boskos.heartbeat', cause: 'eof', outagesADay: 0.2, perRun: 0.03 },
  { id: 'api.disruption', outagesADay: 1, perRun: 0.02 },
  { id: 'image.pull503', outagesADay: 0.5, perRun: 0.03 },
  { id: 'cloud.quota', perRun: 0.0055 },
  { id: 'dns.timeout', perRun: 0.0055 },
]

export interface MadeRun {
  readonly run: Run
  readonly logs: readonly Log[]
  readonly hits: readonly Hit[]
}

/** The `n`th run before `end`: its draws are its own. */
export function makeRun(n: number, end: number, signatures: readonly Signature[]): MadeRun {
  const draw = random('pages', n)
  const finishedAt = end - Math.floor(((n + draw.unit()) * DAY) / RUNS_A_DAY)
  const number = skewed(draw, JOBS)
  const branch = BRANCHES[number % BRANCHES.length] ?? 'main'
  const job = `ci-org-repo-${branch}-e2e-${number}`
  const result: RunResult = draw.chance(0.22) ? 'failure' : draw.chance(0.03) ? 'aborted' : 'success'
  const isPull = number % 2 === 0
  const pull = draw.int(1, 60_000)
  const buildId = String(1_900_000_000_000_000_000n - BigInt(n))
  const run: Run = {
    bucket: 'gs://pages',
    path: isPull ? `pr-logs/pull/org_repo/${pull}/${job}/${buildId}` : `logs/${job}/${buildId}`,
    job,
    buildId,
    type: isPull ? 'presubmit' : 'periodic',
    result,
    startedAt: finishedAt - draw.int(10, 180) * 60_000,
    finishedAt,
    time: finishedAt,
    timeSource: 'finished',
    cluster: draw.chance(0.9) ? (CLUSTERS[number % CLUSTERS.length] ?? '') : draw.pick(CLUSTERS),
    refs: { org: 'org', repo: 'repo', baseRef: branch, pulls: isPull ? [{ number: pull }] : [] },
    ...(result === 'failure' && draw.chance(0.7) && { failure: failureOf(skewed(draw, GROUPS)) }),
    warnings: [],
  }
  const hits = STRIKES.filter((one) => strikes(one, finishedAt, draw)).flatMap((one) =>
    signatures.filter(({ id }) => id === one.id).map((signature) => hitOf(run, signature, one.cause ?? '')),
  )
  return { run, logs: logsOf(draw), hits }
}

/** Squared: a few are met often, most seldom. */
function skewed(draw: Random, most: number): number {
  return Math.floor(draw.unit() ** 2 * most)
}

function failureOf(group: number): NonNullable<Run['failure']> {
  const text = `error: could not run steps: step [part-${group}] failed`
  return { log: 'build-log.txt', line: 4000, text, group: `group${group}` }
}

/** An outage strikes all runs that end within its hour; when there is one depends on the hour alone. */
function strikes({ id, outagesADay, perRun }: Strikes, at: number, draw: Random): boolean {
  if (!draw.chance(perRun)) return false
  if (outagesADay === undefined) return true
  return random('outage', id, Math.floor(at / HOUR)).chance(outagesADay / 24)
}

function hitOf({ bucket, path, job, time }: Run, { id, definition }: Signature, cause: string): Hit {
  const text = `01:02:03 level=error msg="${id} strikes" path=${path}`
  const placed = { earliest: time - 60_000, latest: time - 30_000, source: 'line' as const }
  const where = { bucket, path, job, time, log: 'build-log.txt', line: 4000 }
  return { signature: id, definition, ...where, text, before: [text], after: [text], cause, resource: '', placed }
}

function logsOf(draw: Random): Log[] {
  const log = (name: string, kind: Log['kind'], bytes: number): Log => ({ name, kind, bytes, lines: bytes >> 7 })
  return [
    log('artifacts/junit_operator.xml', 'junit', 20_000),
    log('build-log.txt', 'build-log', draw.int(10_000, 6_000_000)),
    log('clone-log.txt', 'clone-log', 4000),
  ]
}
