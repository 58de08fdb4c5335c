import prettyBytes from 'pretty-bytes'
import { type Figures, ofKind, type Row } from './figures.ts'
import { type Cells, storeTables } from './stores.ts'
import { shown, targets } from './targets.ts'

const COLUMNS: readonly { readonly title: string; readonly cell: (row: Row) => string }[] = [
  { title: 'name', cell: (row) => row.name },
  { title: 'kind', cell: (row) => row.kind },
  { title: 'lines', cell: (row) => String(row.lines) },
  { title: 'candidates', cell: (row) => `${row.candidates}/${row.blocks}` },
  { title: 'prowl ms', cell: (row) => shown(row.prowlMs) },
  { title: 'index ms', cell: (row) => ms(row.indexMs) },
  { title: 'first ms', cell: (row) => shown(row.firstMs) },
  { title: 'chart ms', cell: (row) => ms(row.chartMs) },
  { title: 'ci-search ms', cell: (row) => ms(row.ciSearchMs) },
  { title: 'rg ms', cell: (row) => ms(row.rgMs) },
  { title: 'vs ci-search', cell: (row) => times(row.ciSearchMs, row.prowlMs) },
  { title: 'vs rg', cell: (row) => times(row.rgMs, row.prowlMs) },
  { title: 'chart vs -m1', cell: (row) => times(row.ciSearchFirstMs, row.chartMs) },
  { title: 'pattern', cell: (row) => cut(row.pattern) },
]
const PASTED_SHOWN = 10
const PATTERN_SHOWN = 70
const TARGET_TITLES = ['target', 'reach', 'reached', '']

/** Prints one line a pattern, of the pasted ones the slowest; then one a target. */
export function printTables(figures: Figures): void {
  const pasted = ofKind(figures.rows, 'pasted')
  const slowest = pasted.toSorted((a, b) => b.prowlMs - a.prowlMs).slice(0, PASTED_SHOWN)
  const shownRows = [...figures.rows.filter(({ kind }) => kind !== 'pasted'), ...slowest]
  const cells = shownRows.map((row) => COLUMNS.map(({ cell }) => cell(row)))
  console.log(aligned([COLUMNS.map(({ title }) => title), ...cells]))
  if (pasted.length > slowest.length)
    console.log(`of ${pasted.length} pasted patterns the ${slowest.length} slowest; --json has all`)
  console.log(`\n${machine(figures)}\n`)
  const reached = targets(figures).map(({ what, reach, reached = '–', verdict }) => [what, reach, reached, verdict])
  console.log(aligned([TARGET_TITLES, ...reached]))
  for (const cells of storeTables(figures)) console.log(`\n${aligned(cells)}`)
}

/** What was run on what, in a line. */
export function machine(figures: Figures): string {
  const { cores, node, corpusBytes, corpusLines, logs, days, searchPeakMiB, geomeanVsCiSearch, worstVsCiSearch } =
    figures
  return [
    `${cores} cores, Node ${node}`,
    `${prettyBytes(corpusBytes, { binary: true })} in ${logs} logs of ${corpusLines} lines on ${days === 1 ? 'one day' : `${days} days`}`,
    `searching took ${shown(searchPeakMiB)} MiB of memory`,
    `literal patterns ${times(geomeanVsCiSearch, 1)} ci-search mode in the geometric mean, ${times(worstVsCiSearch, 1)} at worst`,
  ].join('; ')
}

function aligned(rows: Cells): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)))
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function ms(value: number | undefined): string {
  return value === undefined ? '–' : shown(value)
}

function times(theirs: number | undefined, ours: number | undefined): string {
  return theirs === undefined || ours === undefined ? '–' : `${shown(theirs / ours)}×`
}

function cut(pattern: string): string {
  return pattern.length > PATTERN_SHOWN ? `${pattern.slice(0, PATTERN_SHOWN - 1)}…` : pattern
}
