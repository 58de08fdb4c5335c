import type { ReactNode } from 'react'
import { piecesOf } from './marks.ts'

/** As many colours as are told apart; the number beside tells all of them. */
const COLOURS = ['bg-mark', 'bg-mark-2', 'bg-mark-3', 'bg-mark-4', 'bg-mark-5', 'bg-mark-6']

/** A line with what each pattern matched in its colour. */
export function MarkedLine({ text, spans }: { text: string; spans: Parameters<typeof piecesOf>[1] }): ReactNode {
  return piecesOf(text, spans).map((piece) =>
    piece.pattern === undefined ? (
      <span key={piece.at}>{piece.text}</span>
    ) : (
      <mark key={piece.at} className={colourOf(piece.pattern)}>
        {piece.text}
      </mark>
    ),
  )
}

/** The number of a pattern in its colour. */
export function PatternChip({ pattern }: { pattern: number }): ReactNode {
  return (
    <mark className={`${colourOf(pattern)} px-1 text-small`} title={`pattern ${pattern + 1}`}>
      {pattern + 1}
    </mark>
  )
}

function colourOf(pattern: number): string {
  return COLOURS[pattern % COLOURS.length] ?? ''
}
