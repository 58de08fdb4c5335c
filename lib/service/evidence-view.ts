import type { Evidence, EvidenceLine, EvidenceRun } from '../model/evidence.ts'
import type { Signature } from '../model/signature.ts'
import type { RunLinks } from './views.ts'

/** A frozen answer beside what the same question finds today. */
export interface EvidenceView {
  readonly evidence: Evidence
  /** Two lines that say it: what was found, and when and where that was looked for. */
  readonly headline: readonly [string, string]
  /** Where it was asked. */
  readonly source: string
  readonly now: EvidenceNow
  readonly runs: readonly EvidenceRunView[]
  readonly known: readonly KnownBugs[]
  /** Where a bug that says this is begun, by tracker. */
  readonly trackers: readonly { readonly name: string; readonly link: string }[]
  /** To paste into a bug. */
  readonly texts: Readonly<Record<'markdown' | 'jira' | 'plain', string>>
}

export interface EvidenceRunView {
  readonly run: EvidenceRun
  readonly lines: readonly { readonly line: EvidenceLine; readonly links: RunLinks }[]
  /** `expired`: its text is kept no longer. `unknown`: nothing is known of the run any more. */
  readonly text: 'kept' | 'expired' | 'unknown'
}

/** Signatures that know the frozen lines, with the bugs that they name. */
export interface KnownBugs extends Pick<Signature, 'id' | 'title' | 'bugs'> {
  readonly lines: number
}

/** The same range, asked today (epoch ms). */
export interface EvidenceNow {
  readonly at: number
  /** One; two where the signature was edited since. None where nothing could be compared. */
  readonly columns: readonly NowColumn[]
  /** What followed the range. Absent where it has not ended. */
  readonly since?: NowCounts
  /** What a reader must know of it, in sentences. */
  readonly notes: readonly string[]
}

export interface NowColumn extends NowCounts {
  /** Of a signature: with which regexes. */
  readonly rules?: 'frozen' | 'today'
}

export interface NowCounts {
  readonly incidents?: number
  readonly lines?: number
  readonly runs: number
  readonly failedRuns?: number
  /** Time was over: there may be more. */
  readonly partial?: true
}
