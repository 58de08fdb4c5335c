import type { RunKey, RunType } from './run.ts'
import type { Change } from './signature.ts'
import type { ChangeGroup } from './verdict.ts'

/** Hits that belong to one outage: close in time, across runs. Epoch ms. */
export interface Incident {
  /** Given once; a merge keeps the old id in `aliases`. */
  readonly id: string
  readonly aliases: readonly string[]
  readonly signature: string
  /** The incident began between `from.earliest` and `from.latest`, likewise its end. */
  readonly from: { readonly earliest: number; readonly latest: number }
  readonly to: { readonly earliest: number; readonly latest: number }
  /** The moment it is drawn at: the midpoint of the range in which its first hit falls. */
  readonly at: number
  /** Causes in the order in which they first struck. */
  readonly causes: readonly string[]
  readonly runs: readonly IncidentRun[]
  readonly jobs: readonly string[]
  /** `org/repo#number` of its presubmit runs. */
  readonly pulls: readonly string[]
  readonly clusters: readonly string[]
  /**
   * One per pull request and one per periodic or postsubmit run; batch and rehearsal runs have none. An outage's
   * incident below two is kept out of the cadence: "one PR only".
   */
  readonly votes: number
}

/**
 * What became of a run that was hit. `died`: it failed, and never recovered from this. `later`: it recovered, and failed
 * of something else. `other`: it was aborted, lost, or has not ended.
 */
export type RunOutcome = 'died' | 'later' | 'passed' | 'other'

export interface IncidentRun extends RunKey {
  readonly job: string
  readonly buildId: string
  /** The run's time, epoch ms. */
  readonly time: number
  readonly result: string
  readonly outcome: RunOutcome
  /** What more is known of it, as its run says. */
  readonly type?: RunType
  readonly cluster?: string
  readonly branch?: string
  /** Group of the line that it failed with. */
  readonly failure?: string
  /** `org/repo#number` of each pull request that it tested. */
  readonly pulls?: readonly string[]
  /** Causes of the run's hits in this incident, in the order in which they struck; absent where the signature has none. */
  readonly causes?: readonly string[]
}

/** An exact interval, `low` ≤ the estimate ≤ `high`; `high` is Infinity where nothing bounds it. */
export interface Interval {
  readonly low: number
  readonly high: number
}

/** What could have shown a failure. */
export interface Watched {
  readonly watchedHours: number
  /** Eligible runs that started. */
  readonly exposedRuns: number
}

/**
 * How often a signature strikes (docs/statistics.md). For an outage: incidents that struck runs, a calendar day of the
 * window, at the share of it that was watched. For a per-run failure: runs hit, of the runs that could have shown it.
 */
export interface Cadence {
  readonly unit: 'days' | 'runs'
  /** Start and end of the window counted, epoch ms: up to the changes judged where there are some. */
  readonly from: number
  readonly to: number
  /** Counted in the window: incidents of two votes or more; for a per-run failure runs hit, a pull request's once. */
  readonly incidents: number
  /** One incident every `mean` units: calendar days of the window, or eligible runs. Absent with none. */
  readonly mean?: number
  /** 95 % exact Poisson interval of `mean`; with none, only `low` bounds it (one-sided). */
  readonly interval: Interval
  /** Days between the incidents counted, in order; none for a per-run or continuous failure. */
  readonly gaps: readonly number[]
  /** Hours in which a run could have shown it, within the window. */
  readonly watchedHours: number
  /** Eligible runs that started within the window. */
  readonly exposedRuns: number
  /** When the last incident counted struck, of all time. */
  readonly last?: number
  /** The latest changes that are judged, if the signature has any that the data reaches on both sides. */
  readonly group?: ChangeGroup
  /** Changes after them of which nothing can be told: none struck between. */
  readonly later?: readonly Change[]
  /** When incidents struck after those changes, by time. */
  readonly since: readonly number[]
  /**
   * What was watched after them, from where quiet counts until runs are complete; `incidents` in this cadence's unit are
   * all since the changes, those before quiet counts too.
   */
  readonly after?: Watched & { readonly to: number; readonly incidents: number }
  /** What was watched since the last incident counted. */
  readonly quiet?: Watched & { readonly from: number; readonly to: number }
  /** What is watched a day, of the last four weeks. */
  readonly daily: Watched
  /** Incidents left out for having one vote: "one PR only". */
  readonly excluded: number
  /** Hits come so often that incidents run together: runs are counted, and no gaps given. */
  readonly continuous: boolean
  /** Runs hit within the window, counted or not. */
  readonly runsHit: number
}
