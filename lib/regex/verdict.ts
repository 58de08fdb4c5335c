import { type CodePoints, containsAll, intersection } from './code-points.ts'
import { choice, concat, EMPTY, isNever, NEVER, type Node, type Repeat } from './tree.ts'

/** What match text can hold: no newline within a line, no surrogates, and in an ASCII block nothing above 0x7f. */
const LINE: CodePoints = [0, 0x09, 0x0b, 0xd7ff, 0xe000, 0x10ffff]
const ASCII_LINE: CodePoints = [0, 0x09, 0x0b, 0x7f]

/**
 * A tree that matches on exactly the same lines, though not with the same spans: without captures, without what match
 * text cannot hold, and without what may be left off at either end. So `.*panic` becomes `panic`, and `(a+)+$` `a$`:
 * patterns that would take quadratic or exponential time for the same verdict. `empty` means that every line matches.
 */
export function verdictTree(tree: Node, ascii: boolean): Node {
  const line = lineOf(ascii)
  const reduced = reduce(tree, line)
  return isNever(reduced) ? reduced : trim(trim(reduced, 'start', line), 'end', line)
}

/** What a line can hold. */
export function lineOf(ascii: boolean): CodePoints {
  return ascii ? ASCII_LINE : LINE
}

function reduce(node: Node, line: CodePoints): Node {
  switch (node.kind) {
    case 'chars':
      return { kind: 'chars', points: intersection(node.points, line) }
    case 'capture':
      return reduce(node.node, line)
    case 'concat': {
      const nodes = node.nodes.map((part) => reduce(part, line))
      return nodes.some(isNever) ? NEVER : concat(nodes)
    }
    case 'choice':
      return choice(node.nodes.map((part) => reduce(part, line)).filter((part) => !isNever(part)))
    case 'repeat':
      return reduceRepeat(node, reduce(node.node, line))
    default:
      return node
  }
}

function reduceRepeat(repeat: Repeat, node: Node): Node {
  if (repeat.max === 0 || node.kind === 'empty') return EMPTY
  if (isNever(node)) return repeat.min === 0 ? EMPTY : NEVER
  if (repeat.min === 1 && repeat.max === 1) return node
  // (x*)+ = x*, (x+)? = x* and so on; nested quantifiers are what backtracks exponentially.
  if (node.kind === 'repeat' && isQuantifier(node) && isQuantifier(repeat)) {
    const max = Math.max(node.max, repeat.max)
    return { ...repeat, node: node.node, min: node.min * repeat.min, max }
  }
  return { ...repeat, node }
}

/** `*`, `+` or `?`. */
function isQuantifier({ min, max }: Repeat): boolean {
  return min <= 1 && (max === Infinity || max === 1)
}

/**
 * Leaves off what is optional at one end. A match is sought anywhere in the line, so whatever may match the empty
 * string there, unconditionally, decides nothing: `x*R` is found just where `R` is, `x+R` where `xR` is. Nor does `^`
 * before a run of any characters, or `$` behind one. Gives back `node` itself where nothing is left off.
 */
export function trim(node: Node, end: 'start' | 'end', line: CodePoints): Node {
  switch (node.kind) {
    case 'concat': {
      // Outermost last, so that both ends are worked on alike.
      const nodes = end === 'start' ? node.nodes.toReversed() : [...node.nodes]
      const join = (parts: Node[]) => concat(end === 'start' ? parts.toReversed() : parts)
      for (let edge = nodes.pop(); edge !== undefined; edge = nodes.pop()) {
        const trimmed = trim(edge, end, line)
        const idle = trimmed.kind === 'empty' || (isAssert(trimmed, end) && isAnyRun(nodes.at(-1), line))
        if (trimmed === edge && !idle && nodes.length === node.nodes.length - 1) return node
        if (!idle) return join([...nodes, trimmed])
      }
      return EMPTY
    }
    case 'choice': {
      const nodes = node.nodes.map((part) => trim(part, end, line))
      if (nodes.some((part) => part.kind === 'empty')) return EMPTY
      return nodes.every((part, index) => part === node.nodes[index]) ? node : choice(nodes)
    }
    case 'repeat': {
      const { min } = node
      const edge = min === 0 ? EMPTY : trim(node.node, end, line)
      if (min <= 1 || edge.kind === 'empty') return edge
      if (edge === node.node) return min === node.max ? node : { ...node, max: min }
      const rest: Node = min === 2 ? node.node : { ...node, min: min - 1, max: min - 1 }
      return concat(end === 'start' ? [edge, rest] : [rest, edge])
    }
    default:
      return node
  }
}

function isAssert(node: Node, end: 'start' | 'end'): boolean {
  return node.kind === 'assert' && node.at === `line-${end}`
}

/** `.*`, `.+` and the like. */
export function isAnyRun(node: Node | undefined, line: CodePoints): node is Repeat {
  return (
    node?.kind === 'repeat' &&
    node.max === Infinity &&
    node.node.kind === 'chars' &&
    containsAll(node.node.points, line)
  )
}
