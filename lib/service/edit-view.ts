import type { ErrorCode } from '../errors.ts'
import type { Run } from '../model/run.ts'
import type { CatalogueProblem } from '../signature/catalogue.ts'
import type { Preview, PreviewAnswer } from './preview.ts'
import type { HitView, RunLinks } from './views.ts'

/** A signature's YAML, and what an edit of it would change. */
export interface EditView {
  /** Absent of one that is not there yet. */
  readonly signature?: { readonly id: string; readonly title: string }
  /** Where the YAML stands, or may be put. */
  readonly file: string
  /** The lines that it takes there, 1-based and inclusive. */
  readonly lines?: { readonly from: number; readonly to: number }
  /** The entry, as edited or as its file has it, without indentation. */
  readonly yaml: string
  /** The edit is what the file has. */
  readonly same?: true
  /** What is wrong with it: the first fifty, and how many more. */
  readonly problems: readonly EditProblem[]
  readonly moreProblems?: number
  /** Why there is no answer. */
  readonly error?: { readonly code: ErrorCode; readonly message: string }
  readonly answer?: EditAnswer
  /** What to put into the file: the entry with its indentation, or a file's whole text. */
  readonly paste?: string
}

export interface EditProblem extends CatalogueProblem {
  /** `edit`: `line` counts in the YAML that was given, and `text` is that line. `file`: in the file as it would be. */
  readonly in: 'edit' | 'file'
  readonly text?: string
}

export interface EditAnswer extends Omit<PreviewAnswer, 'previews'> {
  readonly previews: readonly EditChange[]
  /** Signatures whose stored hits are not yet those of today's file. */
  readonly stale: readonly string[]
}

export interface EditChange extends Omit<Preview, 'gained' | 'lost'> {
  readonly gained: EditRuns
  readonly lost: EditRuns
}

export interface EditRuns {
  readonly count: number
  /** The first fifty, newest first. */
  readonly runs: readonly EditRun[]
}

export interface EditRun {
  readonly run: Run
  readonly links: RunLinks
  readonly hits: readonly HitView[]
  readonly moreHits: number
}
