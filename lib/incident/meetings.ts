import { ascending } from 'd3-array'
import type { Incident } from '../model/incident.ts'
import type { Signature } from '../model/signature.ts'
import { runText } from './runs.ts'
import { isCounted } from './votes.ts'

const DAY = 86_400_000
/** Incidents at most so far apart, from range to range, may be one outage. */
export const TOGETHER_MS = 30 * 60_000
/** Incidents of one signature that are looked at for another's: they lie apart, so more are near only where clustering is odd. */
const MOST_NEAR = 5

/** What of an incident decides what it struck together with. */
export type Strike = Pick<Incident, 'signature' | 'from' | 'to' | 'votes' | 'clusters'> & {
  readonly runs: readonly Pick<Incident['runs'][number], 'bucket' | 'path'>[]
}
export type Rules = Pick<Signature, 'id' | 'part' | 'yieldsTo'>

/** How often incidents of two signatures struck together; what is less than a day apart counts once. */
export interface Meetings {
  /** The lesser id first. */
  readonly signatures: readonly [string, string]
  readonly times: number
}

/** Whether two incidents are near enough in time, and have a run or a build cluster in common: one outage, if their signatures do so often. */
export function struckTogether(a: Strike, b: Strike): boolean {
  return isCounted(a) && isCounted(b) && isNear(a, b) && shares(a, b)
}

/** Incidents of two votes or more, of whole signatures, by time. */
export function countedStrikes(incidents: readonly Strike[], signatures: readonly Rules[]): Strike[] {
  const whole = new Set(signatures.filter(({ part }) => !part).map(({ id }) => id))
  return incidents
    .filter((incident) => isCounted(incident) && whole.has(incident.signature))
    .sort((a, b) => ascending(a.from.earliest, b.from.earliest) || ascending(a.signature, b.signature))
}

/** Sweeps once over counted strikes: each against those before it that have not ended long since. */
export function countMeetings(strikes: readonly Strike[], signatures: readonly Rules[]): Meetings[] {
  const rules = new Map(signatures.map((one) => [one.id, one]))
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
  return [...counts.values()].map(({ signatures: both, times }) => ({ signatures: both, times }))
}

/** The same, or one leaves its lines to the other: they hit the same text by nature. */
export function areRelated(a: Rules | undefined, b: Rules | undefined): boolean {
  return !a || !b || a.id === b.id || a.yieldsTo.includes(b.id) || b.yieldsTo.includes(a.id)
}

interface Count {
  readonly signatures: readonly [string, string]
  times: number
  last: number
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
