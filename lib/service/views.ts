import type { Hit, Track } from '../model/hit.ts'
import type { Cadence, Incident } from '../model/incident.ts'
import type { Log, Run } from '../model/run.ts'
import type { Change, Signature } from '../model/signature.ts'
import type { Problem, StoreStatus } from '../store/store.ts'

/** Links of one line or run to where people also look: each absent where the deployment has none. */
export interface RunLinks {
  readonly prowl: string
  readonly spyglass?: string
  readonly artifacts?: string
  readonly jobHistory?: string
  readonly pull?: string
}

/** The freshness line of every page. */
export interface Freshness {
  readonly readTo?: number
  readonly completeTo?: number
  readonly runs: number
  readonly pending: number
  readonly truncated: number
  readonly problems: number
  /** In words; `late` when the worker has not finished a pass within its time. */
  readonly state: 'never' | 'reading' | 'fresh' | 'late'
  /** While a pass runs: runs done of runs found. */
  readonly progress?: { readonly done: number; readonly total: number }
}

export interface TriageView {
  readonly window: { readonly from: number; readonly to: number }
  /** Failed runs (failure and error; aborted and lost apart) in the last 14 days, and how many of them hold a hit. */
  readonly failed: { readonly runs: number; readonly withHit: number; readonly days: number }
  readonly rows: readonly TriageRow[]
  readonly muted: readonly TriageRow[]
  readonly catalogueProblems: readonly {
    readonly file: string
    readonly line: number
    readonly signature?: string
    readonly message: string
  }[]
}

export interface TriageRow {
  readonly signature: Signature
  readonly parts: readonly { readonly signature: Signature; readonly runsHit: number }[]
  readonly cadence: Cadence
  /** The cadence in words, for people: `on average every 5.2 d (95%: 3.0–10.0), 12 incidents`. */
  readonly words: string
  /** All incidents of the strip's window, votes below two marked in drawing. */
  readonly incidents: readonly Incident[]
  readonly lastSeen?: number
  readonly runsHit: number
  readonly hits24h: number
}

export interface SignatureView {
  readonly signature: Signature
  readonly parts: readonly Signature[]
  readonly parent?: Signature
  readonly cadence: Cadence
  /** Sentences that answer the page's question, verdict first. */
  readonly sentences: readonly string[]
  readonly incidents: readonly Incident[]
  readonly changes: readonly Change[]
  /** Per UTC day: hours in which a run could have shown it (0–24), exposed runs started, runs hit. */
  readonly days: readonly {
    readonly day: number
    readonly watchedHours: number
    readonly runs: number
    readonly runsHit: number
  }[]
  readonly window: { readonly from: number; readonly to: number }
  readonly completeTo?: number
  readonly causes: readonly { readonly id: string; readonly title: string; readonly runs: number }[]
  readonly byJob: readonly { readonly job: string; readonly runs: number; readonly of: number }[]
  readonly outcomes: { readonly failed: number; readonly passed: number; readonly other: number }
  readonly hits: readonly HitView[]
  readonly moreHits: boolean
}

export interface HitView {
  readonly hit: Hit
  readonly run?: Run
  readonly links: RunLinks
}

export interface IncidentView {
  readonly signature: Signature
  readonly incident: Incident
  readonly lanes: readonly {
    readonly run: Run
    readonly tracks: readonly Track[]
    readonly hits: readonly Hit[]
    readonly links: RunLinks
  }[]
}

export interface RunView {
  readonly run: Run
  readonly logs: readonly Log[]
  readonly expired: boolean
  readonly links: RunLinks
  readonly hits: readonly (HitView & { readonly signature?: Signature })[]
  /** The log shown, in a window round the anchor. */
  readonly window?: LogWindow
}

export interface LogWindow {
  readonly log: Log
  readonly from: number
  readonly to: number
  /** Lines as they were, ANSI codes kept, capped at 8 KiB each. */
  readonly lines: readonly { readonly number: number; readonly text: string; readonly cut: boolean }[]
  /** Lines of this log that hold a signature's hit. */
  readonly hitLines: readonly number[]
}

export interface StatusView {
  readonly store: StoreStatus
  readonly freshness: Freshness
  readonly buckets: readonly {
    readonly bucket: string
    readonly completeTo?: number
    readonly lastPass?: number
    readonly error?: string
  }[]
  readonly problems: readonly Problem[]
  readonly signatures: number
  readonly catalogueProblems: TriageView['catalogueProblems']
}
