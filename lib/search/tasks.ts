import type { ErrorCode, FaultyPattern } from '../errors.ts'
import type { BlockRef } from '../model/block.ts'
import type { Hit } from '../model/hit.ts'
import type { CatalogueFile } from '../signature/catalogue.ts'
import type { StoredRun } from '../store/store.ts'
import type { BlockTally } from './tally-block.ts'
import type { MatchedLine } from './verify.ts'

/** What the engine asks of a worker thread: plain data that survives structured clone. */
export type WorkerTask =
  | VerifyTask
  | CountTask
  | TallyTask
  | LinesTask
  | NamesTask
  | CatalogueTask
  | EvaluateTask
  | KnownTask

/** A batch gives up its turn after this long, so that searches side by side get theirs. */
export const TURN_MS = 50

export const PROGRESS = 0
export const CANCELLED = 1
export const COMPILING = -1

interface Shared {
  /**
   * Shared with the pool. At PROGRESS 1 + the index of the block (or 1) that patterns are run on, COMPILING while they
   * are made, else 0: to open the store and to read is no sign of being stuck. At CANCELLED 1 once the answer is of no use.
   */
  readonly signals: Int32Array
}

export interface BlockTask {
  readonly ref: BlockRef
  /** The block's bytes, where the worker does not read the store itself. */
  readonly bytes?: Uint8Array | undefined
  readonly ascii: boolean
  readonly firstLine: number
  /** Lines up to this one are left out. */
  readonly afterLine: number
}

/** Find the matching lines of blocks. Answers a prefix of the blocks: the worker may give up its turn. */
export interface VerifyTask extends Shared {
  readonly kind: 'verify'
  readonly patterns: readonly string[]
  /** Lines that any of them matches are left out. */
  readonly excludes: readonly string[]
  readonly blocks: readonly BlockTask[]
  readonly dataDir?: string
  readonly context: number
  /** Lines from this one on are left out; none where absent. */
  readonly beforeLine?: number
  readonly maxLinesPerBlock: number
  /** Give the last lines of a block, not the first. */
  readonly fromEnd?: boolean
  /** The task ends after the block that reaches this many lines. */
  readonly maxLines: number
}

/** Count the matching lines of blocks, pattern by pattern. Answers a prefix of the blocks, as `verify`. */
export interface CountTask extends Shared {
  readonly kind: 'count'
  readonly patterns: readonly string[]
  readonly excludes: readonly string[]
  readonly blocks: readonly BlockTask[]
  readonly dataDir?: string
}

/** Tell what a group of each pattern caught in the lines of blocks. Answers a prefix of the blocks, as `verify`. */
export interface TallyTask extends Shared {
  readonly kind: 'tally'
  readonly patterns: readonly string[]
  readonly excludes: readonly string[]
  /** By pattern. */
  readonly groups: readonly number[]
  readonly blocks: readonly BlockTask[]
  readonly dataDir?: string
}

/** The match texts of lines `from`…`to` that these blocks hold. */
export interface LinesTask extends Shared {
  readonly kind: 'lines'
  readonly blocks: readonly BlockTask[]
  readonly dataDir?: string
  readonly from: number
  readonly to: number
}

/** Which names match `include` and not `exclude`; `patterns` and `excludes` are checked on the way. */
export interface NamesTask extends Shared {
  readonly kind: 'names'
  readonly names: readonly string[]
  readonly patterns: readonly string[]
  readonly excludes: readonly string[]
  readonly include?: string
  readonly exclude?: string
}

/** The catalogue of these files: their patterns are compiled, and matched against their samples. */
export interface CatalogueTask extends Shared {
  readonly kind: 'catalogue'
  readonly files: readonly CatalogueFile[]
}

/** Which hits signatures have in these blocks of one run. */
export interface EvaluateTask extends Shared {
  readonly kind: 'evaluate'
  /** Signatures as JSON: a thread keeps what it compiled, by this text. */
  readonly signatures: string
  readonly run: Pick<StoredRun, 'run' | 'logs'>
  /** By the name of the log, in line order; others may lie between them. */
  readonly blocks: ReadonlyMap<string, readonly RunBlock[]>
  readonly dataDir?: string
}

/** Which signatures know each of these lines. */
export interface KnownTask extends Shared {
  readonly kind: 'known'
  /** As JSON, as of EvaluateTask. */
  readonly signatures: string
  /** Match texts. */
  readonly lines: readonly string[]
}

export interface RunBlock extends BlockTask {
  readonly lineCount: number
  readonly window?: number
}

/** What became of one run; hits only where it was looked at whole. */
export interface RunOutcome {
  readonly state: Outcome['state']
  readonly hits: readonly Hit[]
}

/** What became of one block. */
export interface Outcome {
  /** `stuck`: the patterns did not come to an end on it. */
  readonly state: 'done' | 'expired' | 'damaged' | 'stuck'
  readonly bytes: number
}

export interface LinesOutcome extends Outcome {
  readonly lines: readonly MatchedLine[]
  /** Matching lines beyond those given. */
  readonly more: number
}

export interface CountOutcome extends Outcome {
  /** Matching lines by pattern, and of lines that match any. */
  readonly counts: readonly number[]
  readonly any: number
}

export interface TallyOutcome extends Outcome, BlockTally {}

/** A pattern that was refused. */
export interface Refusal {
  readonly refused: {
    readonly code: ErrorCode
    readonly message: string
    readonly position: number | undefined
    readonly pattern: FaultyPattern | undefined
  }
}
