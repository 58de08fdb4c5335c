import type { LineMatcher } from '#lib/regex/compile.ts'
import { compile } from '#lib/regex/compile.ts'
import type { RunPath } from './run-path.ts'

/** One way to find the runs of a bucket. Where one fails, or reaches back less far, the next is asked (chain.ts). */
export interface Discovery {
  readonly kind: DiscoveryKind
  /** Throws DISCOVERY_FAILED, or a BUCKET_* error, where it can't answer at all. */
  find(scope: Scope): Promise<Found>
}

export type DiscoveryKind = 'deck' | 'index' | 'listing'

export interface Scope {
  readonly jobs: JobFilter
  /** Runs that began before are left out, epoch ms; 0: none are. */
  readonly from: number
  /** Runs that began after may be left out, epoch ms; absent: none are. */
  readonly to?: number | undefined
  /** Times of runs read before, by path: epoch ms. Spares looking at them again. */
  readonly knownTimes: (paths: readonly string[]) => Promise<ReadonlyMap<string, number>>
  readonly signal?: AbortSignal | undefined
}

export interface Found {
  /** Each run once, in any order; those not finished too. */
  readonly runs: readonly FoundRun[]
  /**
   * Every run of the scope that began at or after this moment is among them, but for `gaps` and, by the index, for those
   * that have not ended; epoch ms.
   */
  readonly from: number
  /** Parts that could not be had whole, one line each: runs may be missing there. */
  readonly gaps: readonly string[]
  /** Entries of an answer that are left out, by why: no runs of this bucket, or in a form that is not known. */
  readonly skipped?: Readonly<Record<string, number>>
}

export interface FoundRun extends RunPath {
  /** Known to have failed, been aborted or died: read before the others. */
  readonly failed?: boolean
}

/** What the kinds found together, newest time first: each covers what those before it left over. */
export interface ChainFound extends Found {
  readonly attempts: readonly Attempt[]
}

/** What came of asking one kind, for the status page. */
export interface Attempt {
  readonly kind: DiscoveryKind
  readonly runs: number
  /** It covers from here; absent where it failed. */
  readonly from?: number
  readonly skipped?: Readonly<Record<string, number>>
  /** Why it failed, in one line. */
  readonly error?: string
}

export type JobFilter = (job: string) => boolean

/** RE2 patterns over job names; without `include` every job is in. Throws REGEX_* errors. */
export function jobFilter(include: string | undefined, exclude: string | undefined): JobFilter {
  const wanted: LineMatcher | undefined = include === undefined ? undefined : compile(include)
  const unwanted: LineMatcher | undefined = exclude === undefined ? undefined : compile(exclude)
  return (job) => (wanted?.test(job) ?? true) && !(unwanted?.test(job) ?? false)
}
