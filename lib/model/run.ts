/** Where a run lives: `bucket` as `gs://name`, or `dir://name` for a directory of that base name; `path` without slashes at its ends. */
export interface RunKey {
  readonly bucket: string
  /** e.g. `logs/<job>/<build id>` or `pr-logs/pull/<org_repo>/<pr>/<job>/<build id>` */
  readonly path: string
}

export const RUN_RESULTS = ['success', 'failure', 'aborted', 'error', 'pending', 'lost'] as const
/** Prow's result in lower case; `pending`: no finished.json yet; `lost`: none came within the configured wait. */
export type RunResult = (typeof RUN_RESULTS)[number]

export const RUN_TYPES = ['periodic', 'postsubmit', 'presubmit', 'batch'] as const
export type RunType = (typeof RUN_TYPES)[number]

export interface PullRef {
  readonly number: number
  readonly author?: string
  readonly sha?: string
}

export interface RunRefs {
  readonly org: string
  readonly repo: string
  readonly baseRef?: string
  readonly baseSha?: string
  readonly pulls: readonly PullRef[]
}

/** The line that says why a run failed, as its logs tell (docs/statistics.md, "Unexplained failures"). */
export interface FailureLine {
  readonly log: string
  /** 1-based. */
  readonly line: number
  /** What it says, and in a second line where: match text without control characters, at most 1,001 characters. */
  readonly text: string
  /** Id of its group: of runs whose texts are alike but for numbers, ids, hosts, times, paths and quoted names. */
  readonly group: string
}

/** What is known of a run without its logs, but for the line that it failed with. Times are epoch milliseconds, UTC. */
export interface Run extends RunKey {
  readonly job: string
  /** A decimal string: ids exceed 2^53. */
  readonly buildId: string
  readonly type: RunType
  readonly result: RunResult
  readonly startedAt?: number
  readonly finishedAt?: number
  /** finished, else started, else the id's snowflake time: the run's place in every order and chart. */
  readonly time: number
  readonly timeSource: 'finished' | 'started' | 'id'
  readonly refs?: RunRefs
  /** Build cluster (`spec.cluster`), e.g. `build01`. */
  readonly cluster?: string
  /** ProwJob `status.description`. */
  readonly description?: string
  /** Of one that ended in failure or error, where its logs name a reason; found when it was read. */
  readonly failure?: FailureLine
  /** What was odd in the run's objects, in words for the status and run pages. */
  readonly warnings: readonly string[]
}

export const LOG_KINDS = [
  'build-log',
  'step-log',
  'container-log',
  'ci-operator',
  'clone-log',
  'junit',
  'prow',
] as const
/** `prow`: the description and pod events of a run that died before logging. */
export type LogKind = (typeof LOG_KINDS)[number]

/** One text of a run. `name` is its path below the run, e.g. `build-log.txt`, `artifacts/e2e-aws/container-logs/lease.log`. */
export interface Log {
  readonly name: string
  readonly kind: LogKind
  /** Decoded bytes kept, before compression. */
  readonly bytes: number
  readonly lines: number
  /** Decoded bytes the object held when the cap cut its middle out; line numbers after the cut stay exact. */
  readonly truncatedFrom?: number
  /** Decoding ended early (broken gzip, cut body): the text up to there is kept. */
  readonly broken?: string
}

/** UTC day, `YYYY-MM-DD`. */
export type Day = string
