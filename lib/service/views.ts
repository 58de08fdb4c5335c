import type { ErrorCode, FaultyPattern } from '../errors.ts'
import type { Gap } from '../model/gap.ts'
import type { Hit, Track } from '../model/hit.ts'
import type { Cadence, Incident, RunOutcome } from '../model/incident.ts'
import type { BackfillState, IngestState, Traffic } from '../model/ingest-state.ts'
import type { Day, Log, Run } from '../model/run.ts'
import type { Change, Signature } from '../model/signature.ts'
import type { Verdict } from '../model/verdict.ts'
import type { SearchAnswer, Searcher, SearchHit } from '../search/engine.ts'
import type { Meet } from '../search/meet.ts'
import type { SearchQuery } from '../search/query.ts'
import type { IndexStatus, OrderKey, Problem, StoreStatus } from '../store/store.ts'
import type { Killed } from '../triage/coverage.ts'
import type { News } from '../triage/news.ts'
import type { Usual } from '../triage/usual.ts'
import type { CoverageView } from './coverage.ts'
import type { Histogram } from './histogram.ts'
import type { Owner } from './owners.ts'

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
  /** A restore or a move into this store has not ended. From where is not for every reader. */
  readonly filling?: true
  /** While a pass runs: runs done of runs found. */
  readonly progress?: { readonly done: number; readonly total: number }
}

export interface TriageView {
  readonly window: { readonly from: number; readonly to: number }
  /** Of the failed runs of the last 14 days, how many died of a known failure. */
  readonly coverage: Pick<CoverageView, 'window' | 'failed' | 'died' | 'apart'>
  readonly news: News
  /** Of all that are listed. */
  readonly owners: readonly Owner[]
  /** Whose signatures alone are told; absent: all. News then leaves groups out, which nobody owns. */
  readonly owner?: string
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
  readonly verdict: Verdict
  /** The verdict's state as pages say it. */
  readonly stateWord: string
  /** The cadence in words, for people: `on average every 5.2 d (95%: 3.0–10.0), 12 incidents`. */
  readonly words: string
  /** All incidents of the strip's window, votes below two marked in drawing. */
  readonly incidents: readonly Incident[]
  /** Failed runs of the last 14 days that died of it; absent: none did. */
  readonly killed?: Killed
  /** When the latest incident ended at the latest, counted or not; epoch ms. */
  readonly lastSeen?: number
  /** Runs hit within the strip's window. */
  readonly runsHit: number
  /** Runs hit in the 24 hours before now. */
  readonly hits24h: number
  /** Runs hit in 24 hours, as it usually is; absent where fewer than seven earlier days tell. */
  readonly usual24h?: Usual
}

export interface SignatureView {
  readonly signature: Signature
  readonly parts: readonly Signature[]
  readonly parent?: Signature
  readonly cadence: Cadence
  readonly verdict: Verdict
  /** Sentences that answer the page's question, verdict first. */
  readonly sentences: readonly string[]
  readonly incidents: readonly Incident[]
  readonly changes: readonly Change[]
  /** Per UTC day: hours in which a run could have shown it (0–24), exposed runs started, runs hit by incidents drawn that day. */
  readonly days: readonly {
    readonly day: number
    readonly watchedHours: number
    readonly runs: number
    readonly runsHit: number
  }[]
  readonly window: { readonly from: number; readonly to: number }
  readonly completeTo?: number
  /** The rules were edited since: with those of today only text from here on was looked through (epoch ms), older text was gone. */
  readonly evaluatedFrom?: number
  readonly causes: readonly { readonly id: string; readonly title: string; readonly runs: number }[]
  /** How the runs hit ended. */
  readonly outcomes: { readonly failed: number; readonly passed: number; readonly other: number }
  /** Newest first. */
  readonly hits: readonly HitView[]
  readonly moreHits: boolean
  /** Where the next page of hits starts, if there is more. */
  readonly nextHits?: OrderKey
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
    readonly outcome: RunOutcome
    /** The outcome in words: `died of it` */
    readonly end: string
  }[]
  /** Runs beyond the lanes drawn. */
  readonly moreRuns: number
  /** Of all its runs. */
  readonly outcomes: Readonly<Record<RunOutcome, number>>
  /** `8 runs died of it, 2 failed later of something else, 3 passed` */
  readonly outcomeWords: string
  /** Incidents of other signatures that are taken as the same outage, by time. */
  readonly together: readonly Companion[]
}

/** An incident of another signature that struck together with one, as the two signatures do more often than chance. */
export interface Companion {
  readonly signature: Pick<Signature, 'id' | 'title'>
  readonly incident: Pick<Incident, 'id' | 'at' | 'from' | 'to'> & { readonly runs: number }
  /** Runs that both hit, and build clusters on which both struck. */
  readonly sharedRuns: number
  readonly sharedClusters: readonly string[]
  /** How often their signatures struck together, and how often they would by chance. */
  readonly times: number
  readonly expected: number
}

export interface RunView {
  readonly run: Run
  readonly logs: readonly Log[]
  readonly expired: boolean
  readonly links: RunLinks
  readonly hits: readonly (HitView & { readonly signature?: Signature })[]
  /** The log shown, in a window round the anchor. */
  readonly window?: LogWindow
  readonly find?: FindView
}

/** What a pattern finds in the logs of one run. */
export interface FindView {
  readonly pattern: string
  /** Matching lines in all logs, and of each that has any; lower bounds where `partial` is not empty. */
  readonly lines: number
  readonly logs: readonly { readonly log: string; readonly lines: number }[]
  /** Those in the window, and where in their match text the pattern matches (UTF-16 units). */
  readonly marks: readonly {
    readonly line: number
    readonly spans: readonly { readonly from: number; readonly to: number }[]
  }[]
  /** The nearest matching lines before and after the window, in its log. */
  readonly previous?: number
  readonly next?: number
  readonly searched: SearchAnswer['searched']
  readonly partial: SearchAnswer['partial']
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

/** How the reading of one bucket stands. Times are epoch ms. */
export interface BucketStatus {
  readonly bucket: string
  /** The worker that reads it, as `host 4711`; absent where none of this version has. */
  readonly worker?: string
  readonly completeTo?: number
  /** How long ago that was, ms. */
  readonly lag?: number
  readonly lastPass?: number
  readonly error?: string
  /** Runs that the pass under way has found and not yet dealt with. */
  readonly queue: number
  /** Runs that could not be read: to be tried again, and given up until the worker starts anew. */
  readonly retrying: number
  readonly givenUp: number
  readonly discovery: NonNullable<IngestState['discovery']>
  readonly cursors: NonNullable<IngestState['cursors']>
  readonly traffic?: Traffic
  readonly backfill?: Omit<BackfillState, 'bucket'>
  /** The newest first; those made up for, too. */
  readonly gaps: readonly Gap[]
}

export interface StatusView {
  readonly store: StoreStatus
  readonly freshness: Freshness
  readonly buckets: readonly BucketStatus[]
  readonly problems: readonly Problem[]
  /** Of the newest thousand problems, how many have each code; the most first. */
  readonly problemCodes: readonly { readonly code: string; readonly runs: number }[]
  readonly signatures: number
  /** Changes with a verdict on them, and the chance at which each of these is wrong at most. */
  readonly changesWatched: { readonly count: number; readonly chance: number }
  /** In this process of the site: the threads that run patterns, their tasks, searches under way and waiting. */
  readonly searching: ReturnType<Searcher['load']>
  /** Signatures that were edited are being looked for anew. */
  readonly reevaluation?: { readonly signatures: readonly string[]; readonly done: number; readonly total: number }
  readonly catalogueProblems: TriageView['catalogueProblems']
}

/** How far the data reaches that a search went through, and how much of its text is indexed. */
export interface DataReach extends Pick<Freshness, 'state' | 'readTo' | 'completeTo'> {
  readonly index: Omit<IndexStatus, 'segments'>
  /** `complete for runs started before 1 Dec 2026 11:58 UTC; 99% of 1,234 blocks indexed` */
  readonly words: string
  /** Why answers may be old, or take longer than they need. */
  readonly warnings: readonly string[]
  /** Why runs may be missing from any count, whatever was searched; empty: those before `completeTo` are all in. */
  readonly lacking: readonly DataLack[]
}

/**
 * `incomplete`: no moment is known up to which all runs are in. `late`: the worker is behind. `filling`: a restore or a
 * move has not ended. `gap`: runs of a part of the time asked about may be missing. `reevaluation`: signatures that were
 * edited are being looked for anew.
 */
export type DataLack = 'incomplete' | 'late' | 'filling' | 'gap' | 'reevaluation'

/** A search's page. Counts are of what was found; where `cut` is given, they are lower bounds. */
export interface SearchView {
  readonly query: SearchQuery
  readonly range: { readonly from: number; readonly to: number }
  /** What is wrong with the query, for the page; there are no groups then. */
  readonly error?: {
    readonly code: ErrorCode
    readonly message: string
    readonly position?: number | undefined
    readonly pattern?: FaultyPattern | undefined
  }
  /** `Found in 4.60% of runs (6.34% of failures) across 1000 total runs and 50 jobs (72.50% failed) in 190ms` */
  readonly headline: string
  /** In the total order: newest first. */
  readonly hits: readonly SearchHitView[]
  /** The same hits; groups in the order of their first; one without a name where hits are not grouped. */
  readonly groups: readonly SearchGroup[]
  /** On the first page by job: the jobs that match, but have no line on it. */
  readonly others?: readonly { readonly key: string; readonly impact: Impact }[]
  /** `lines` on this page; all else in the whole range. */
  readonly found: Matched & { readonly lines: number }
  /** Runs and jobs in the range (whole UTC days) that the job filters leave, whatever their result. */
  readonly of: { readonly runs: number; readonly failed: number; readonly jobs: number }
  readonly searched: SearchAnswer['searched']
  /** How each pattern narrowed what was read: in sentences, and its plan in short. */
  readonly explained: readonly {
    readonly pattern: string
    readonly sentences: readonly string[]
    readonly plan: string
  }[]
  readonly partial: SearchAnswer['partial']
  /** How old the data may be; absent where nothing was searched. */
  readonly reach?: DataReach
  /** In words, what the answer lacks: `first 200 lines; more exist`. */
  readonly cut?: string
  /** In words: no range was named, the default one holds no line, so all text kept was searched. */
  readonly widened?: string
  /** Runs that match over the range; absent but on the first page. */
  readonly histogram?: Histogram
  /** Parameters of this search with its range made absolute: what it says, whenever it is opened. */
  readonly permanent: string
  /** Parameters of the next page, with an absolute range. */
  readonly next?: string
}

/** Runs that match, in the whole range of a search. */
export interface Matched {
  readonly runs: number
  readonly failedRuns: number
  readonly jobs: number
  readonly pulls: number
  /** Each pattern of the query by itself. */
  readonly patterns: readonly { readonly pattern: string; readonly runs: number; readonly failedRuns: number }[]
  /** Of several patterns: runs that hold a line of any, of all, of the first and no other. */
  readonly meeting?: Readonly<Record<Meet, { readonly runs: number; readonly failedRuns: number }>>
  /** By UTC day of the runs, the newest first; days without any left out. */
  readonly days: readonly { readonly day: Day; readonly runs: number; readonly failedRuns: number }[]
  /** Time was over: only runs from this moment on (epoch ms) were counted. */
  readonly countedFrom?: number
}

export interface SearchGroup {
  /** A job, or a run's path, or empty. */
  readonly key: string
  readonly impact?: Impact
  readonly hits: readonly SearchHitView[]
}

/** How much of a job's runs a search explains. Failed: failure or error. */
export interface Impact {
  readonly runs: number
  readonly failed: number
  readonly matchedRuns: number
  readonly matchedFailed: number
  /** PRs whose runs match. */
  readonly matchedPulls: number
  /** `19 runs, 63% failed, 17% of failures match = 11% impact` */
  readonly words: string
}

export interface SearchHitView {
  readonly hit: SearchHit
  readonly links: RunLinks
}
