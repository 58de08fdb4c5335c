import { group } from 'd3-array'
import type { ExposureHour } from '../store/store.ts'
import { chancePairs, chancePairsNearby, isMoreThanChance, type Span, watchedTogether } from './meeting-chance.ts'
import {
  areRelated,
  countedStrikes,
  countMeetings,
  type Meetings,
  type Rules,
  type Strike,
  TOGETHER_MS,
} from './meetings.ts'

/** The chance that any pair of signatures is named though all strike independently. */
const LEVEL = 0.01
/** Once is no habit. */
const LEAST_TIMES = 2

/** Two signatures that strike together more often than chance. */
export interface Together extends Meetings {
  /** How often they would by chance. */
  readonly expected: number
}

/** Pairs of signatures that met oftener than the days round them explain, of all that could have. */
export interface Candidates {
  /** `expected` of those days alone; the spans by time. */
  readonly pairs: readonly (Together & { readonly spans: readonly [readonly Span[], readonly Span[]] })[]
  /** Pairs of signatures with incidents enough to strike together. */
  readonly tested: number
}

/** What is worth judging by the hours watched, which are many to read. */
export function candidates(incidents: readonly Strike[], signatures: readonly Rules[]): Candidates {
  const strikes = countedStrikes(incidents, signatures)
  const bySignature = group(strikes, ({ signature }) => signature)
  const tested = countPairs(signatures.filter(({ id }) => (bySignature.get(id)?.length ?? 0) >= LEAST_TIMES))
  const spans = new Map([...bySignature].map(([id, own]) => [id, own.map(spanOf)]))
  const pairs = countMeetings(strikes, signatures).map(({ signatures: [a, b], times }) => {
    const both = [spans.get(a) ?? [], spans.get(b) ?? []] as const
    return { signatures: [a, b] as const, times, spans: both, expected: chancePairsNearby(...both, TOGETHER_MS) }
  })
  return { tested, pairs: pairs.filter((pair) => isHabit(pair, tested)) }
}

/** Those that met more often than chance, by the runs that could have shown each signature, an hour (docs/statistics.md). */
export function moreThanChance(
  { pairs, tested }: Candidates,
  exposure: ReadonlyMap<string, readonly ExposureHour[]>,
): Together[] {
  return pairs
    .map(({ signatures, times, spans, expected }) => {
      const [a, b] = signatures
      const watched = watchedTogether(exposure.get(a) ?? [], exposure.get(b) ?? [])
      return { signatures, times, expected: Math.max(expected, chancePairs(...spans, TOGETHER_MS, watched)) }
    })
    .filter((pair) => isHabit(pair, tested))
}

function isHabit({ times, expected }: Pick<Together, 'times' | 'expected'>, tested: number): boolean {
  return times >= LEAST_TIMES && isMoreThanChance(times, expected, LEVEL / tested)
}

function spanOf({ from, to }: Strike): Span {
  return { from: from.earliest, to: to.latest }
}

function countPairs(signatures: readonly Rules[]): number {
  return signatures.reduce((all, a, i) => all + signatures.slice(i + 1).filter((b) => !areRelated(a, b)).length, 0)
}
