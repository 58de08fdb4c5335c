import { readFileSync, writeFileSync } from 'node:fs'
import prettyBytes from 'pretty-bytes'
import type { Figures, Row } from './figures.ts'
import { type Cells, storeTables } from './stores.ts'
import { machine } from './table.ts'
import { shown, targets } from './targets.ts'

const TARGET_BYTES = 2 ** 30

/** Parts of the page that are written by the bench, by the name of their marks. */
const SECTIONS: readonly {
  readonly name: string
  readonly holds: (run: Figures) => boolean
  readonly parts: (runs: readonly Figures[]) => readonly string[]
}[] = [
  {
    name: 'bench',
    holds: (run) => run.elasticsearch === undefined,
    parts: (runs) => [
      targetsTable(runs),
      growthTable(runs),
      patternsTable(runs),
      ...runs.map(editsTable),
      runs.map(caption).join('\n'),
    ],
  },
  {
    name: 'stores',
    holds: (run) => run.elasticsearch !== undefined,
    parts: (runs) => runs.flatMap((run) => [caption(run), ...storeTables(run).map(asTable)]),
  },
]

/**
 * Puts the tables of these runs between the page's marks, the smallest corpus first: those over both stores into a section
 * of their own. A section without a run stays as it is. Throws where the page lacks one.
 */
export function renderInto(page: string, runs: readonly Figures[]): void {
  writeFileSync(page, rendered(readFileSync(page, 'utf8'), runs))
}

export function rendered(page: string, runs: readonly Figures[]): string {
  const sorted = runs.toSorted((a, b) => a.corpusBytes - b.corpusBytes)
  return SECTIONS.reduce((text, { name, holds, parts }) => {
    const own = sorted.filter(holds)
    return own.length === 0 ? text : withSection(text, name, parts(own))
  }, page)
}

export function withSection(page: string, name: string, parts: readonly string[]): string {
  const [begin, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`]
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from === -1 || to < from) throw new Error(`the page has no ${begin} … ${end}`)
  const text = parts.filter((part) => part !== '').join('\n\n')
  return `${page.slice(0, from)}${begin}\n\n${text}\n\n${page.slice(to)}`
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

/** The tuned patterns over the raced corpus whose size is nearest to that which the targets are for. */
function patternsTable(runs: readonly Figures[]): string {
  const away = ({ corpusBytes }: Figures) => Math.abs(Math.log(corpusBytes / TARGET_BYTES))
  const [raced] = runs
    .filter(({ rows }) => rows.some((row) => row.rgMs !== undefined))
    .toSorted((a, b) => away(a) - away(b))
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

/** What the index saves when a signature is edited, one a row. */
function editsTable(run: Figures): string {
  if (!run.signatures) return ''
  const rows = run.signatures.reevaluated.map(({ id, hits, indexBytes, scanBytes, indexMs, scanMs }) => [
    ...[`\`${id}\``, String(hits), `${shown((indexBytes / scanBytes) * 100)} %`],
    ...[shown(indexMs), shown(scanMs), `${shown(scanMs / indexMs)}×`],
  ])
  const columns = ['hits', 'of the text read', 'through the index ms', 'reading all ms', 'times']
  return table([`edited, ${titleOf(run)}`, ...columns], rows)
}

function caption(figures: Figures): string {
  return `- ${titleOf(figures)}: ${machine(figures)}.`
}

function titleOf({ corpusBytes, days }: Figures): string {
  const each = prettyBytes(Math.round(corpusBytes / days), { binary: true, maximumFractionDigits: 0 })
  return days === 1 ? each : `${days} × ${each}`
}

function asTable([titles = [], ...rows]: Cells): string {
  return table(titles, rows)
}

export function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(titles), line(titles.map(() => '---')), ...rows.map(line)].join('\n')
}
