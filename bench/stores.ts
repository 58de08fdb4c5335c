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
  'once merged ms',
  'times',
  'first 50: embedded ms',
  'Elasticsearch ms',
  'index: embedded ms',
  'Elasticsearch ms',
]

function patternCells({ name, kind, lines, ...ms }: Row): string[] {
  return [name, kind, String(lines), ...timeCells(ms)]
}

/** The middle of the pasted patterns, in a row. */
function pastedCells(rows: readonly Row[]): string[] {
  const pasted = ofKind(rows, 'pasted')
  const of = (name: keyof Times) => median(pasted.flatMap((row) => row[name] ?? []))
  const middle = Object.fromEntries(TIMES.map((name) => [name, of(name)]))
  return [`${pasted.length} pasted, medians`, 'pasted', '–', ...timeCells(middle)]
}

const TIMES = [
  ...(['prowlMs', 'elasticMs', 'elasticMergedMs'] as const),
  ...(['firstMs', 'elasticFirstMs', 'indexMs', 'elasticIndexMs'] as const),
] as const
type Times = { readonly [T in (typeof TIMES)[number]]?: number | undefined }

function timeCells({ prowlMs, elasticMs, elasticMergedMs, ...others }: Times): string[] {
  const { firstMs, elasticFirstMs, indexMs, elasticIndexMs } = others
  const times = (ms?: number) => (ms === undefined || prowlMs === undefined ? '–' : `${shown(ms / prowlMs)}×`)
  return [
    ...[cell(prowlMs), cell(elasticMs), times(elasticMs), cell(elasticMergedMs), times(elasticMergedMs)],
    ...[firstMs, elasticFirstMs, indexMs, elasticIndexMs].map(cell),
  ]
}

function cell(ms: number | undefined): string {
  return ms === undefined ? '–' : shown(ms)
}
