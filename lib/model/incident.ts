import type { RunKey } from './run.ts'

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
  /** `org/repo#number` */
  readonly pulls: readonly string[]
  readonly clusters: readonly string[]
  /** One vote per pull request, or periodic run. Below two, it is kept out of the cadence: "one PR only". */
  readonly votes: number
}

export interface IncidentRun extends RunKey {
  readonly job: string
  readonly buildId: string
  readonly result: string
}

/** An exact interval, `low` ≤ the estimate ≤ `high`; `high` is Infinity where nothing bounds it. */
export interface Interval {
  readonly low: number
  readonly high: number
}

/** How often a signature strikes (STATISTICS.md): incidents over exposure. Days are units of 24 h. */
export interface Cadence {
  readonly unit: 'days' | 'runs'
  /** Start and end of the window counted, epoch ms: up to the latest change where there is one. */
  readonly from: number
  readonly to: number
  readonly incidents: number
  /** One incident every `mean` units (calendar days of the window for an outage); absent with none. */
  readonly mean?: number
  /** 95 % exact Poisson interval of `mean`. */
  readonly interval: Interval
  /** Days between the incidents counted, in order. */
  readonly gaps: readonly number[]
  /** Hours in which a run could have shown it, within the window. */
  readonly watchedHours: number
  /** Eligible runs within the window. */
  readonly exposedRuns: number
  readonly last?: number
  /** The latest change, if the signature has any. */
  readonly change?: { readonly at: number; readonly title: string; readonly link?: string }
  /** Incidents after that change, by time. */
  readonly since: readonly number[]
}
