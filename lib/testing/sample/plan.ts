import type { RunType } from '#lib/model/run.ts'
import type { Job } from './jobs.ts'
import type { NearMiss } from './story.ts'

/** A failure's line in a run. */
export interface Plant {
  readonly id: string
  /** The outage's true instant, or the line's own for a failure of one run; epoch ms. */
  readonly at: number
  /** When its line is written, where an outage shows later in some runs. */
  readonly lineAt?: number
  /** The run died of it. */
  readonly fatal: boolean
  /** Heartbeats missed in a row (boskos.heartbeat). */
  readonly missed?: number
  /** The last missed heartbeats were refused: the new pod was there but not yet listening. */
  readonly refused?: boolean
}

/** How a run's objects are odd; absent for most. */
export type Shape =
  | 'crier-aborted'
  | 'finished-without-time'
  | 'passed-null'
  | 'finished-not-json'
  | 'empty-build-log'
  | 'no-build-log'
  | 'pending'
  | 'lost'
  | 'truncated-gzip'
  | 'died-before-logging'
  | 'only-prowjob'
  | 'clone-failed'
  | 'container-build-logs'
  | 'raw-bytes'

/** A run before it has its id. */
export interface Draft {
  readonly job: Job
  /** Epoch ms, whole seconds. */
  readonly start: number
  readonly end: number
  readonly state: 'success' | 'failure' | 'aborted' | 'error'
  readonly plants: readonly Plant[]
  readonly unexplained?: string
  readonly shape?: Shape
  readonly batch?: boolean
  /** Pull request, where the story names one; else so many before the newest, else any of the newest. */
  readonly pull?: number
  readonly pullsBack?: number
  /** When a cloud's runs hold their lease; heartbeats come every 30 s from then. */
  readonly lease?: { readonly from: number; readonly to: number }
}

export interface Pull {
  readonly number: number
  readonly author: string
  readonly sha: string
}

/** All that decides a run's objects, byte for byte, together with the seed. */
export interface Planned extends Omit<Draft, 'batch' | 'pull' | 'pullsBack'> {
  readonly seed: number
  readonly buildId: string
  readonly path: string
  readonly type: RunType
  readonly cluster: string
  readonly namespace: string
  readonly baseSha: string
  readonly pulls: readonly Pull[]
  readonly nearMisses: readonly NearMiss[]
  /** The mirror step still has its old name. */
  readonly oldMirror: boolean
}

export const BEAT = 30_000
/** boskosctl gives up at the 11th missed heartbeat in a row. */
export const FATAL_MISSES = 11

/** The first heartbeat, counted from 1, that an outage from `at` on swallows. */
export function firstMissedBeat(leasedAt: number, at: number): number {
  return Math.max(1, Math.ceil((at - leasedAt) / BEAT))
}
