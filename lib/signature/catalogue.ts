import type { Signature } from '../model/signature.ts'

/** What the signature files say, and what is wrong with them: a bad signature never stops the others. */
export interface Catalogue {
  readonly signatures: readonly Signature[]
  readonly problems: readonly CatalogueProblem[]
}

export interface CatalogueProblem {
  readonly file: string
  /** 1-based. */
  readonly line: number
  readonly signature?: string
  readonly message: string
}
