import type { RunKey } from '../../../model/run.ts'

/** What can be wrong with a data directory, and what a repair does about it. docs/operations.md tells of each. */
export const FAULTS = {
  FILE_DAMAGED: 'indices are made anew; where that is not enough, a day file is put aside and its runs are read again',
  FILE_MISSING: 'its runs are read again',
  TEXT_MISSING: 'the run is read again',
  BLOCK_DAMAGED: 'the run is read again',
  INDEX_DAMAGED: 'the segment is made anew',
  SUM_WRONG: 'sums are worked out anew',
  ROW_LOST: 'rows of no run are deleted',
  HIT_DOUBLED: 'all but one are deleted',
  ROW_DAMAGED: undefined,
  EVIDENCE_DAMAGED: undefined,
} as const
export type FaultCode = keyof typeof FAULTS

export interface Fault {
  readonly code: FaultCode
  /** Below the data directory. */
  readonly file: string
  /** What is wrong there, on one line. */
  readonly detail: string
  /** Of a run's text. */
  readonly run?: RunKey
  /** The run is marked: the worker's next pass reads it again. */
  readonly waiting?: true
  /** Of an index. */
  readonly segment?: number
}

export interface Checked {
  readonly files: number
  readonly runs: number
  readonly hits: number
  readonly blocks: number
  readonly segments: number
  readonly evidence: number
}

export interface Report {
  readonly faults: readonly Fault[]
  readonly checked: Checked
  /** Versions' texts that nothing names: what was replaced or never published, and is swept by the worker's next pass. */
  readonly leftovers: number
}

export function isRepairable({ code, file }: Fault): boolean {
  return FAULTS[code] !== undefined && (code !== 'FILE_DAMAGED' || file.startsWith('days/'))
}
