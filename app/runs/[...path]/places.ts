import type { FindView, LogWindow } from '#lib/service/views.ts'

/** Lines that a link names, both inclusive. */
export interface Selected {
  readonly from: number
  readonly to: number
}

/** Where lines of this page's logs are: `at` chooses a window, `line` selects too. */
export type LineLink = (log: string, line: number, how?: 'at' | 'line') => string

/** What the keys n and p go over: the lines that a search finds, else the hits. */
export interface Stops {
  readonly word: 'match' | 'hit'
  /** The nearest to the line that is shown, before and after it. */
  readonly previous: number | undefined
  readonly next: number | undefined
  /** The nearest beyond the window. */
  readonly above: number | undefined
  readonly below: number | undefined
}

/** `at`: the line that is shown; where none is, all of the window lies ahead. */
export function stopsOf({ from, to, hitLines }: LogWindow, find: FindView | undefined, at: number | undefined): Stops {
  const known = [find?.previous, ...(find?.marks.map(({ line }) => line) ?? []), find?.next]
  const lines = find ? known.filter((line) => line !== undefined) : hitLines
  return {
    word: find ? 'match' : 'hit',
    previous: lines.findLast((line) => line < (at ?? from)),
    next: lines.find((line) => (at === undefined ? line >= from : line > at)),
    above: lines.findLast((line) => line < from),
    below: lines.find((line) => line > to),
  }
}
