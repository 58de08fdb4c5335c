import { type Figures, geomean, ofKind, type Row, ratios, worst } from './figures.ts'

/** What docs/performance.md promises, and what a run of the bench reached. */
export interface Target {
  readonly what: string
  readonly reach: string
  /** Absent where this run could not measure it. */
  readonly reached?: string
  /** In words: `met`, or by how much it was missed. */
  readonly verdict: string
}

type Bound = { readonly atLeast: number } | { readonly atMost: number }

interface Goal {
  readonly what: string
  readonly unit: '×' | ' ms' | ' MiB/s' | ' MiB' | ' %' | ''
  readonly bound: Bound
  readonly measure: (figures: Figures) => number | undefined
}

const GOALS: readonly Goal[] = [
  vsCiSearch('literal patterns, complete counts: the least, times ci-search mode', 50, worst, 'literal'),
  vsCiSearch('literal patterns: the geometric mean, times ci-search mode', 150, geomean, 'literal'),
  {
    what: 'literal patterns: the least, times plain ripgrep',
    unit: '×',
    bound: { atLeast: 1.5 },
    measure: ({ rows }) => worst(ratios(ofKind(rows, 'literal'), 'rgMs')),
  },
  vsCiSearch('pasted patterns: the least, times ci-search mode', 50, worst, 'pasted'),
  vsCiSearch('pasted patterns: the geometric mean, times ci-search mode', 150, geomean, 'pasted'),
  {
    what: 'first 50 hits, any pattern: the slowest',
    unit: ' ms',
    bound: { atMost: 100 },
    measure: ({ rows }) => most(rows.map((row) => row.firstMs)),
  },
  vsCiSearch('patterns without a literal, complete counts: the least, times ci-search mode', 2, worst, 'none'),
  {
    what: `a count past its deadline says so: time taken, of that given`,
    unit: '×',
    bound: { atMost: 2 },
    measure: ({ deadline }) => deadline && (deadline.saidSo ? deadline.tookMs / deadline.givenMs : Infinity),
  },
  {
    what: 'chart mode: the least, times `rg -z -m1`',
    unit: '×',
    bound: { atLeast: 5 },
    measure: ({ rows }) => worst(rows.flatMap(chartRatio)),
  },
  {
    what: 'a leading `.*`: the slowest, times the same pattern without it',
    unit: '×',
    bound: { atMost: 3 },
    measure: ({ rows }) => most(rows.flatMap((row) => withoutStar(row, rows))),
  },
  {
    what: 'literal patterns: the slowest index step',
    unit: ' ms',
    bound: { atMost: 20 },
    measure: ({ rows }) => most(ofKind(rows, 'literal').flatMap((row) => row.indexMs ?? [])),
  },
  {
    what: 'ingest, one process',
    unit: ' MiB/s',
    bound: { atLeast: 25 },
    measure: ({ ingestMiBs }) => ingestMiBs,
  },
  { what: 'memory of ingest', unit: ' MiB', bound: { atMost: 700 }, measure: ({ ingestPeakMiB }) => ingestPeakMiB },
  {
    what: 'disk for text and index, of the raw bytes',
    unit: '',
    bound: { atMost: 0.38 },
    measure: ({ indexRatio }) => indexRatio,
  },
  {
    what: '50 saved signatures: time that they add to ingest',
    unit: ' %',
    bound: { atMost: 15 },
    measure: ({ signatures }) => signatures && signatures.ingestShare * 100,
  },
  edited('an edited signature, through the index: the geometric mean, times reading all', geomean),
  edited('an edited signature, through the index: the least, times reading all', worst),
]

const STORE_GOALS: readonly Goal[] = [
  {
    what: 'ingest into Elasticsearch, one process and one node',
    unit: ' MiB/s',
    bound: { atLeast: 3 },
    measure: ({ elasticsearch }) => elasticsearch?.ingestMiBs,
  },
  {
    what: 'disk of Elasticsearch once merged, of the raw bytes',
    unit: '',
    bound: { atMost: 0.8 },
    measure: ({ elasticsearch }) => elasticsearch?.mergedRatio,
  },
  {
    what: 'literal patterns, once merged: the geometric mean, times the embedded store',
    unit: '×',
    bound: { atMost: 5 },
    measure: ({ rows }) => geomean(timesEmbedded(rows, 'elasticMergedMs')),
  },
  {
    what: 'literal patterns, once merged: the most, times the embedded store',
    unit: '×',
    bound: { atMost: 5 },
    measure: ({ rows }) => most(timesEmbedded(rows, 'elasticMergedMs')),
  },
  {
    what: 'literal patterns, as written: the geometric mean, times the embedded store',
    unit: '×',
    bound: { atMost: 5 },
    measure: ({ rows }) => geomean(timesEmbedded(rows, 'elasticMs')),
  },
  {
    what: 'literal patterns, as written: the most, times the embedded store',
    unit: '×',
    bound: { atMost: 5 },
    measure: ({ rows }) => most(timesEmbedded(rows, 'elasticMs')),
  },
]

export function targets(figures: Figures): Target[] {
  return reachedOf(GOALS, figures)
}

/** Of a run over both stores. */
export function storeTargets(figures: Figures): Target[] {
  return reachedOf(STORE_GOALS, figures)
}

function reachedOf(goals: readonly Goal[], figures: Figures): Target[] {
  return goals.map(({ what, unit, bound, measure }) => {
    const reached = measure(figures)
    const [sign, limit] = 'atLeast' in bound ? ['≥', bound.atLeast] : ['≤', bound.atMost]
    return {
      what,
      reach: `${sign} ${limit}${unit}`,
      ...(reached === undefined ? {} : { reached: `${shown(reached)}${unit}` }),
      verdict: reached === undefined ? 'not measured' : verdict(reached, bound),
    }
  })
}

/** `met`, or by how much it was missed. */
export function verdict(reached: number, bound: Bound): string {
  const missed = 'atLeast' in bound ? bound.atLeast / reached : reached / bound.atMost
  if (missed <= 1) return 'met'
  return missed < 1.95 ? `missed by ${Math.ceil((missed - 1) * 100)}%` : `missed ${shown(missed)}-fold`
}

function vsCiSearch(
  what: string,
  atLeast: number,
  gather: (values: readonly number[]) => number | undefined,
  kind: Row['kind'],
): Goal {
  const measure = ({ rows }: Figures) => gather(ratios(ofKind(rows, kind), 'ciSearchMs'))
  return { what, unit: '×', bound: { atLeast }, measure }
}

function edited(what: string, gather: (values: readonly number[]) => number | undefined): Goal {
  const factors = ({ signatures }: Figures) => signatures?.reevaluated.map(({ indexMs, scanMs }) => scanMs / indexMs)
  return { what, unit: '×', bound: { atLeast: 20 }, measure: (figures) => gather(factors(figures) ?? []) }
}

function timesEmbedded(rows: readonly Row[], which: 'elasticMs' | 'elasticMergedMs'): number[] {
  return ofKind(rows, 'literal').flatMap(({ prowlMs, [which]: ms }) => (ms === undefined ? [] : ms / prowlMs))
}

function chartRatio({ chartMs, ciSearchFirstMs }: Row): number[] {
  return chartMs === undefined || ciSearchFirstMs === undefined ? [] : [ciSearchFirstMs / chartMs]
}

function withoutStar({ base, prowlMs }: Row, rows: readonly Row[]): number[] {
  const other = base === undefined ? undefined : rows.find((row) => row.name === base)
  return other ? [prowlMs / other.prowlMs] : []
}

function most(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : Math.max(...values)
}

/** Three significant digits at most. */
export function shown(value: number): string {
  return Number.isFinite(value)
    ? String(Number(value.toPrecision(value >= 100 ? Math.ceil(Math.log10(value + 1)) : 3)))
    : '∞'
}
