import type { CodePoints } from './code-points.ts'

/** A parsed pattern. Flags are resolved: case folding is in the sets, `s`, `m` and `U` in the kinds of nodes. */
export type Node =
  | { readonly kind: 'empty' }
  /** One code point of the set; an empty set never matches. */
  | { readonly kind: 'chars'; readonly points: CodePoints }
  | { readonly kind: 'assert'; readonly at: Assertion }
  | { readonly kind: 'capture'; readonly name?: string; readonly node: Node }
  | { readonly kind: 'concat'; readonly nodes: readonly Node[] }
  | { readonly kind: 'choice'; readonly nodes: readonly Node[] }
  | Repeat

export interface Repeat {
  readonly kind: 'repeat'
  readonly node: Node
  readonly min: number
  /** Infinity where nothing bounds it. */
  readonly max: number
  readonly lazy: boolean
}

/** A match lies within one line, so the start and end of the text are those of the line. */
export type Assertion = 'line-start' | 'line-end' | 'word-boundary' | 'no-word-boundary'

export const EMPTY: Node = { kind: 'empty' }
export const NEVER: Node = { kind: 'chars', points: [] }

export function concat(nodes: readonly Node[]): Node {
  const flat = nodes.flatMap((node) => (node.kind === 'concat' ? node.nodes : node.kind === 'empty' ? [] : [node]))
  return flat.length === 0
    ? EMPTY
    : flat.length === 1 && flat[0] !== undefined
      ? flat[0]
      : { kind: 'concat', nodes: flat }
}

export function choice(nodes: readonly Node[]): Node {
  return nodes.length === 0
    ? NEVER
    : nodes.length === 1 && nodes[0] !== undefined
      ? nodes[0]
      : { kind: 'choice', nodes }
}

export function isNever(node: Node): boolean {
  return node.kind === 'chars' && node.points.length === 0
}

/** Whether `\B` stands in it: the one assertion that holds inside a surrogate pair. */
export function hasNoWordBoundary(node: Node): boolean {
  switch (node.kind) {
    case 'assert':
      return node.at === 'no-word-boundary'
    case 'concat':
    case 'choice':
      return node.nodes.some(hasNoWordBoundary)
    case 'repeat':
    case 'capture':
      return hasNoWordBoundary(node.node)
    default:
      return false
  }
}
