import { ProwlError } from '../errors.ts'
import { groupNames } from '../regex/groups.ts'
import { parse } from '../regex/parse.ts'

/** A pattern without the group that is asked for. */
export const NO_GROUP = -1

/**
 * By pattern, the number of the group whose texts are tallied: the one named or numbered, else its first; 0, the whole
 * match, where it has none. Throws QUERY_INVALID where no pattern has the group, and REGEX_*.
 */
export function tallyGroups(patterns: readonly string[], group?: string): number[] {
  const names = patterns.map((pattern) => groupNames(parse(pattern).tree))
  if (group === undefined) return names.map((all) => Math.min(1, all.length))
  const numbers = names.map((all) => {
    const number = /^\d{1,4}$/.test(group) ? Number(group) : all.indexOf(group) + 1 || NO_GROUP
    return number <= all.length ? number : NO_GROUP
  })
  if (numbers.some((number) => number !== NO_GROUP)) return numbers
  const known = [...new Set(names.flatMap((all) => all.map((name, at) => name ?? String(at + 1))))]
  const has = known.length > 0 ? `give one of ${known.join(', ')}` : 'put the part to tally in brackets'
  throw new ProwlError('QUERY_INVALID', `group: no pattern has it; ${has}, or 0 for the whole match`)
}
