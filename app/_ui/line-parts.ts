import { ansiSpans } from './ansi.ts'
import { linksIn } from './links-in.ts'
import { type TextSpan, united } from './marked-text.tsx'

/** A stretch of a line that looks the same all along. */
export interface LinePart {
  readonly text: string
  readonly className: string
  readonly marked: boolean
}

/** Parts that lead to one address, or to none. */
export interface LineStretch {
  readonly href?: string
  readonly parts: readonly LinePart[]
}

/** A line with its colours, its addresses and what a search found in it, cut where any of them changes. */
export function lineStretches(line: string, marks: readonly TextSpan[] = []): LineStretch[] {
  const spans = ansiSpans(line)
  const text = spans.map((span) => span.text).join('')
  let length = 0
  const borders = spans.map((span) => {
    length += span.text.length
    return length
  })
  const shown = united(marks, text.length)
  let at = 0
  return linksIn(text).map(({ text: part, href }) => {
    const [from, to] = [at, at + part.length]
    at = to
    const cuts = [...borders, ...shown.flatMap((mark) => [mark.from, mark.to])].filter((cut) => cut > from && cut < to)
    const edges = [from, ...new Set(cuts.sort((a, b) => a - b)), to]
    const parts = edges.slice(1).map((end, i): LinePart => {
      const start = edges[i] ?? from
      return {
        text: text.slice(start, end),
        className: spans[borders.findIndex((border) => border > start)]?.className ?? '',
        marked: shown.some((mark) => mark.from <= start && mark.to >= end),
      }
    })
    return href === undefined ? { parts } : { href, parts }
  })
}
