import type { Rollup } from '../store/store.ts'
import { isFailed } from '../triage/failure-finder.ts'
import type { Impact } from './views.ts'

export interface Counts {
  readonly runs: number
  readonly failed: number
}

/** Runs and failed runs by job. */
export function countByJob(rollups: readonly Rollup[]): ReadonlyMap<string, Counts> {
  const jobs = new Map<string, Counts>()
  for (const { job, kind, result, runs } of rollups) {
    if (kind !== 'any') continue
    const known = jobs.get(job) ?? { runs: 0, failed: 0 }
    jobs.set(job, { runs: known.runs + runs, failed: known.failed + (isFailed(result) ? runs : 0) })
  }
  return jobs
}

/** The words are ci-search's: scripts read them. */
export function impactOf(of: Counts, matched: Counts & { readonly pulls: number }): Impact {
  const start = `${of.runs} runs, ${percent(of.failed, of.runs)}% failed`
  const words =
    of.failed > 0
      ? `${start}, ${percent(matched.failed, of.failed)}% of failures match = ${percent(matched.failed, of.runs)}% impact`
      : `${start}, ${percent(matched.runs, of.runs)}% of runs match`
  return { ...of, matchedRuns: matched.runs, matchedFailed: matched.failed, matchedPulls: matched.pulls, words }
}

/** The line over all jobs, in ci-search's words. */
export function headlineOf(of: Counts & { readonly jobs: number }, matched: Counts, ms: number): string {
  const [runs, failures] = [share(matched.runs, of.runs), share(matched.failed, of.failed)]
  const all = `${of.runs} total runs and ${of.jobs} jobs (${share(of.failed, of.runs)}% failed)`
  return `Found in ${runs}% of runs (${failures}% of failures) across ${all} in ${ms < 1_000 ? `${ms}ms` : `${(ms / 1_000).toFixed(1)}s`}`
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((100 * part) / whole)
}

function share(part: number, whole: number): string {
  return (whole === 0 ? 0 : (100 * part) / whole).toFixed(2)
}
