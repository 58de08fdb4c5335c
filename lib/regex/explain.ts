import type { Plan } from '../model/plan.ts'
import type { Planned } from './plan.ts'
import { textsOf } from './print-plan.ts'

export interface ExplainedCounts {
  /** Blocks within the filters, and those of them that had to be read. */
  readonly blocks: number
  readonly read: number
}

/** Choices beyond these are not spelt out. */
const MAX_CHOICES = 6

/** What a pattern's plan means for a search, in sentences for people. */
export function explain(planned: Planned, counts?: ExplainedCounts): string[] {
  return [...needsOf(planned), ...(counts ? [shareRead(counts)] : [])]
}

function needsOf(planned: Planned): string[] {
  const { plan } = planned
  if (plan.kind === 'none') return ['No line can match: nothing is read.']
  if (plan.kind === 'all')
    return [
      'No three characters in a row are sure to be in every match, so every block of log is read, the newest first.',
      'A longer word that each alternative must hold would narrow it.',
    ]
  return [`Only blocks of log that hold ${words(plan, planned)} are read, in upper or lower case.`]
}

function words(plan: Plan, planned: Planned, inner = false): string {
  switch (plan.kind) {
    case 'and': {
      const texts = textsOf(plan.of, planned).filter((text) => text.startsWith('"'))
      const others = plan.of.filter(({ kind }) => kind === 'or').map((part) => words(part, planned, true))
      return [...texts, ...others].join(' and ')
    }
    case 'or': {
      const choices = plan.of.map((part) => words(part, planned, true))
      const shown = choices.slice(0, MAX_CHOICES)
      const more = choices.length - shown.length
      const all = [...shown, ...(more > 0 ? [`one of ${more} others`] : [])].join(' or ')
      return inner ? `(${all})` : all
    }
    case 'gram':
      return textsOf([plan], planned).join()
    default:
      return 'anything'
  }
}

/** `390 of 8,005 blocks (4.9%) had to be read.` */
export function shareRead({ blocks, read }: ExplainedCounts): string {
  if (blocks === 0) return 'No log lies within the filters.'
  const share = ((100 * read) / blocks).toPrecision(2)
  return `${read.toLocaleString('en-US')} of ${blocks.toLocaleString('en-US')} blocks (${Number(share)}%) had to be read.`
}
