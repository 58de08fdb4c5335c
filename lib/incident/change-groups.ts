import type { Change } from '../model/signature.ts'
import type { ChangeGroup } from '../model/verdict.ts'

/** Changes closer together than so many mean gaps can't be told apart. */
const GAPS_APART = 3

export interface Judged {
  /** What came before the group: from the start of the data, or from the group before. */
  readonly from: number
  readonly group: ChangeGroup
  /** Later changes, of which nothing can be told: none struck between. */
  readonly later: readonly Change[]
}

/**
 * The latest group of changes that something struck before, or the latest of all; undefined where no change lies within
 * `start`…`completeTo`: one before has nothing to be compared with, and one to come has done nothing yet. `struck` are
 * the moments of the incidents counted. All epoch ms.
 */
export function judgedChanges(
  changes: readonly Change[],
  { start, completeTo, struck }: { start: number; completeTo: number; struck: readonly number[] },
  firstSeen: (change: Change) => number,
): Judged | undefined {
  const within = changes.filter(({ at }) => at > start && at < completeTo).sort((a, b) => a.at - b.at)
  const groups = gathered(within, start, struck)
  const from = (index: number) => groups[index - 1]?.at(-1)?.at ?? start
  const told = groups.findLastIndex(([first], index) => struck.some((at) => at >= from(index) && at < (first?.at ?? 0)))
  const chosen = told < 0 ? groups.length - 1 : told
  const members = groups[chosen]
  if (!members) return undefined
  return {
    from: from(chosen),
    group: groupOf(members, firstSeen),
    later: groups.slice(chosen + 1).flat(),
  }
}

/** Built backwards: a change joins the group after it when it is nearer than three mean gaps of all before that group. */
function gathered(changes: readonly Change[], start: number, struck: readonly number[]): Change[][] {
  const groups: Change[][] = []
  for (const change of [...changes].reverse()) {
    const first = groups[0]?.[0]
    const apart = first && first.at - change.at >= GAPS_APART * meanGap(first.at, start, struck)
    if (groups[0] && !apart) groups[0].unshift(change)
    else groups.unshift([change])
  }
  return groups
}

function meanGap(to: number, start: number, struck: readonly number[]): number {
  const count = struck.filter((at) => at < to).length
  return count === 0 ? Number.POSITIVE_INFINITY : (to - start) / count
}

function groupOf(changes: readonly Change[], firstSeen: (change: Change) => number): ChangeGroup {
  const at = changes.map((change) => change.at)
  const counts = changes.map((change) => (change.datedByLink ? change.at : Math.max(change.at, firstSeen(change))))
  return { changes, from: Math.min(...at), to: Math.max(...at), countsFrom: Math.max(...counts) }
}
