import type { ElasticOptions } from '#lib/store/elastic/connect.ts'
import type { BackfillPeriod } from './backfill.ts'
import type { PassResult } from './pass.ts'
import type { Progress, RunTold } from './read-runs.ts'
import type { TargetFlags } from './target.ts'

export interface IngestOptions extends TargetFlags {
  readonly dataDir: string
  /** The cluster that holds the data instead. */
  readonly elastic?: ElasticOptions | undefined
  readonly signatureDirs: readonly string[]
  readonly deploymentsFile?: string | undefined
  readonly gcsEndpoint?: string | undefined
  readonly auth?: 'anonymous' | 'adc' | undefined
  /** Bytes a second, of all transfers together; undefined: as much as comes. */
  readonly bandwidth?: number | undefined
  /** RE2 over job names. */
  readonly jobs?: string | undefined
  readonly excludeJobs?: string | undefined
  /** Runs that began longer ago are left out, ms; undefined: none are. */
  readonly sinceMs?: number | undefined
  /** Passes start this often, ms; undefined: one pass. */
  readonly everyMs?: number | undefined
  /** Read this period: besides passes where the bucket is followed, else in place of one. */
  readonly backfill?: BackfillPeriod | undefined
  readonly logGlobs?: readonly string[] | undefined
  readonly maxLogBytes?: number | undefined
  /** Runs read at once. */
  readonly concurrency?: number | undefined
  /** Text of older days is deleted; 0 keeps all. */
  readonly keepDays?: number | undefined
  /** Notices are posted here, as messages of Slack's form. */
  readonly webhook?: string | undefined
  /** Address that people reach the app at, for links in them. */
  readonly publicUrl?: string | undefined
}

export interface IngestHooks {
  /** Ends cleanly: runs under way are finished. */
  readonly stop?: AbortSignal | undefined
  /** Cuts off what is under way; nothing published is lost. */
  readonly abort?: AbortSignal | undefined
  readonly onProgress?: (progress: Progress) => void
  readonly onPass?: (result: PassResult) => void
  /** Each run that was read, and each that could not be. */
  readonly onRun?: (told: RunTold) => void
  readonly onWarning?: (message: string) => void
  /** Bucket and store are open and reading begins, or another worker does it and this one stands by. */
  readonly onOpen?: () => void
  /** Another worker leads: who, and since when. Told once of each. */
  readonly onStandby?: (message: string) => void
}
