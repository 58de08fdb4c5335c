import { readFileSync } from 'node:fs'
import { z } from 'zod'

/** One pattern. Times are medians in milliseconds; one that is missing was not measured. */
export const Row = z.object({
  name: z.string(),
  kind: z.enum(['literal', 'common', 'none', 'quadratic', 'pasted']),
  pattern: z.string(),
  base: z.string().optional(),
  /** Matching lines: the same for every engine. */
  lines: z.number(),
  prowlMs: z.number(),
  /** Until the first 50 hits. */
  firstMs: z.number(),
  /** Of prowlMs, for listing the candidates. */
  indexMs: z.number().optional(),
  chartMs: z.number().optional(),
  ciSearchMs: z.number().optional(),
  rgMs: z.number().optional(),
  ciSearchFirstMs: z.number().optional(),
  /** As prowlMs, firstMs and indexMs, over the Elasticsearch store. */
  elasticMs: z.number().optional(),
  /** As elasticMs, once merged. */
  elasticMergedMs: z.number().optional(),
  elasticFirstMs: z.number().optional(),
  elasticIndexMs: z.number().optional(),
  /** Blocks that prowl read, of all. */
  candidates: z.number(),
  blocks: z.number(),
})
export type Row = z.infer<typeof Row>

/** What a run of the bench found: what `--json` writes. */
export const Figures = z.object({
  cores: z.number(),
  node: z.string(),
  seed: z.number(),
  days: z.number(),
  corpusBytes: z.number(),
  logs: z.number(),
  corpusLines: z.number(),
  ingestMiBs: z.number(),
  ingestPeakMiB: z.number(),
  searchPeakMiB: z.number(),
  /** Text and index on disk, of the raw bytes. */
  indexRatio: z.number(),
  /** Counting with a deadline that it can't meet. */
  deadline: z.object({ givenMs: z.number(), tookMs: z.number(), saidSo: z.boolean() }).optional(),
  /** The same corpus in Elasticsearch. */
  elasticsearch: z
    .object({
      ingestMiBs: z.number(),
      ingestPeakMiB: z.number(),
      /** On disk, of the raw bytes. */
      writtenRatio: z.number(),
      mergedRatio: z.number(),
    })
    .optional(),
  /** What saved signatures cost. Both sides of a comparison took turns; medians. */
  signatures: z
    .object({
      count: z.number(),
      /** Of an ingest without any, what one with so many takes more: of its time, and of that of all its threads. */
      ingestShare: z.number(),
      ingestCpuShare: z.number(),
      /** One that was edited, looked for in all that is kept: where the index points to, and everywhere. */
      reevaluated: z.array(
        z.object({
          id: z.string(),
          hits: z.number(),
          indexBytes: z.number(),
          scanBytes: z.number(),
          indexMs: z.number(),
          scanMs: z.number(),
        }),
      ),
    })
    .optional(),
  rows: z.array(Row),
  /** Over literal patterns, tuned and pasted: times that ci-search mode takes longer. */
  geomeanVsCiSearch: z.number().optional(),
  worstVsCiSearch: z.number().optional(),
})
export type Figures = z.infer<typeof Figures>

export function readFigures(file: string): Figures {
  return Figures.parse(JSON.parse(readFileSync(file, 'utf8')))
}

/** How many times longer the peer took, row by row, where it ran. */
export function ratios(rows: readonly Row[], peer: 'ciSearchMs' | 'rgMs'): number[] {
  return rows.flatMap((row) => (row[peer] === undefined ? [] : row[peer] / row.prowlMs))
}

export function geomean(values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length)
}

export function worst(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : Math.min(...values)
}

export function ofKind(rows: readonly Row[], ...kinds: readonly Row['kind'][]): Row[] {
  return rows.filter((row) => kinds.includes(row.kind))
}

export function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b)
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  return low === undefined || high === undefined ? undefined : (low + high) / 2
}
