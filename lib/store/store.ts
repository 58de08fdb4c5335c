import type { Block, BlockRef, Candidate, ListedBlock } from '../model/block.ts'
import type { Evidence } from '../model/evidence.ts'
import type { Exposure, Hit, Track } from '../model/hit.ts'
import type { Incident } from '../model/incident.ts'
import type { Plan } from '../model/plan.ts'
import type { Day, Log, LogKind, Run, RunKey, RunResult, RunType } from '../model/run.ts'

/**
 * The port that every store satisfies (its laws are the tests in contract.ts). All arguments and answers are plain
 * data that survives structured clone, so that a store can live behind a worker thread or a network.
 *
 * Total order everywhere: time descending, then bucket, path, log, line ascending, strings compared as UTF-8 bytes.
 * Times are epoch milliseconds; a run's is a whole number within the years 1970 to 9999. Not frozen before a second
 * store has passed the contract.
 */
export interface Store {
  /** The stamps of those of `paths` that are published, in any order. */
  stamps(bucket: string, paths: readonly string[]): Promise<RunStamp[]>
  /**
   * Opens a new version of a run, which may be found by what it is told here (as runFacts lists it): its record says the
   * same. Nothing of it is visible before `publish`; a version never published is swept.
   */
  begin(run: Run): Promise<Version>
  /** Adds blocks of one log, in line order; where it fails, the version is lost: begin another. A log's calls may not be interleaved with another's of the same version. */
  append(version: Version, log: LogName, blocks: readonly Block[]): Promise<void>
  /**
   * At one moment the version replaces the run's earlier one, with its hits, tracks, exposure and rollups; then the
   * cursor moves, never before. The record names every log that has blocks, each once, of the kind it was appended as.
   */
  publish(version: Version, record: RunRecord): Promise<void>
  /**
   * Of each of the runs, at one moment for each, what it has of the named signatures is replaced by what is given, and all
   * else stays. A run that is gone, or is another version by its fingerprint, is passed over. How many were not.
   */
  replaceFindings(signatures: readonly string[], runs: readonly RunFindings[]): Promise<number>
  /** Notes that a run could not be read; publishing it clears the note. */
  fail(problem: Problem): Promise<void>
  /** The newest first, then by bucket and path; in a page's keys `time` is `at`. */
  problems(page: Page): Promise<Paged<Problem>>
  /** Replaces the stored incidents of a signature. Ids and aliases are the caller's. */
  putIncidents(signature: string, incidents: readonly Incident[]): Promise<void>
  /** Small JSON values under a key (ingest's cursors and progress); undefined where never written. */
  state(key: string): Promise<unknown>
  putState(key: string, value: unknown): Promise<void>
  /** All of them, by key as bytes. */
  states(): Promise<readonly State[]>
  /**
   * Sweeps the text of versions that were replaced or never published (those still open too: call it between passes),
   * and tells how many there were. With `expireBefore`, it then deletes the text of all days before that one.
   */
  maintain(options?: {
    readonly expireBefore?: Day
  }): Promise<{ readonly swept: number; readonly expiredDays: readonly Day[] }>

  /**
   * Keeps evidence for good, unless there is some under its id already; gives what is kept. The one write that a store
   * opened for reading takes, of several processes at once.
   */
  putEvidence(evidence: Evidence): Promise<Evidence>
  evidence(id: string): Promise<Evidence | undefined>
  /** The newest first, then by id; in a page's keys `time` is `frozenAt` and `path` the id. */
  listEvidence(filter: EvidenceFilter, page: Page): Promise<Paged<Evidence>>

  run(key: RunKey): Promise<StoredRun | undefined>
  /** Those of the runs that are published, in any order: for many at once, where `run` tells more than is needed. */
  runsOf(keys: readonly RunKey[]): Promise<readonly Run[]>
  runs(filter: FailureFilter, page: Page): Promise<Paged<Run>>
  /** Job names with a published run, sorted by bytes. */
  jobs(): Promise<readonly string[]>
  /** The blocks of one log that hold lines `from`…`to` (1-based, inclusive), in order; empty once expired. */
  blocks(key: RunKey, log: string, from: number, to: number): Promise<ListedBlock[]>
  /**
   * Blocks that may match, in the total order; those whose every line comes at or before `page.after` are left out. With
   * a plan, each that satisfies it is among them; how many others are is each store's own. A store may end a page that it
   * has looked long for before it is full: there may be no items, and `next` all the same.
   */
  candidates(filter: CandidateFilter, page: Page): Promise<CandidatePage>
  /** The bytes of blocks, in the order asked; undefined for one whose day has expired. A damaged block throws STORE_CORRUPT. */
  read(refs: readonly BlockRef[]): Promise<(Uint8Array | undefined)[]>
  hits(filter: HitFilter, page: Page): Promise<Paged<Hit>>
  /** Hits a signature has in all, and in how many runs, within the range; by signature. */
  countHits(filter: HitFilter): Promise<readonly HitCount[]>
  /** Run by run as asked, by log and resource. */
  tracks(signature: string, runs: readonly RunKey[]): Promise<readonly Track[]>
  /** Those whose `at` lies in the range, the newest first; `id` may be an alias. */
  incidents(filter: {
    readonly signature?: string
    readonly id?: string
    readonly from?: number
    readonly to?: number
  }): Promise<readonly Incident[]>
  /** How many runs the filter finds. */
  countRuns(filter: RunFilter): Promise<number>
  /** By job, day, result and kind; sums that are nothing are left out. */
  rollups(filter: RunFilter): Promise<readonly Rollup[]>
  /** By hour (epoch ms of its start), hours without any left out: how many exposed runs were in flight, and how many of them started in it. */
  exposure(signature: string, from: number, to: number): Promise<readonly ExposureHour[]>
  /**
   * How many runs of the UTC days `from`…`to` (inclusive) could have shown the signature's failure, by what they are: in
   * any order.
   */
  exposedRuns(signature: string, from: Day, to: Day): Promise<readonly ExposedRuns[]>
  /** How many of the runs have a line that they failed with, by its group, job and day: in any order. */
  failures(filter: FailureFilter): Promise<readonly FailureCount[]>
  status(): Promise<StoreStatus>
  close(): Promise<void>
}

/** What a second look at a bucket needs in order to read only what changed. */
export interface RunStamp {
  readonly path: string
  readonly result: RunResult
  /** Says which objects at which generations were read; equal means nothing changed. */
  readonly fingerprint: string
  readonly time: number
  /** When the worker first saw the run, epoch ms. */
  readonly firstSeen: number
}

export type LogName = Pick<Log, 'name' | 'kind'>

export interface Version {
  readonly id: string
  /** Fixed at the run's first version. */
  readonly day: Day
}

export interface RunRecord {
  readonly run: Run
  readonly fingerprint: string
  /** When the worker first saw the run; kept from the first version. */
  readonly firstSeen: number
  readonly logs: readonly Log[]
  readonly hits: readonly Hit[]
  readonly tracks: readonly Track[]
  readonly exposures: readonly Exposure[]
  readonly cursor?: { readonly key: string; readonly value: unknown }
}

/** What a run's text says of signatures. */
export interface RunFindings extends RunKey {
  /** Of the version that was looked at. */
  readonly fingerprint: string
  readonly hits: readonly Hit[]
  readonly tracks: readonly Track[]
  readonly exposures: readonly Exposure[]
}

export interface StoredRun {
  readonly run: Run
  readonly fingerprint: string
  readonly firstSeen: number
  readonly logs: readonly Log[]
  readonly hits: readonly Hit[]
  readonly tracks: readonly Track[]
  readonly exposures: readonly Exposure[]
  /** The text is kept no longer; hits and metadata are. */
  readonly expired: boolean
}

export interface State {
  readonly key: string
  readonly value: unknown
}

export interface Problem extends RunKey {
  readonly code: string
  readonly message: string
  readonly at: number
}

/** All given conditions hold together; an empty list matches nothing. */
export interface RunFilter {
  /** Inclusive. */
  readonly from?: number
  /** Exclusive. */
  readonly to?: number
  readonly bucket?: string
  readonly jobs?: readonly string[]
  readonly results?: readonly RunResult[]
  readonly types?: readonly RunType[]
  readonly buildId?: string
  readonly pull?: { readonly org: string; readonly repo: string; readonly number: number }
}

export interface FailureFilter extends RunFilter {
  /** Groups of the line that they failed with. */
  readonly failures?: readonly string[]
}

export interface CandidateFilter extends RunFilter {
  readonly kinds?: readonly LogKind[]
  /** Blocks that can't satisfy it may be left out. */
  readonly plan?: Plan
}

export interface HitFilter extends RunFilter {
  readonly signature?: string
}

/** Of what is listed under all that is given. */
export interface EvidenceFilter {
  readonly signature?: string
  readonly bug?: string
}

export interface Page {
  /** At least 1. A page may exceed it by what shares the last item's key: hits of one line, windows of one long line. */
  readonly limit: number
  /** Only what comes after this key in the total order. */
  readonly after?: OrderKey
}

/** A place in the total order. Without line (or log) it stands for the end of its log (or run). */
export interface OrderKey {
  readonly time: number
  readonly bucket: string
  readonly path: string
  readonly log?: string
  readonly line?: number
}

export interface Paged<T> {
  readonly items: readonly T[]
  /** Absent when there is no more. */
  readonly next?: OrderKey
}

export interface CandidatePage extends Paged<Candidate> {
  /**
   * How many blocks of the page's stretch of the order (after `page.after`, to `next` or the end) the filter leaves
   * without its plan; stretches laid end to end give all of them. Never less than there are items. A store may estimate
   * it for text of an older layout.
   */
  readonly considered: number
}

export interface HitCount {
  readonly signature: string
  readonly hits: number
  readonly runs: number
  /** The latest moment at which one may have struck. */
  readonly last: number
}

export interface Rollup {
  readonly job: string
  /** Of the run's time. */
  readonly day: Day
  readonly result: RunResult
  /** Runs that have a log of this kind; with kind `any`, all runs. */
  readonly kind: LogKind | 'any'
  readonly runs: number
  /** Decoded bytes of these logs. */
  readonly bytes: number
}

export interface ExposureHour {
  readonly hour: number
  readonly runs: number
  readonly starts: number
}

export interface ExposedRuns {
  readonly job: string
  readonly type: RunType
  readonly result: RunResult
  /** Build cluster and base branch; empty where they are not known. */
  readonly cluster: string
  readonly branch: string
  readonly runs: number
}

export interface FailureCount {
  /** Group of the failure line. */
  readonly group: string
  readonly job: string
  /** Of the runs' time. */
  readonly day: Day
  readonly runs: number
}

/** How far plans can narrow the kept text. What is not indexed, or whose segment is damaged, is a candidate always. */
export interface IndexStatus {
  /** Those swept lately may be among them. */
  readonly blocks: number
  readonly indexed: number
  readonly segments: number
  /** Segments found damaged, not used, and not replaced yet. */
  readonly quarantined: number
}

export interface StoreStatus {
  readonly kind: 'embedded' | 'elasticsearch' | 'reference'
  readonly layout: number
  readonly runs: Readonly<Record<RunResult, number>>
  readonly logs: number
  readonly truncatedLogs: number
  readonly brokenLogs: number
  readonly hits: number
  readonly evidence: number
  /** Decoded bytes of the text that is kept, and what the store needs for them. */
  readonly rawBytes: number
  readonly storedBytes: number
  readonly index: IndexStatus
  /** Days with text, the newest first. */
  readonly days: readonly Day[]
  readonly oldest?: number
  readonly newest?: number
  /** The newest hundred. */
  readonly problems: readonly Problem[]
  readonly problemCount: number
}
