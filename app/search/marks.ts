export interface Piece {
  readonly at: number
  readonly text: string
  /** Of the pattern that matched it, its place in the query; absent of text between. */
  readonly pattern?: number
}

interface PatternSpan {
  readonly from: number
  readonly to: number
  readonly pattern: number
}

/** A line cut at its matches. Where these overlap, what began first goes on; of those at one place, the earlier pattern. */
export function piecesOf(text: string, spans: readonly PatternSpan[]): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  for (const span of [...spans].sort((a, b) => a.from - b.from || a.pattern - b.pattern)) {
    const [from, to] = [Math.max(at, span.from), Math.min(span.to, text.length)]
    if (from >= to) continue
    if (from > at) pieces.push({ at, text: text.slice(at, from) })
    pieces.push({ at: from, text: text.slice(from, to), pattern: span.pattern })
    at = to
  }
  return at < text.length ? [...pieces, { at, text: text.slice(at) }] : pieces
}
