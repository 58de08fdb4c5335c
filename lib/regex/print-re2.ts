import { type CodePoints, rangesOf } from './code-points.ts'
import type { Assertion, Node } from './tree.ts'

const ASSERTIONS: Readonly<Record<Assertion, string>> = {
  'line-start': '\\A',
  'line-end': '\\z',
  'word-boundary': '\\b',
  'no-word-boundary': '\\B',
}

/**
 * A parsed tree as RE2 syntax without flags, extensions or Unicode names, for the engine that computes spans: so both
 * engines read one meaning, from one Unicode version.
 */
export function printRe2(node: Node): string {
  switch (node.kind) {
    case 'empty':
      return '(?:)'
    case 'chars':
      return printSet(node.points)
    case 'assert':
      return ASSERTIONS[node.at]
    case 'capture':
      return `(${node.name === undefined ? '' : `?P<${node.name}>`}${printRe2(node.node)})`
    case 'concat':
      return node.nodes.map((part) => (part.kind === 'choice' ? `(?:${printRe2(part)})` : printRe2(part))).join('')
    case 'choice':
      return node.nodes.map(printRe2).join('|')
    case 'repeat': {
      const { min, max, lazy } = node
      return `(?:${printRe2(node.node)})${printBounds(min, max)}${lazy ? '?' : ''}`
    }
  }
}

function printBounds(min: number, max: number): string {
  if (max === Infinity && min <= 1) return min === 0 ? '*' : '+'
  return max === Infinity ? `{${min},}` : min === 0 && max === 1 ? '?' : `{${min},${max}}`
}

function printSet(points: CodePoints): string {
  if (points.length === 0) return '[^\\x{0}-\\x{10ffff}]'
  if (points.length === 2 && points[0] === points[1]) return printPoint(points[0] ?? 0)
  return `[${[...rangesOf(points)].map(([from, to]) => `${printPoint(from)}-${printPoint(to)}`).join('')}]`
}

function printPoint(point: number): string {
  const char = String.fromCodePoint(point)
  return /^[A-Za-z0-9 ]$/.test(char) ? char : `\\x{${point.toString(16)}}`
}
