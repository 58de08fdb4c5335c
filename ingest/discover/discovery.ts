import type { LineMatcher } from '#lib/regex/compile.ts'
import { compile } from '#lib/regex/compile.ts'
import type { RunPath } from './run-path.ts'

/** Finds the runs of a bucket. Listing is one way; others may tell the same sooner. */
export interface Discovery {
  /** Each run once, in any order; those not finished too. Throws BUCKET_* errors. */
  find(scope: Scope): Promise<readonly RunPath[]>
}

export interface Scope {
  readonly jobs: JobFilter
  /** Runs that began before are left out, epoch ms; 0: none are. */
  readonly from: number
  /** Times of runs read before, by path: epoch ms. Spares looking at them again. */
  readonly knownTimes: (paths: readonly string[]) => Promise<ReadonlyMap<string, number>>
  readonly signal?: AbortSignal | undefined
}

export type JobFilter = (job: string) => boolean

/** RE2 patterns over job names; without `include` every job is in. Throws REGEX_* errors. */
export function jobFilter(include: string | undefined, exclude: string | undefined): JobFilter {
  const wanted: LineMatcher | undefined = include === undefined ? undefined : compile(include)
  const unwanted: LineMatcher | undefined = exclude === undefined ? undefined : compile(exclude)
  return (job) => (wanted?.test(job) ?? true) && !(unwanted?.test(job) ?? false)
}
