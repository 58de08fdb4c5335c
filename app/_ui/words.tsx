import type { ReactNode } from 'react'

/** A cadence's line as a table shows it: its parts under each other, what stands in brackets quieter and unbroken. */
export function CadenceWords({ words }: { words: string }): ReactNode {
  return words.split('; ').map((part) => (
    <span key={part} className="block text-pretty">
      {part.split(/(\([^)]*\))/).map((piece) =>
        piece.startsWith('(') ? (
          <span key={piece} className="whitespace-nowrap text-faint">
            {piece}
          </span>
        ) : (
          piece
        ),
      )}
    </span>
  ))
}
