import type { Block } from '../model/block.ts'
import type { LineMatcher } from '../regex/compile.ts'
import { withGrams } from '../text/index-text.ts'
import { jsonTexts } from '../text/line-texts.ts'
import { matchText } from '../text/match-text.ts'
import { type Grams, satisfies, sortedGrams } from '../text/satisfies.ts'
import type { CompiledSignature, PlannedMatcher } from './compiled.ts'
import { isExcluded } from './compiled.ts'

/** Working out a block's grams takes as long as matching about so many patterns: an edited signature has fewer. */
const MATCHED_WITHOUT_GRAMS = 8

/** A line that a pattern matched: of a JSON record, `text` is the decoded field that did. */
export interface Matched {
  readonly text: string
  readonly regex: LineMatcher
}

/** One block as signatures see it: its lines, and one text to match them all at once, JSON records decoded in it. */
export class BlockView {
  /** The block's match text. */
  readonly text: string
  readonly #ascii: boolean
  readonly #block: Block
  #grams: Grams | undefined
  #matched = 0
  #lines: readonly string[] | undefined
  /** What patterns run over; `owners` gives the block's line of each of its lines where the two differ. */
  readonly #subject: { readonly text: string; readonly lines?: readonly string[]; readonly owners?: readonly number[] }

  constructor(block: Block) {
    this.text = matchText(block.bytes, block.ascii)
    const hasRecords = this.text.startsWith('{') || this.text.includes('\n{')
    this.#subject = hasRecords ? decodeRecords(this.lines) : { text: this.text }
    this.#ascii = block.ascii && !hasRecords
    this.#block = block
    this.#grams = block.grams && sortedGrams(block.grams)
  }

  get lines(): readonly string[] {
    this.#lines ??= this.text.split('\n')
    return this.#lines
  }

  /**
   * By 0-based line of the block: the lines that one of the patterns matches and no exclude does. Of a record, the first
   * field that matches counts; of patterns that match the same text, the first.
   */
  matches(regexes: readonly PlannedMatcher[], excludes?: CompiledSignature): Map<number, Matched> {
    const found = new Map<number, Matched & { readonly index: number }>()
    for (const regex of regexes) {
      if (!this.#mayMatch(regex)) continue
      for (const index of regex.matchingLines(this.#subject.text, this.#ascii)) {
        const line = this.#subject.owners?.[index] ?? index
        if (index >= (found.get(line)?.index ?? Number.POSITIVE_INFINITY)) continue
        const text = (this.#subject.lines ?? this.lines)[index] ?? ''
        if (!(excludes && isExcluded(excludes, text))) found.set(line, { text, regex, index })
      }
    }
    return found
  }

  #mayMatch({ plan }: PlannedMatcher): boolean {
    if (!this.#grams && this.#matched++ < MATCHED_WITHOUT_GRAMS) return true
    this.#grams ??= sortedGrams(withGrams(this.#block).grams)
    return satisfies(this.#grams, plan)
  }
}

function decodeRecords(lines: readonly string[]) {
  const subject: string[] = []
  const owners: number[] = []
  lines.forEach((line, index) => {
    for (const text of jsonTexts(line) ?? [line]) {
      subject.push(text)
      owners.push(index)
    }
  })
  return { text: subject.join('\n'), lines: subject, owners }
}
