import type { Candidate } from '../../model/block.ts'
import type { RunKey } from '../../model/run.ts'

/** A log's blocks: which day file, and which text in it. */
export interface TextRow extends RunKey {
  readonly time: number
  readonly day: string
  readonly file: number
  readonly log: string
  readonly text: number
}

/** Of runs `r` and their logs `l`. */
export const TEXT_COLUMNS = 'r.time, r.bucket, r.path, r.day, r.file, l.name AS log, l.text'

export interface BlockRow {
  readonly id: number
  readonly first_line: number
  readonly last_line: number
  readonly line_window: number | null
  readonly ascii: number
}

export function candidate(row: TextRow, block: BlockRow): Candidate {
  return {
    ref: { day: row.day, id: `${row.file}.${block.id}` },
    bucket: row.bucket,
    path: row.path,
    time: row.time,
    log: row.log,
    firstLine: block.first_line,
    lineCount: block.last_line - block.first_line + 1,
    ascii: block.ascii === 1,
    ...(block.line_window === null ? {} : { window: block.line_window }),
  }
}
