import { readFileSync, writeFileSync } from 'node:fs'
import prettyBytes from 'pretty-bytes'
import type { Figures, Row } from './figures.ts'
import { machine } from './table.ts'
import { shown, targets } from './targets.ts'

const BEGIN = '<!-- bench: begin -->'
const END = '<!-- bench: end -->'

/** Puts the tables of these runs between the page's marks, the smallest corpus first. Throws where it has none. */
export function renderInto(page: string, runs: readonly Figures[]): void {
  writeFileSync(page, rendered(readFileSync(page, 'utf8'), runs))
}

export function rendered(page: string, runs: readonly Figures[]): string {
  const [before, , after] = page.split(/(<!-- bench: begin -->[\s\S]*<!-- bench: end -->)/)
  if (before === undefined || after === undefined) throw new Error(`the page has no ${BEGIN} … ${END}`)
  const sorted = runs.toSorted((a, b) => a.corpusBytes - b.corpusBytes)
  const parts = [targetsTable(sorted), growthTable(sorted), patternsTable(sorted), sorted.map(caption).join('\n')]
  return `${before}${BEGIN}\n\n${parts.filter((part) => part !== '').join('\n\n')}\n\n${END}${after}`
}

function targetsTable(runs: readonly Figures[]): string {
  const columns = runs.map(targets)
  const rows = (columns[0] ?? []).map(({ what, reach }, at) => [
    what,
    reach,
    ...columns.map((column) => reachedOf(column[at])),
  ])
  return table(['target', 'reach', ...runs.map(titleOf)], rows)
}

function reachedOf(target: ReturnType<typeof targets>[number] | undefined): string {
  return target?.reached === undefined ? '–' : `${target.reached}, ${target.verdict}`
}

/** How the work for a pattern grows with the corpus: of those that few lines match. */
function growthTable(runs: readonly Figures[]): string {
  if (runs.length < 2) return ''
  const names = (runs[0]?.rows ?? []).filter((row) => row.kind === 'literal').map((row) => row.name)
  const rows = names.map((name) => [name, ...runs.map(({ rows }) => growth(rows.find((row) => row.name === name)))])
  return table(['lines, candidates, time; first 50', ...runs.map(titleOf)], rows)
}

function growth(row: Row | undefined): string {
  if (!row) return '–'
  return `${row.lines}, ${row.candidates} of ${row.blocks}, ${shown(row.prowlMs)} ms; ${shown(row.firstMs)} ms`
}

/** The tuned patterns over the largest corpus that was raced. */
function patternsTable(runs: readonly Figures[]): string {
  const raced = runs.findLast(({ rows }) => rows.some((row) => row.rgMs !== undefined))
  const rows = (raced?.rows ?? [])
    .filter((row) => row.kind !== 'pasted')
    .map((row) => [
      `\`${row.pattern.replaceAll('|', '\\|') || ' '}\``,
      String(row.lines),
      `${row.candidates} of ${row.blocks}`,
      ...[row.prowlMs, row.firstMs, row.ciSearchMs, row.rgMs].map((ms) => (ms === undefined ? '–' : shown(ms))),
    ])
  const columns = ['lines', 'candidates', 'prowl ms', 'first 50 ms', 'ci-search ms', 'rg ms']
  return raced ? table([`pattern, ${titleOf(raced)}`, ...columns], rows) : ''
}

function caption(figures: Figures): string {
  return `- ${titleOf(figures)}: ${machine(figures)}.`
}

function titleOf({ corpusBytes, days }: Figures): string {
  const each = prettyBytes(Math.round(corpusBytes / days), { binary: true, maximumFractionDigits: 0 })
  return days === 1 ? each : `${days} × ${each}`
}

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(titles), line(titles.map(() => '---')), ...rows.map(line)].join('\n')
}
