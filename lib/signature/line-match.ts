import { lineTexts } from '../text/line-texts.ts'
import type { Catalogue } from './catalogue.ts'
import { type CompiledSignature, compileSignature, findMatch, type TextMatch } from './compiled.ts'

export interface LineMatch {
  readonly signature: string
  /** Id of the cause, or empty. */
  readonly cause: string
  readonly groups: TextMatch['groups']
}

/**
 * Every signature whose regexes match one line's match text, in the catalogue's order; parts are left to their parents.
 *
 * A plain line may match several signatures: which of them counts is `yields_to`'s matter, when hits are made. A JSON
 * record makes one statement, `msg`, that `error` explains, so a signature found only in `error` is left out where it
 * yields to one that `msg` matches: that would be the same failure said twice. Nothing else is lost.
 */
export function matchLine(catalogue: Catalogue, line: string): LineMatch[] {
  const texts = lineTexts(line)
  const found = catalogue.signatures.flatMap((signature) => {
    if (signature.part) return []
    const compiled = compileSignature(signature)
    const field = texts.findIndex((text) => findMatch(compiled, text) !== undefined)
    const match = texts[field] === undefined ? undefined : findMatch(compiled, texts[field])
    return match ? [{ signature, field, match }] : []
  })
  return found
    .filter(
      ({ signature, field }) =>
        !found.some((other) => other.field < field && signature.yieldsTo.includes(other.signature.id)),
    )
    .map(({ signature, match }) => ({ signature: signature.id, cause: match.cause, groups: match.groups }))
}

/** How one signature matches a line, whatever the others say. */
export function matchSignature(compiled: CompiledSignature, line: string): TextMatch | undefined {
  for (const text of lineTexts(line)) {
    const match = findMatch(compiled, text)
    if (match) return match
  }
  return undefined
}
