import type { RunKey } from './run.ts'

/** How a moment in a log was found (DOMAIN.md's placement rules), best first. */
export type TimeSource = 'line' | 'neighbours' | 'heartbeats' | 'run' | 'id'

/** A moment known only within bounds. Epoch ms, UTC, `earliest` ≤ `latest`. */
export interface Placed {
  readonly earliest: number
  readonly latest: number
  readonly source: TimeSource
}

/** One line of one log that a signature matched: one per run, resource and cause, the first. */
export interface Hit extends RunKey {
  readonly signature: string
  /** Hash of the signature's matching rules when this hit was found. */
  readonly definition: string
  readonly job: string
  readonly log: string
  /** 1-based. */
  readonly line: number
  /** The line as matched (ANSI removed), capped at 2,000 characters. */
  readonly text: string
  /** Up to two lines before and after, capped likewise; kept when the log's text expires. */
  readonly before: readonly string[]
  readonly after: readonly string[]
  /** Id of the cause, e.g. `eof`, `no_route`; empty where the signature has none. */
  readonly cause: string
  /** The captured resource (a lease's name), or empty. */
  readonly resource: string
  /** The witness showed again after the failure's last line of this resource: the run went on. */
  readonly recovered?: true
  readonly placed: Placed
  /** The run's time, epoch ms: the order of hits is the order of runs. */
  readonly time: number
}

/**
 * The witness lines of one run and resource: what a swimlane draws, and proof that the run could have shown the failure.
 * A part has none: its parent's are its own.
 */
export interface Track extends RunKey {
  readonly signature: string
  readonly resource: string
  readonly log: string
  /** Marks in log order, at most 2,000 (the middle left out beyond that). */
  readonly marks: readonly TrackMark[]
}

export interface TrackMark {
  /** `witness`, the id of a cause, or `other` for a hit whose cause is not known. */
  readonly what: string
  readonly line: number
  readonly placed: Placed
}

/** That a run could have shown a signature's failure: it is in scope, fully read and shows the witness. */
export interface Exposure {
  readonly signature: string
  /** In flight from … to, epoch ms. */
  readonly from: number
  readonly to: number
}
