import type { Node } from './tree.ts'

/** The capture groups of a pattern in the order of their numbers, from 1 on: the names of those that have one. */
export function groupNames(node: Node): (string | undefined)[] {
  switch (node.kind) {
    case 'capture':
      return [node.name, ...groupNames(node.node)]
    case 'repeat':
      return groupNames(node.node)
    case 'concat':
    case 'choice':
      return node.nodes.flatMap(groupNames)
    default:
      return []
  }
}
