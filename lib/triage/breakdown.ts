import { ascending, descending } from 'd3-array'
import { runText } from '../incident/runs.ts'
import type { IncidentRun } from '../model/incident.ts'
import type { ExposedRuns } from '../store/store.ts'
import { type Share, share } from './share.ts'
import { type Variants, variantOf } from './variants.ts'

/** Runs hit, of those that could have shown the failure, by one thing that runs differ in. */
export interface Breakdown {
  /** `job`, `cluster`, `branch`, or the name of a variant. */
  readonly by: string
  /** The most runs hit first; those that show it nowhere, but could have, among them. */
  readonly rows: readonly BreakdownRow[]
}

export interface BreakdownRow {
  /** Empty where it is not known. */
  readonly value: string
  /** Of exposed runs. A run hit that was not read whole counts as exposed too: the share is never over one. */
  readonly share: Share
  /** Pull requests among the runs hit. */
  readonly pulls: number
}

type Facet = Pick<ExposedRuns, 'job' | 'cluster' | 'branch'>

/** By job, build cluster, branch and each variant; what tells no two runs apart is left out. */
export function breakdownsOf(
  hit: readonly IncidentRun[],
  exposed: readonly ExposedRuns[],
  variants: Variants,
): Breakdown[] {
  const facets: [string, (run: Facet) => string][] = [
    ['job', ({ job }) => job],
    ['cluster', ({ cluster }) => cluster],
    ['branch', ({ branch }) => branch],
    ...[...variants.keys()].map((name): [string, (run: Facet) => string] => {
      const values = new Map<string, string>()
      return [
        name,
        ({ job }) => {
          const known = values.get(job) ?? variantOf(variants, name, job) ?? ''
          values.set(job, known)
          return known
        },
      ]
    }),
  ]
  return facets
    .map(([by, valueFor]) => ({ by, rows: rowsOf(hit, exposed, valueFor) }))
    .filter(({ by, rows }) => by === 'job' || rows.length > 1)
}

function rowsOf(
  hit: readonly IncidentRun[],
  exposed: readonly ExposedRuns[],
  valueFor: (run: Facet) => string,
): BreakdownRow[] {
  const rows = new Map<string, { hit: number; exposed: number; pulls: Set<string> }>()
  const rowOf = (value: string) => {
    const row = rows.get(value) ?? { hit: 0, exposed: 0, pulls: new Set<string>() }
    rows.set(value, row)
    return row
  }
  for (const each of exposed) rowOf(valueFor(each)).exposed += each.runs
  for (const { job, cluster = '', branch = '', pulls = [] } of oncePerRun(hit)) {
    const row = rowOf(valueFor({ job, cluster, branch }))
    row.hit++
    for (const pull of pulls) row.pulls.add(pull)
  }
  return [...rows]
    .map(([value, row]) => ({
      value,
      share: share(row.hit, Math.max(row.hit, row.exposed)),
      pulls: row.pulls.size,
    }))
    .sort(
      (a, b) =>
        descending(a.share.part, b.share.part) ||
        descending(a.share.whole, b.share.whole) ||
        ascending(a.value, b.value),
    )
}

/** A run may belong to several incidents. */
export function oncePerRun(runs: readonly IncidentRun[]): IncidentRun[] {
  return [...new Map(runs.map((run) => [runText(run), run])).values()]
}
