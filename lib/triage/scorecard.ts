import { descending, max, sum } from 'd3-array'
import { runText } from '../incident/runs.ts'
import type { WitnessShares } from '../incident/verdict.ts'
import type { Incident, RunOutcome } from '../model/incident.ts'
import type { Signature } from '../model/signature.ts'
import type { ExposedRuns } from '../store/store.ts'
import { oncePerRun } from './breakdown.ts'
import { isFailed } from './failure-finder.ts'
import { attributable, type Share, share } from './share.ts'

const DAY = 86_400_000
/** What fewer passing runs show says little. */
const FEW_PASSING = 3
const RETIRE_DAYS = 180
/** A signature in more of the passing runs than this tells nothing. */
const EVERYWHERE = 0.5
const OVERLAPS = 5
/** Witnesses dry up where they fall below this part of what they were, among runs enough to tell. */
const DRY = 1 / 5
const RUNS_ENOUGH = 20

/** How good a signature is at telling why runs fail. */
export interface Scorecard {
  /** Of failed runs that could have shown it, those hit; and of passing ones. */
  readonly failed: Share
  readonly passed: Share
  /** Of the failed runs, what is left when as many fail of something else as pass with it: (f − p)/(1 − p). */
  readonly attributable: number
  readonly outcomes: Readonly<Record<RunOutcome, number>>
  /** Other signatures that hit some of the same runs, the most first. */
  readonly overlaps: readonly { readonly signature: string; readonly runs: number; readonly of: number }[]
  /** When it last matched, at the latest; absent: never. Epoch ms. */
  readonly last?: number
  /** What wants attention, in sentences. */
  readonly warnings: readonly string[]
}

export interface ScorecardInput {
  readonly signature: Signature
  /** Of the window. */
  readonly incidents: readonly Incident[]
  /** Runs that other signatures hit, as texts. */
  readonly others: ReadonlyMap<string, ReadonlySet<string>>
  readonly exposed: readonly ExposedRuns[]
  /** When it last matched, of all time. */
  readonly last: number | undefined
  /** The oldest run read; absent: none. */
  readonly oldest: number | undefined
  readonly witness: WitnessShares | undefined
  readonly now: number
}

export function scorecardOf(input: ScorecardInput): Scorecard {
  const { incidents, exposed, last } = input
  const hit = oncePerRun(incidents.flatMap(({ runs }) => runs))
  const shareOf = (is: (result: string) => boolean) => {
    const part = hit.filter(({ result }) => is(result)).length
    return share(
      part,
      Math.max(
        part,
        sum(exposed, ({ result, runs }) => (is(result) ? runs : 0)),
      ),
    )
  }
  const [failed, passed] = [shareOf(isFailed), shareOf((result) => result === 'success')]
  const count = (outcome: RunOutcome) => hit.filter((run) => run.outcome === outcome).length
  return {
    failed,
    passed,
    attributable: attributable(rate(failed), rate(passed)),
    outcomes: { died: count('died'), later: count('later'), passed: count('passed'), other: count('other') },
    overlaps: overlapsOf(input),
    ...(last !== undefined && { last }),
    warnings: warningsOf(input, passed),
  }
}

function rate({ part, whole }: Share): number {
  return whole === 0 ? 0 : part / whole
}

function overlapsOf({ incidents, others }: ScorecardInput): Scorecard['overlaps'] {
  const own = new Set(incidents.flatMap(({ runs }) => runs.map(runText)))
  return [...others]
    .map(([signature, runs]) => ({ signature, runs: own.intersection(runs).size, of: own.size }))
    .filter(({ runs }) => runs > 0)
    .sort((a, b) => descending(a.runs, b.runs) || (a.signature < b.signature ? -1 : 1))
    .slice(0, OVERLAPS)
}

function warningsOf(input: ScorecardInput, passed: Share): string[] {
  const { signature, last, now, oldest = now, witness } = input
  const closed = (signature.closedBugs ?? []).filter(({ at }) => last !== undefined && last > at)
  const quietSince = Math.max(last ?? 0, oldest)
  return [
    ...closed.map(
      ({ bug, at }) => `The bug ${bug} was closed on ${date(at)}, and it still strikes: last on ${date(last ?? at)}.`,
    ),
    ...(passed.whole < FEW_PASSING
      ? [
          `Only ${passed.whole} passing runs that could have shown it were read: what it says of runs that fail is not tested.`,
        ]
      : []),
    ...(passed.whole >= FEW_PASSING && rate(passed) > EVERYWHERE
      ? ['More than half of the passing runs show it: it tells nothing about why runs fail.']
      : []),
    ...(signature.status.state !== 'retired' && now - quietSince >= RETIRE_DAYS * DAY
      ? [`No hit in ${RETIRE_DAYS} days: retire it?`]
      : []),
    ...(witness && isDry(witness)
      ? ['The line that would show it is hardly written any more: its quiet says nothing. Is the witness still right?']
      : []),
  ]
}

function isDry({ before, since }: WitnessShares): boolean {
  if (before.shown < RUNS_ENOUGH || since.runs < RUNS_ENOUGH) return false
  return since.shown / since.runs < (before.shown / before.runs) * DRY
}

function date(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** When any of the incidents ended at the latest. */
export function lastOf(incidents: readonly Incident[]): number | undefined {
  return max(incidents, ({ to }) => to.latest)
}
