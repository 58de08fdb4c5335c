import type { IncidentRun, RunOutcome } from '../model/incident.ts'

/** In the order in which they are told. */
export const OUTCOME_WORDS: Readonly<Record<RunOutcome, string>> = {
  died: 'died of it',
  later: 'failed later of something else',
  passed: 'passed',
  other: 'aborted, lost or not ended',
}
const ORDER = Object.keys(OUTCOME_WORDS)
const OTHERS: Readonly<Record<string, string>> = { aborted: 'aborted', lost: 'lost' }

type Ended = Pick<IncidentRun, 'outcome' | 'result'>

/** What became of a run that was hit, in words. */
export function outcomeWord({ outcome, result }: Ended): string {
  return outcome === 'other' ? (OTHERS[result] ?? 'not ended yet') : OUTCOME_WORDS[outcome]
}

export function countOutcomes(runs: readonly Ended[]): Record<RunOutcome, number> {
  const counts = { died: 0, later: 0, passed: 0, other: 0 }
  for (const { outcome } of runs) counts[outcome]++
  return counts
}

/** `8 runs died of it, 2 failed later of something else, 3 passed`; empty for no run. */
export function outcomesLine(runs: readonly Ended[]): string {
  const counts = new Map<string, number>()
  const sorted = [...runs].sort((a, b) => ORDER.indexOf(a.outcome) - ORDER.indexOf(b.outcome))
  for (const run of sorted) counts.set(outcomeWord(run), (counts.get(outcomeWord(run)) ?? 0) + 1)
  return [...counts]
    .map(([word, n], i) => `${n.toLocaleString('en-US')}${i === 0 ? (n === 1 ? ' run' : ' runs') : ''} ${word}`)
    .join(', ')
}
