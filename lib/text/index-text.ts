import type { Block } from '../model/block.ts'
import { gramsOf } from './grams.ts'
import { jsonTexts } from './line-texts.ts'
import { matchText } from './match-text.ts'

/**
 * What a block is indexed by: its match text, and of its JSON records the decoded fields, which signatures are matched
 * on. So a plan finds the blocks of either.
 */
export function indexText(bytes: Uint8Array, ascii: boolean): string {
  const text = matchText(bytes, ascii)
  if (!text.startsWith('{') && !text.includes('\n{')) return text
  const decoded = text.split('\n').flatMap((line) => jsonTexts(line) ?? [])
  return decoded.length === 0 ? text : `${text}\n${decoded.join('\n')}`
}

/** The block with its grams, so that whoever needs them next does not work them out again. */
export function withGrams(block: Block): Block & { readonly grams: Uint32Array } {
  return { ...block, grams: block.grams ?? gramsOf(indexText(block.bytes, block.ascii)) }
}
