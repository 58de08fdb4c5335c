import type { Database } from './database.ts'
import type { DayFiles } from './day-files.ts'
import type { EvidenceFile } from './evidence.ts'
import type { GramIndex } from './grams/gram-index.ts'

/** A data directory's files, and what is known of their index. */
export interface Opened {
  readonly catalogue: Database
  readonly files: DayFiles
  readonly index: GramIndex
  readonly evidence: EvidenceFile
}
