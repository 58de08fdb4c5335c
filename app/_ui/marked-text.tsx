import type { ReactNode } from 'react'

export interface TextSpan {
  readonly from: number
  readonly to: number
}

/** A line with its matches marked; spans of several patterns may overlap. */
export function MarkedText({ text, spans }: { text: string; spans: readonly TextSpan[] }): ReactNode {
  const marks = united(spans, text.length)
  return marks
    .map((span, i) => (
      <span key={span.from}>
        {text.slice(marks[i - 1]?.to ?? 0, span.from)}
        <mark>{text.slice(span.from, span.to)}</mark>
        {i === marks.length - 1 && text.slice(span.to)}
      </span>
    ))
    .concat(marks.length === 0 ? [<span key="all">{text}</span>] : [])
}

/** Overlapping spans as one; empty ones mark nothing. */
export function united(spans: readonly TextSpan[], length: number): TextSpan[] {
  const all: TextSpan[] = []
  const sorted = spans
    .filter(({ from, to }) => from < to && from < length)
    .sort((a, b) => a.from - b.from || a.to - b.to)
  for (const { from, to } of sorted) {
    const last = all.at(-1)
    if (last && from <= last.to) all[all.length - 1] = { from: last.from, to: Math.max(last.to, Math.min(to, length)) }
    else all.push({ from, to: Math.min(to, length) })
  }
  return all
}
