import { concat, hasNoWordBoundary, type Node } from './tree.ts'
import { isAnyRun, lineOf, trim } from './verdict.ts'

/**
 * A verdict tree as stages that a line must hold one after the other, without overlap: `x.*y.*z` is x, y and z. A
 * backtracking matcher takes the square of a line's length for the whole, and its length for each. All stages but the
 * last match texts of one length only, so the leftmost match of each is the one that leaves most to the next.
 */
export function stagesOf(verdict: Node, ascii: boolean): readonly Node[] {
  // An empty match of `\B` may lie inside a surrogate pair.
  if (verdict.kind !== 'concat' || hasNoWordBoundary(verdict)) return [verdict]
  const line = lineOf(ascii)
  const stages: Node[] = []
  let parts: Node[] = []
  for (const [at, node] of verdict.nodes.entries()) {
    if (!isAnyRun(node, line)) {
      parts.push(node)
      continue
    }
    const stage = trim(trim(concat(parts), 'start', line), 'end', line)
    if (lengthOf(stage) === undefined) {
      parts.push(...verdict.nodes.slice(at))
      break
    }
    if (stage.kind !== 'empty') stages.push(stage)
    parts = node.min > 0 ? [{ ...node, max: node.min }] : []
  }
  const last = trim(concat(parts), 'start', line)
  return last.kind === 'empty' && stages.length > 0 ? stages : [...stages, last]
}

/** Whether few places of a line are worth a scan to its end: of two stages, the first has a few characters or `^`. */
export function isRare([first, ...others]: readonly Node[]): boolean {
  if (first === undefined || others.length > 1) return false
  const [head] = first.kind === 'concat' ? first.nodes : [first]
  return (lengthOf(first) ?? 0) > 2 || (head?.kind === 'assert' && head.at === 'line-start')
}

/** In characters, of all texts it matches; undefined where they differ. */
function lengthOf(node: Node): number | undefined {
  switch (node.kind) {
    case 'chars':
      return 1
    case 'capture':
      return lengthOf(node.node)
    case 'concat':
      return node.nodes.reduce<number | undefined>((sum, part) => plus(sum, lengthOf(part)), 0)
    case 'choice': {
      const [first, ...others] = node.nodes.map(lengthOf)
      return others.every((length) => length === first) ? first : undefined
    }
    case 'repeat': {
      const once = lengthOf(node.node)
      return once === undefined || node.min !== node.max ? undefined : once * node.min
    }
    default:
      return 0
  }
}

function plus(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b
}
