import type { Cadence } from '../model/incident.ts'
import type { Verdict, VerdictState } from '../model/verdict.ts'
import { chanceOfAtMost, chanceOfLonger, quietFor, stillAllowed } from './chance.ts'
import { regularityOf } from './regularity.ts'

const DAY = 86_400_000
/** *quiet* without a change: at 5 % an unchanged five-day failure would be called quiet three times a year. */
export const QUIET_CHANCE = 0.005
export const HOLDING_CHANCE = 0.01
/** *rarer* at most, *back* beyond. */
const RARER_CHANCE = 0.05
/** The witness is no longer written where its share of runs fell below this part of what it was … */
const WITNESS_LEFT = 1 / 5
/** … and so many runs should have shown it. */
const WITNESS_EXPECTED = 5
/** Factor by which the jobs' mix must move the ratio of runs to be told. */
const MIX_TOLD = 3

/** Ended runs of the jobs that showed the witness, and how many of them did. */
export interface WitnessShare {
  readonly shown: number
  readonly runs: number
}

/** Of what came before, and since. */
export interface WitnessShares {
  readonly before: WitnessShare
  readonly since: WitnessShare
}

/** What a verdict needs beside the cadence. */
export interface VerdictFacts {
  /** Before and since the change, or the last incident; absent where the signature has no witness. */
  readonly witness?: WitnessShares
  /** For a per-run failure: what the exposure since counts for more or less than its runs, by their jobs; 1: as before. */
  readonly mix?: number
  /** Incidents counted before and since, with hits joined within half and twice the window. */
  readonly reclustered?: Readonly<Record<'half' | 'double', { readonly before: number; readonly since: number }>>
}

/** What is to be said of a signature; docs/statistics.md has the rules. */
export function verdict(cadence: Cadence, facts: VerdictFacts = {}): Verdict {
  const judgedOn = judge(cadence, facts)
  const unsteady = (['half', 'double'] as const).flatMap((window) => {
    const counts = facts.reclustered?.[window]
    if (!counts || cadence.unit === 'runs') return []
    const { state } = judge(recounted(cadence, counts), facts)
    return state === judgedOn.state ? [] : [{ window, state }]
  })
  return unsteady.length > 0 ? { ...judgedOn, unsteady } : judgedOn
}

function recounted(cadence: Cadence, { before, since }: { before: number; since: number }): Cadence {
  const { after } = cadence
  return { ...cadence, incidents: before, ...(after && { after: { ...after, incidents: since } }) }
}

function judge(cadence: Cadence, facts: VerdictFacts): Verdict {
  const { incidents, since, excluded, after, last } = cadence
  if (last === undefined) return { state: incidents + since.length === 0 && excluded > 0 ? 'one-pr' : 'never' }
  const unclear = whyUnclear(cadence, facts)
  if (unclear) return { state: 'unclear', unclear, ...gaps(cadence) }
  return after ? sinceChange(cadence, after, facts) : unchanged(cadence, facts)
}

/** Quiet that could not have been broken is none. */
function whyUnclear({ after, quiet, group }: Cadence, { witness }: VerdictFacts): Verdict['unclear'] {
  if (after && after.incidents > 0) return undefined
  if (witness && driedUp(witness)) return 'witness'
  const from = group?.countsFrom ?? quiet?.from ?? 0
  const span = after ?? quiet
  const watched = span ? span.watchedHours + span.exposedRuns : 0
  return span && span.to - from > DAY && watched === 0 ? 'unwatched' : undefined
}

function driedUp({ before, since }: NonNullable<VerdictFacts['witness']>): boolean {
  if (before.runs === 0 || since.runs === 0) return false
  const share = before.shown / before.runs
  return share * since.runs >= WITNESS_EXPECTED && since.shown / since.runs < share * WITNESS_LEFT
}

/** What a chance is worked out of, all in the unit of the signature's kind. */
interface Rate {
  readonly shape: number
  readonly T: number
  readonly t: number
}

function sinceChange(cadence: Cadence, after: NonNullable<Cadence['after']>, facts: VerdictFacts): Verdict {
  const { incidents: n, group, last = 0 } = cadence
  const k = after.incidents
  if (n === 0) return { state: k > 0 || cadence.since.length > 0 ? 'active' : 'never', withheld: 'nothing before' }
  const T = exposure(cadence, cadence)
  const t = exposure(cadence, after) * mixOf(cadence, facts)
  const told = { ...gaps(cadence), ...mixTold(cadence, facts) }
  if (t === 0) return { state: 'active', withheld: 'not yet', ...told }
  if (k > 0 && cadence.continuous) return { state: 'active', withheld: 'continuous', ...told }
  if (told.regularity === 'bursty') return { state: 'active', withheld: 'bursty', ...told }
  const rate = { shape: n + 0.5, T, t }
  const expected = (n * t) / T
  if (k > 0) {
    const chance = chanceOfAtMost(k, rate)
    return { state: chance > RARER_CHANCE ? 'back' : 'rarer', chance, expected, ...told }
  }
  const quietMs = after.to - Math.max(group?.countsFrom ?? 0, last)
  return { expected, ...ofQuiet(cadence, rate, { state: 'holding', threshold: HOLDING_CHANCE, quietMs, told }) }
}

/** Nobody did anything that is known: the exposure up to the last incident against that since. */
function unchanged(cadence: Cadence, facts: VerdictFacts): Verdict {
  const { quiet, incidents: n } = cadence
  const told = { ...gaps(cadence), ...mixTold(cadence, facts) }
  if (!quiet || n === 0) return { state: 'active', ...told }
  if (cadence.continuous) return { state: 'active', withheld: 'continuous', ...told }
  if (told.regularity === 'bursty') return { state: 'active', withheld: 'bursty', ...told }
  const watched = exposure(cadence, quiet)
  const T = exposure(cadence, cadence) - watched
  if (T <= 0) return { state: 'active', ...told }
  const rate = { shape: n, T, t: watched * mixOf(cadence, facts) }
  const quietMs = quiet.to - quiet.from
  return ofQuiet(cadence, rate, { state: 'quiet', threshold: QUIET_CHANCE, quietMs, told })
}

interface Quiet {
  /** What it is called once its chance is at most the threshold. */
  readonly state: VerdictState
  readonly threshold: number
  readonly quietMs: number
  /** What is said beside it. */
  readonly told: Pick<Verdict, 'regularity' | 'quietDays' | 'longestGap' | 'jobMix'>
}

/** Nothing came: how likely that is, what it leaves open, and how much more would reach the threshold of `state`. */
function ofQuiet(cadence: Cadence, rate: Rate, { state, threshold, quietMs, told }: Quiet): Verdict {
  const chance = chanceOfAtMost(0, rate)
  return {
    state: chance <= threshold ? state : 'active',
    chance,
    ...untilTold(cadence, rate, chance, threshold),
    ...allowed(cadence, quietMs, rate.t),
    ...overdue(cadence, told.regularity),
    ...told,
  }
}

function exposure({ unit }: Cadence, watched: { watchedHours: number; exposedRuns: number }): number {
  return unit === 'days' ? watched.watchedHours : watched.exposedRuns
}

function mixOf({ unit }: Cadence, { mix = 1 }: VerdictFacts): number {
  return unit === 'runs' ? mix : 1
}

function mixTold(cadence: Cadence, facts: VerdictFacts): Pick<Verdict, 'jobMix'> {
  const mix = mixOf(cadence, facts)
  return mix > MIX_TOLD || mix < 1 / MIX_TOLD ? { jobMix: mix } : {}
}

/** What gaps of the window show, and how long the last one lasts. */
function gaps(cadence: Cadence): Pick<Verdict, 'regularity' | 'quietDays' | 'longestGap'> {
  const { gaps: all, quiet, exposedRuns, incidents } = cadence
  const regularity = regularityOf(all, incidents > 0 ? exposedRuns / incidents : 0)
  return {
    ...(regularity && { regularity }),
    ...(quiet && { quietDays: (quiet.to - quiet.from) / DAY }),
    ...(all.length > 0 && { longestGap: Math.max(...all) }),
  }
}

function overdue({ gaps: all, quiet }: Cadence, regularity: Verdict['regularity']): Pick<Verdict, 'overdue'> {
  return regularity === 'regular' && quiet ? { overdue: chanceOfLonger((quiet.to - quiet.from) / DAY, all) } : {}
}

/** When the chance would reach `threshold` if nothing struck and as much were watched a day as lately. */
function untilTold(
  cadence: Cadence,
  rate: Rate,
  chance: number,
  threshold: number,
): Pick<Verdict, 'tellsAt' | 'threshold'> {
  if (chance <= threshold) return {}
  const to = cadence.after?.to ?? cadence.quiet?.to ?? cadence.to
  const days = (quietFor(threshold, rate) - rate.t) / exposure(cadence, cadence.daily)
  return { threshold, tellsAt: days <= 365 ? to + days * DAY : 'beyond' }
}

/** Calendar days, as the cadence's mean is of them; runs of a per-run failure. */
function allowed({ unit }: Cadence, quietMs: number, runs: number): Pick<Verdict, 'allows'> {
  return { allows: stillAllowed(unit === 'days' ? quietMs / DAY : runs) }
}

/** In the order in which they want attention. */
export const STATES: readonly VerdictState[] = [
  'back',
  'rarer',
  'active',
  'unclear',
  'one-pr',
  'quiet',
  'holding',
  'never',
]
