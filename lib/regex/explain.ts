import type { Plan } from '../model/plan.ts'
import type { Parsed } from './parse.ts'
import { type Planned, planOfParsed } from './plan.ts'
import { textsOf } from './print-plan.ts'
import type { Node } from './tree.ts'
import { verdictTree } from './verdict.ts'

export interface ExplainedCounts {
  /** Blocks within the filters, and those of them that had to be read. */
  readonly blocks: number
  readonly read: number
}

/** Choices beyond these are not spelt out. */
const MAX_CHOICES = 6
/** Of a longer choice no alternative is named. */
const MAX_ALTERNATIVES = 50

/** What a pattern's plan means for a search, in sentences for people. */
export function explain(planned: Planned, counts?: ExplainedCounts): string[] {
  return [...needsOf(planned), ...(counts ? [shareRead(counts)] : [])]
}

function needsOf(planned: Planned): string[] {
  const { plan, parsed } = planned
  if (plan.kind === 'none') return ['No line can match: nothing is read.']
  const unindexed = [...parsed.literals].some((point) => point > 0x7f)
  const beyond = unindexed ? ['Characters beyond ASCII are not indexed and narrow nothing.'] : []
  if (plan.kind === 'all') return [...whyAll(parsed), ...beyond]
  return [`Only blocks of log that hold ${words(plan, planned)} are read, in upper or lower case.`, ...beyond]
}

function whyAll(parsed: Parsed): string[] {
  const read = 'every block of log is read, the newest first.'
  if (verdictTree(parsed.tree, false).kind === 'empty')
    return [`The pattern matches the empty string, and so every line: ${read}`]
  const [loose] = looseAlternatives(parsed.tree, parsed)
  if (loose !== undefined)
    return [`The alternative \`${loose}\` may match where no three characters in a row are certain, so ${read}`]
  return [
    `No three characters in a row are sure to be in every match, so ${read}`,
    'A longer word that each alternative must hold would narrow it.',
  ]
}

/** As written: what spoils a choice whose other alternatives would narrow. */
function looseAlternatives(node: Node, parsed: Parsed): string[] {
  switch (node.kind) {
    case 'capture':
      return looseAlternatives(node.node, parsed)
    case 'repeat':
      return node.min === 0 ? [] : looseAlternatives(node.node, parsed)
    case 'concat':
      return node.nodes.flatMap((part) => looseAlternatives(part, parsed))
    case 'choice': {
      if (node.nodes.length > MAX_ALTERNATIVES) return []
      const loose = node.nodes.filter((tree) => planOfParsed({ ...parsed, tree }).plan.kind === 'all')
      return loose.length === node.nodes.length ? [] : loose.map((part) => parsed.alternatives.get(part) ?? '')
    }
    default:
      return []
  }
}

function words(plan: Plan, planned: Planned, inner = false): string {
  switch (plan.kind) {
    case 'and': {
      const told = textsOf(plan.of, planned)
      const texts = told.filter((text) => text.startsWith('"'))
      const others = plan.of.filter(({ kind }) => kind === 'or').map((part) => words(part, planned, true))
      return [...(texts.length > 0 ? texts : told.map(spoken)), ...others].join(' and ')
    }
    case 'or': {
      const choices = plan.of.map((part) => words(part, planned, true))
      const shown = choices.slice(0, MAX_CHOICES)
      const more = choices.length - shown.length
      const all = [...shown, ...(more > 0 ? [`one of ${more} others`] : [])].join(' or ')
      return inner ? `(${all})` : all
    }
    case 'gram':
      return textsOf([plan], planned).map(spoken).join()
    default:
      return 'anything'
  }
}

/** A bridge as words. */
function spoken(text: string): string {
  return text.startsWith('"') ? text : `"${text.replace('~', ' … ')}"`
}

/** `390 of 8,005 blocks (4.9%) had to be read.` */
export function shareRead({ blocks, read }: ExplainedCounts): string {
  if (blocks === 0) return 'No log lies within the filters.'
  const share = ((100 * read) / blocks).toPrecision(2)
  return `${read.toLocaleString('en-US')} of ${blocks.toLocaleString('en-US')} blocks (${Number(share)}%) had to be read.`
}
