import type { LogKind } from './run.ts'

/** `outage`: something broke at a moment and runs only detect it. `per-run`: each run may fail by itself. */
export type SignatureKind = 'outage' | 'per-run'

export interface Cause {
  readonly id: string
  readonly title: string
  /** RE2, matched on the text that the capture group `cause` caught. */
  readonly regex: string
}

/** Something people did at a time. Epoch ms. */
export interface Change {
  /** When it was rolled out. */
  readonly at: number
  readonly title: string
  readonly link?: string
  /** The link proves `at`: quiet counts from there, however late the change was written down. */
  readonly datedByLink?: true
  /** Runs that it can have touched; absent: all. */
  readonly scope?: ChangeScope
}

/** A run is in scope if it fits each of the lists given. */
export interface ChangeScope {
  readonly branches?: readonly string[]
  /** RE2 over job names. */
  readonly jobs?: readonly string[]
  /** Build clusters. */
  readonly clusters?: readonly string[]
}

export interface SignatureStatus {
  readonly state: 'active' | 'muted' | 'retired'
  readonly until?: number
  readonly reason?: string
}

/** A named failure, as people edit it in `signatures/*.yaml` (schema: docs/signatures.md). */
export interface Signature {
  readonly id: string
  readonly title: string
  /** What to do when it strikes, for the reader of a red job. */
  readonly advice?: string
  readonly kind: SignatureKind
  readonly regexes: readonly string[]
  /** A line that matches one of these is no match. */
  readonly excludes: readonly string[]
  /** RE2 over job names whose runs are never looked at (unit tests that quote the messages). */
  readonly excludeJobs: readonly string[]
  /** Log kinds searched; empty means all. */
  readonly logs: readonly LogKind[]
  /** In order: the first whose regex matches names the hit's cause. */
  readonly causes: readonly Cause[]
  /** This signature is one phase of `parent`: the parent's hits whose cause is listed. */
  readonly part?: { readonly of: string; readonly causes: readonly string[] }
  /** A hit on a line that one of these signatures hits too is left to them. */
  readonly yieldsTo: readonly string[]
  /** RE2: the line that an exposed run must show. */
  readonly witness?: string
  /** Untimed heartbeats: `start` captures `time` (RFC 3339) on the line that starts the clock, each witness or hit then adds `everySeconds`. */
  readonly clock?: { readonly start: string; readonly everySeconds: number }
  /** Hits join one incident within this many ms. */
  readonly windowMs: number
  /** An incident never spans more than this many ms. */
  readonly maxSpanMs: number
  readonly status: SignatureStatus
  readonly owner?: string
  readonly chat?: string
  readonly component?: string
  readonly blames?: 'infra' | 'product' | 'test'
  readonly bugs: readonly string[]
  /** Those of the bugs that are closed, and when; epoch ms. */
  readonly closedBugs?: readonly { readonly bug: string; readonly at: number }[]
  readonly changes: readonly Change[]
  /** Ids this signature had before, or signatures it replaces. */
  readonly replaces: readonly string[]
  readonly samples: { readonly match: readonly string[]; readonly noMatch: readonly string[] }
  /** Where it is defined, for messages and links. */
  readonly source: { readonly file: string; readonly line: number }
  /** Hash of the rules that decide its hits. */
  readonly definition: string
}
