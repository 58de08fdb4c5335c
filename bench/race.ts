import { median, type Row } from './figures.ts'
import { isSampled, type Pattern } from './patterns.ts'
import type { LineCounts, Peers } from './peers.ts'
import { FIRST_HITS, type Prowl } from './prowl.ts'

export interface Race {
  readonly prowl: Prowl
  /** The same corpus in Elasticsearch. */
  readonly elastic?: Prowl | undefined
  /** Absent where the raw text was not kept. */
  readonly peers?: Peers
  /** What plain ripgrep counted while the text lay there, by pattern. */
  readonly counts?: LineCounts | undefined
  /** All that the store holds. */
  readonly blocks: number
  /** Of each measurement; with 1 nothing is warmed up before. */
  readonly runs: number
  /** ci-search mode runs all pasted patterns too. */
  readonly all: boolean
}

export interface Raced {
  readonly row: Row
  /** Counts that are not what they must be, in words. */
  readonly faults: readonly string[]
}

/** ci-search mode takes long, and the same each time: it runs less often, and warm once its files lie in memory. */
const CI_SEARCH_RUNS = 3

/** Runs one pattern through every engine; whoever counts otherwise than prowl is a fault. */
export async function race(
  pattern: Pattern,
  { prowl, elastic, peers, counts, blocks, runs, all }: Race,
): Promise<Raced> {
  const text = pattern.pattern
  const few = Math.min(runs, CI_SEARCH_RUNS)
  const { counted, first, narrowed } = await measureAll(prowl, pattern, runs)
  const theirs = elastic && (await measureAll(elastic, pattern, runs))
  const rg = peers && (await measure(runs, () => peers.rg(text)))
  const ciSearch =
    peers && (all || isSampled(pattern)) ? await measure(few, () => peers.ciSearch(text), false) : undefined
  const charted = pattern.kind === 'pasted' ? undefined : await measure(runs, () => prowl.chart(text))
  const ciSearchFirst = peers && charted ? await measure(few, () => peers.ciSearchFirst(text), false) : undefined
  const lines = counted.answer.lines[0] ?? 0
  const faults = [
    differs('lines by rg', rg?.answer ?? counts?.[text], lines),
    differs('lines by ci-search mode', ciSearch?.answer, lines),
    differs('first hits', Math.min(lines, FIRST_HITS), first.answer),
    differs('runs by rg -m1', ciSearchFirst?.answer, charted?.answer),
    differs('lines by Elasticsearch', theirs?.counted.answer.lines[0], lines),
    differs('first hits by Elasticsearch', theirs?.first.answer, first.answer),
    lacks('prowl', counted.answer.partial),
    lacks('Elasticsearch', theirs?.counted.answer.partial),
  ].filter((fault) => fault !== undefined)
  return {
    faults: faults.map((fault) => `${pattern.name} (${text}): ${fault}`),
    row: {
      name: pattern.name,
      kind: pattern.kind,
      pattern: text,
      ...(pattern.base === undefined ? {} : { base: pattern.base }),
      lines,
      prowlMs: counted.ms,
      firstMs: first.ms,
      ...msOf('indexMs', narrowed),
      ...msOf('chartMs', charted),
      ...msOf('ciSearchMs', ciSearch),
      ...msOf('rgMs', rg),
      ...msOf('ciSearchFirstMs', ciSearchFirst),
      ...msOf('elasticMs', theirs?.counted),
      ...msOf('elasticFirstMs', theirs?.first),
      ...msOf('elasticIndexMs', theirs?.narrowed),
      candidates: counted.answer.candidates,
      blocks,
    },
  }
}

/** Counts the rows' patterns once more, over a store that was merged since. */
export async function raceMerged(elastic: Prowl, rows: readonly Row[], runs: number) {
  const faults: string[] = []
  const merged: Row[] = []
  for (const row of rows) {
    const { ms, answer } = await measure(runs, () => elastic.count([row.pattern]))
    const fault = differs('lines by Elasticsearch once merged', answer.lines[0], row.lines)
    if (fault !== undefined) faults.push(`${row.name} (${row.pattern}): ${fault}`)
    merged.push({ ...row, elasticMergedMs: ms })
  }
  return { rows: merged, faults }
}

async function measureAll(prowl: Prowl, { pattern, kind }: Pattern, runs: number) {
  const counted = await measure(runs, () => prowl.count([pattern]))
  const first = await measure(runs, () => prowl.first(pattern))
  const narrowed = kind === 'pasted' ? undefined : await measure(runs, () => prowl.narrow(pattern))
  return { counted, first, narrowed }
}

function differs(what: string, theirs: number | undefined, ours: number | undefined): string | undefined {
  return theirs === undefined || theirs === ours ? undefined : `${what} ${theirs}, by prowl ${ours}`
}

function lacks(whose: string, partial: readonly string[] = []): string | undefined {
  return partial.length === 0 ? undefined : `${whose}’s count lacks lines: ${partial.join(', ')}`
}

function msOf<K extends string>(
  name: K,
  measured: { readonly ms: number } | undefined,
): { readonly [P in K]?: number } {
  return (measured ? { [name]: measured.ms } : {}) as { readonly [P in K]?: number }
}

/** The median time of `runs`, and the last answer. */
async function measure<T>(runs: number, run: () => T | Promise<T>, warmUp = runs > 1) {
  if (warmUp) await run()
  const times: number[] = []
  for (;;) {
    const started = performance.now()
    const answer = await run()
    times.push(performance.now() - started)
    if (times.length >= runs) return { ms: median(times) ?? 0, answer }
  }
}
