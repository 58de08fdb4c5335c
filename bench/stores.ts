import { type Figures, median, ofKind, type Row } from './figures.ts'
import { shown, storeTargets } from './targets.ts'

/** Cells of a table, its titles first. */
export type Cells = readonly (readonly string[])[]

/** What a run over both stores found, as tables; none where Elasticsearch was not part of it. */
export function storeTables(figures: Figures): readonly Cells[] {
  const { elasticsearch, ingestMiBs, ingestPeakMiB, indexRatio } = figures
  if (!elasticsearch) return []
  const totals = [
    ['', 'embedded', 'Elasticsearch'],
    ['ingest, one process, MiB/s', ingestMiBs, elasticsearch.ingestMiBs],
    ['memory of ingest, MiB', ingestPeakMiB, elasticsearch.ingestPeakMiB],
    ['disk as written, of the raw bytes', indexRatio, elasticsearch.writtenRatio],
    ['disk once merged, of the raw bytes', indexRatio, elasticsearch.mergedRatio],
  ].map((row) => row.map((cell) => (typeof cell === 'number' ? shown(cell) : cell)))
  const goals = storeTargets(figures).map(({ what, reach, reached = '–', verdict }) => [
    what,
    reach,
    `${reached}, ${verdict}`,
  ])
  const patterns = figures.rows.filter(({ kind }) => kind !== 'pasted').map(patternCells)
  return [totals, [['target', 'reach', 'reached'], ...goals], [PATTERN_TITLES, ...patterns, pastedCells(figures.rows)]]
}

const PATTERN_TITLES = [
  'pattern',
  'kind',
  'lines',
  'embedded ms',
  'Elasticsearch ms',
  'times',
  'first 50: embedded ms',
  'Elasticsearch ms',
  'index: embedded ms',
  'Elasticsearch ms',
]

function patternCells({ name, kind, lines, ...ms }: Row): string[] {
  const { prowlMs, elasticMs, firstMs, elasticFirstMs, indexMs, elasticIndexMs } = ms
  const times = elasticMs === undefined ? '–' : `${shown(elasticMs / prowlMs)}×`
  return [
    ...[name, kind, String(lines), cell(prowlMs), cell(elasticMs), times],
    ...[firstMs, elasticFirstMs, indexMs, elasticIndexMs].map(cell),
  ]
}

/** The middle of the pasted patterns, in a row. */
function pastedCells(rows: readonly Row[]): string[] {
  const pasted = ofKind(rows, 'pasted')
  const of = (value: (row: Row) => number | undefined) => median(pasted.flatMap((row) => value(row) ?? []))
  const [embedded, theirs] = [of((row) => row.prowlMs), of((row) => row.elasticMs)]
  const times = of(({ prowlMs, elasticMs }) => elasticMs && elasticMs / prowlMs)
  return [
    ...[`${pasted.length} pasted, median`, 'pasted', '–', cell(embedded), cell(theirs)],
    times === undefined ? '–' : `${shown(times)}×`,
    ...[cell(of((row) => row.firstMs)), cell(of((row) => row.elasticFirstMs)), '–', '–'],
  ]
}

function cell(ms: number | undefined): string {
  return ms === undefined ? '–' : shown(ms)
}
