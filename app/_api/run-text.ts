import type { RunView } from '#lib/service/views.ts'
import { clean, sheetText } from './sheet.ts'
import { runSheet } from './sheets.ts'

/** The run's sheet; below it the lines asked for by number, else those of its window that match, each with its number. */
export function runText(
  view: RunView,
  { line, to = line }: { readonly line?: number | undefined; readonly to?: number | undefined },
): string {
  const sheet = sheetText(runSheet(view))
  const { window, find } = view
  if (!window || (line === undefined && !find)) return sheet
  const marked = new Set(find?.marks.map((mark) => mark.line))
  const isAsked = (number: number) =>
    line === undefined ? marked.has(number) : number >= line && number <= Math.max(line, to ?? line)
  const lines = window.lines.filter(({ number }) => isAsked(number))
  const told = lines.map(({ number, text }) => `${number}\t${clean(text)}`)
  return [sheet, `${window.log.name}:`, ...told, ''].join('\n')
}
