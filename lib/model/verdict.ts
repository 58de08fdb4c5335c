import type { Change } from './signature.ts'

/**
 * What is to be said of a signature now (docs/statistics.md):
 * `never`: nothing found; `one-pr`: one pull request or run only; `active`: strikes, or too little quiet to tell;
 * `quiet`: no change is known, and a quiet this long is hardly chance; `holding`: the same since a change; `rarer` and
 * `back`: seen again since a change, less often than before or not; `unclear`: what would show it is no longer written.
 */
export type VerdictState = 'never' | 'one-pr' | 'active' | 'quiet' | 'holding' | 'rarer' | 'back' | 'unclear'

/** Changes too close together to tell apart, with one verdict. Times are epoch ms. */
export interface ChangeGroup {
  /** By time; at least one. */
  readonly changes: readonly Change[]
  readonly from: number
  readonly to: number
  /** Quiet counts from here: later than `to` where prowl first saw a change after it was made. */
  readonly countsFrom: number
}

export interface Verdict {
  readonly state: VerdictState
  /** The chance of so few since the change, or of a quiet this long, had the rate not changed. Absent: none is given. */
  readonly chance?: number
  /** Why no chance is given, where one might expect it. */
  readonly withheld?: 'bursty' | 'continuous' | 'nothing before' | 'not yet'
  /** Why it can't be told. */
  readonly unclear?: 'witness' | 'unwatched'
  /** How many would have come since the change at the rate before, in the cadence's unit. */
  readonly expected?: number
  /** What the quiet still allows at 95 %: one every so many calendar days, or runs. */
  readonly allows?: number
  /** When quiet would reach its threshold if it lasted, epoch ms; `beyond`: not within a year. */
  readonly tellsAt?: number | 'beyond'
  /** The threshold that `tellsAt` is of. */
  readonly threshold?: number
  /** What the gaps so far show; absent: not tested. */
  readonly regularity?: 'regular' | 'bursty' | 'none'
  /** Of regular gaps: the chance of one as long as now. */
  readonly overdue?: number
  /** Days since the last incident counted, and the longest gap before. */
  readonly quietDays?: number
  readonly longestGap?: number
  /** What jobs ran before and after differs so much that the plain ratio of runs misleads: by this factor. */
  readonly jobMix?: number
  /** States with hits joined within half and twice the window, where they differ. */
  readonly unsteady?: readonly { readonly window: 'half' | 'double'; readonly state: VerdictState }[]
}
