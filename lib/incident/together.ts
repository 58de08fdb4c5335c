import { ascending, group } from 'd3-array'
import type { Incident } from '../model/incident.ts'
import type { Signature } from '../model/signature.ts'
import type { ExposureHour } from '../store/store.ts'
import { chancePairs, isMoreThanChance, type Span, watchedTogether } from './chance.ts'
import { runText } from './runs.ts'

const DAY = 86_400_000
/** Incidents at most so far apart, from range to range, may be one outage. */
export const TOGETHER_MS = 30 * 60_000
/** The chance that any pair of signatures is named though all strike independently. */
export const TOGETHER_LEVEL = 0.01
/** Once is no habit. */
const LEAST_TIMES = 2
const LEAST_VOTES = 2
/** Incidents of one signature that are looked at for another's: they lie apart, so more are near only where clustering is odd. */
const MOST_NEAR = 5

type Strike = Pick<Incident, 'signature' | 'from' | 'to' | 'votes' | 'runs' | 'clusters'>
type Rules = Pick<Signature, 'id' | 'part' | 'yieldsTo'>

/** Two signatures that strike together more often than chance. */
export interface Together {
  /** The lesser id first. */
  readonly signatures: readonly [string, string]
  /** How often they did; what is less than a day apart counts once. */
  readonly times: number
  /** How often they would by chance. */
  readonly expected: number
}

/** What is to be judged: pairs of signatures that struck together, of all pairs that could have. */
export interface Met {
  readonly pairs: readonly {
    readonly signatures: readonly [string, string]
    readonly times: number
    readonly spans: readonly [readonly Span[], readonly Span[]]
  }[]
  /** Pairs of signatures with incidents enough to strike together. */
  readonly tested: number
}

/** Whether two incidents are near enough in time, and have a run or a build cluster in common: one outage, if their signatures do so often. */
export function struckTogether(a: Strike, b: Strike): boolean {
  return a.votes >= LEAST_VOTES && b.votes >= LEAST_VOTES && isNear(a, b) && shares(a, b)
}

/** Finds the pairs of signatures that struck together, sweeping once over their incidents by time. */
export function meetings(incidents: readonly Strike[], signatures: readonly Rules[]): Met {
  const rules = new Map(signatures.filter(({ part }) => !part).map((one) => [one.id, one]))
  const strikes = incidents
    .filter(({ signature, votes }) => votes >= LEAST_VOTES && rules.has(signature))
    .sort((a, b) => ascending(a.from.earliest, b.from.earliest) || ascending(a.signature, b.signature))
  const bySignature = group(strikes, ({ signature }) => signature)
  const often = [...bySignature].filter(([, own]) => own.length >= LEAST_TIMES).flatMap(([id]) => rules.get(id) ?? [])
  const spans = (id: string) =>
    (bySignature.get(id) ?? []).map(({ from, to }) => ({ from: from.earliest, to: to.latest }))
  return {
    tested: countPairs(often),
    pairs: sweep(strikes, rules)
      .filter(({ times }) => times >= LEAST_TIMES)
      .map(({ signatures: [a, b], times }) => ({ signatures: [a, b], times, spans: [spans(a), spans(b)] })),
  }
}

/** Those of the pairs that met more often than chance, by the runs that could have shown each signature, an hour. */
export function moreThanChance(
  { pairs, tested }: Met,
  exposure: ReadonlyMap<string, readonly ExposureHour[]>,
): Together[] {
  return pairs
    .map(({ signatures, times, spans }) => {
      const [a, b] = signatures
      const watched = watchedTogether(exposure.get(a) ?? [], exposure.get(b) ?? [])
      return { signatures, times, expected: chancePairs(...spans, TOGETHER_MS, watched) }
    })
    .filter(({ times, expected }) => isMoreThanChance(times, expected, TOGETHER_LEVEL / tested))
}

interface Count {
  readonly signatures: readonly [string, string]
  times: number
  last: number
}

/** Each incident against those before it that have not ended long since. */
function sweep(strikes: readonly Strike[], rules: ReadonlyMap<string, Rules>): Count[] {
  const counts = new Map<string, Count>()
  const open = new Map<string, Strike[]>()
  for (const strike of strikes) {
    for (const [id, before] of open) {
      const near = before.filter((one) => isNear(one, strike))
      if (near.length > 0) open.set(id, near)
      else open.delete(id)
      if (!areRelated(rules.get(id), rules.get(strike.signature)) && near.some((one) => shares(one, strike)))
        note(counts, id, strike)
    }
    open.set(strike.signature, [...(open.get(strike.signature) ?? []).slice(1 - MOST_NEAR), strike])
  }
  return [...counts.values()]
}

function note(counts: Map<string, Count>, other: string, { signature, from: { earliest } }: Strike): void {
  const signatures: [string, string] = other < signature ? [other, signature] : [signature, other]
  const key = signatures.join(' ')
  const count = counts.get(key) ?? { signatures, times: 0, last: Number.NEGATIVE_INFINITY }
  counts.set(key, count)
  if (earliest - count.last < DAY) return
  count.times++
  count.last = earliest
}

function isNear(a: Strike, b: Strike): boolean {
  return b.from.earliest - a.to.latest <= TOGETHER_MS && a.from.earliest - b.to.latest <= TOGETHER_MS
}

function shares(a: Strike, b: Strike): boolean {
  if (a.clusters.some((cluster) => b.clusters.includes(cluster))) return true
  const [few, many] = a.runs.length < b.runs.length ? [a.runs, b.runs] : [b.runs, a.runs]
  const own = new Set(few.map(runText))
  return many.some((run) => own.has(runText(run)))
}

/** The same, or one leaves its lines to the other: they hit the same text by nature. */
function areRelated(a: Rules | undefined, b: Rules | undefined): boolean {
  return !a || !b || a.id === b.id || a.yieldsTo.includes(b.id) || b.yieldsTo.includes(a.id)
}

function countPairs(signatures: readonly Rules[]): number {
  return signatures.reduce((all, a, i) => all + signatures.slice(i + 1).filter((b) => !areRelated(a, b)).length, 0)
}
