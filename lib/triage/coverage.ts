import { ascending, descending, rollup, sum } from 'd3-array'
import { runText } from '../incident/runs.ts'
import type { Incident, IncidentRun } from '../model/incident.ts'
import type { Day, RunResult, RunType } from '../model/run.ts'
import type { Signature } from '../model/signature.ts'
import { dayOf } from '../store/order.ts'
import type { Rollup } from '../store/store.ts'
import { isFailed } from './failure-finder.ts'
import { type Share, share } from './share.ts'

/** How much of something is explained: failed runs, and those of them that died of a known failure. */
export interface Covered {
  readonly failed: number
  readonly died: number
}

export const BLAMES = ['infra', 'product', 'test', 'unsaid', 'several'] as const
/** `unsaid`: the signature's file doesn't say. `several`: the run died of signatures that blame different things. */
export type Blame = (typeof BLAMES)[number]

export const TYPES = ['periodic', 'presubmit', 'others'] as const
/** `others`: postsubmit and batch. */
export type CoveredType = (typeof TYPES)[number]

export interface Killed {
  readonly signature: string
  /** Of failed runs, those that died of it, and those that died of nothing else known. */
  readonly share: Share
  readonly onlyThis: number
}

export interface Coverage extends Covered {
  /** Runs that ended otherwise than by failing: they count nowhere else. */
  readonly apart: { readonly aborted: number; readonly lost: number }
  readonly share: Share
  readonly blames: Readonly<Record<Blame, number>>
  readonly types: Readonly<Record<CoveredType, Covered>>
  /** Every day of the window, in order. */
  readonly days: readonly (Covered & { readonly day: Day })[]
  /** The most unknown failures first. */
  readonly jobs: readonly (Covered & { readonly job: string })[]
  /** Those that killed any, the most first. */
  readonly signatures: readonly Killed[]
}

/** A run that died of something known, and of which signatures. */
export interface DiedRun extends IncidentRun {
  readonly signatures: readonly string[]
}

export interface CoverageInput {
  readonly days: readonly Day[]
  /** Of the window, by kind of run. */
  readonly rollups: readonly (readonly [CoveredType, readonly Rollup[]])[]
  readonly died: ReadonlyMap<string, DiedRun>
  readonly signatures: readonly Signature[]
}

/** Runs whose time lies in the range and that died of a signature, by their text: each once, whatever killed it. */
export function diedRuns(
  incidents: readonly Incident[],
  signatures: readonly Signature[],
  { from, to }: { readonly from: number; readonly to: number },
): Map<string, DiedRun> {
  // A part's hits are its whole's.
  const whole = new Set(signatures.filter(({ part }) => !part).map(({ id }) => id))
  const died = new Map<string, DiedRun>()
  for (const { signature, runs } of incidents) {
    if (!whole.has(signature)) continue
    for (const run of runs) {
      if (run.outcome !== 'died' || run.time < from || run.time >= to) continue
      const key = runText(run)
      const known = died.get(key)?.signatures ?? []
      if (!known.includes(signature)) died.set(key, { ...run, signatures: [...known, signature] })
    }
  }
  return died
}

/** The share of failed runs that died of a known failure, and how it divides. */
export function coverageOf({ days, rollups, died, signatures }: CoverageInput): Coverage {
  const rows = rollups.flatMap(([type, all]) =>
    all.filter(({ kind }) => kind === 'any').map((row) => ({ ...row, type })),
  )
  const failed = rows.filter(({ result }) => isFailed(result))
  const dead = [...died.values()]
  const total = countRuns(failed)
  const apart = (wanted: RunResult) => countRuns(rows.filter(({ result }) => result === wanted))
  const byDay = covered(
    failed,
    dead,
    ({ day }) => day,
    ({ time }) => dayOf(time),
  )
  const byJob = covered(
    failed,
    dead,
    ({ job }) => job,
    ({ job }) => job,
  )
  const byType = covered(
    failed,
    dead,
    ({ type }) => type,
    ({ type }) => typeOf(type),
  )
  const nothing = { failed: 0, died: 0 }
  return {
    failed: total,
    died: died.size,
    apart: { aborted: apart('aborted'), lost: apart('lost') },
    share: share(Math.min(died.size, total), total),
    blames: blamesOf(dead, signatures),
    types: record(TYPES, (type) => byType.get(type) ?? nothing),
    days: days.map((day) => ({ day, ...(byDay.get(day) ?? nothing) })),
    jobs: [...byJob]
      .map(([job, of]) => ({ job, ...of }))
      .sort((a, b) => descending(unknownOf(a), unknownOf(b)) || ascending(a.job, b.job)),
    signatures: killedBy(dead, total),
  }
}

/** Runs may be read anew between two counts: never less than none. */
export function unknownOf({ failed, died }: Covered): number {
  return Math.max(0, failed - died)
}

export function typeOf(type: RunType | undefined): CoveredType {
  return type === 'periodic' || type === 'presubmit' ? type : 'others'
}

function covered<R extends Rollup, K>(
  failed: readonly R[],
  died: readonly DiedRun[],
  keyOf: (row: R) => K,
  keyOfRun: (run: DiedRun) => K,
): Map<K, Covered> {
  const all = rollup(failed, countRuns, keyOf)
  const dead = rollup(died, (runs) => runs.length, keyOfRun)
  const keys = new Set([...all.keys(), ...dead.keys()])
  return new Map([...keys].map((key) => [key, { failed: all.get(key) ?? 0, died: dead.get(key) ?? 0 }]))
}

function countRuns(rows: readonly Rollup[]): number {
  return sum(rows, ({ runs }) => runs)
}

function blamesOf(died: readonly DiedRun[], signatures: readonly Signature[]): Coverage['blames'] {
  const blameOf = new Map(signatures.map(({ id, blames }) => [id, blames]))
  const counts = rollup(
    died,
    (runs) => runs.length,
    (run): Blame => {
      const blames = new Set(run.signatures.map((id) => blameOf.get(id) ?? 'unsaid'))
      const [only] = blames
      return blames.size === 1 && only ? only : 'several'
    },
  )
  return record(BLAMES, (blame) => counts.get(blame) ?? 0)
}

function killedBy(died: readonly DiedRun[], failed: number): Killed[] {
  const counts = new Map<string, { died: number; onlyThis: number }>()
  for (const { signatures } of died) {
    for (const id of signatures) {
      const count = counts.get(id) ?? { died: 0, onlyThis: 0 }
      counts.set(id, count)
      count.died++
      if (signatures.length === 1) count.onlyThis++
    }
  }
  return [...counts]
    .map(([signature, { died: own, onlyThis }]) => ({
      signature,
      share: share(Math.min(own, failed), failed),
      onlyThis,
    }))
    .sort((a, b) => descending(a.share.part, b.share.part) || ascending(a.signature, b.signature))
}

function record<K extends string, V>(keys: readonly K[], give: (key: K) => V): Record<K, V> {
  return Object.fromEntries(keys.map((key) => [key, give(key)])) as Record<K, V>
}
