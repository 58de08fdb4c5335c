import { runText } from '../incident/runs.ts'
import type { Incident } from '../model/incident.ts'

const DAY = 86_400_000
/** Fewer earlier days say nothing of what is usual. */
export const USUAL_DAYS = 7
/** Nine days of ten are no higher than `high`, and as many no lower than `low`. */
const [LOW, HIGH] = [0.1, 0.9]

/** Runs hit a day: the tenth and ninetieth percentile of `days` days. */
export interface Usual {
  readonly low: number
  readonly high: number
  readonly days: number
}

export interface LastDay {
  /** Runs hit in the 24 hours before now. */
  readonly runs: number
  /** Of the 24 hours before those, and so on back; absent where they are fewer than seven. */
  readonly usual?: Usual
}

interface Stretch {
  readonly from: number
  readonly to: number
}

/**
 * The runs hit in the last 24 hours against the same of each earlier 24 hours since `from`. Days in which runs may be
 * missing (`gaps`) are left out: nothing was seen in them, which is not nothing. All epoch ms.
 */
export function lastDay(
  incidents: readonly Pick<Incident, 'runs'>[],
  { now, from, gaps }: { readonly now: number; readonly from: number; readonly gaps: readonly Stretch[] },
): LastDay {
  const counts = Array.from({ length: Math.max(1, Math.floor((now - from) / DAY)) }, () => 0)
  const times = new Map(incidents.flatMap(({ runs }) => runs.map((run) => [runText(run), run.time] as const)))
  for (const time of times.values()) {
    const ago = Math.floor((now - time) / DAY)
    if (counts[ago] !== undefined) counts[ago] += 1
  }
  const [runs = 0, ...earlier] = counts
  const whole = earlier.filter((_, i) => {
    const to = now - (i + 1) * DAY
    return !gaps.some((gap) => gap.from < to && gap.to > to - DAY)
  })
  return { runs, ...(whole.length >= USUAL_DAYS && { usual: usualOf(whole) }) }
}

/** By nearest rank: a count that there was, not one between two. */
function usualOf(counts: readonly number[]): Usual {
  const sorted = [...counts].sort((a, b) => a - b)
  const rank = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
  return { low: rank(LOW), high: rank(HIGH), days: sorted.length }
}

/** `3 (0)`, `9 (0–3)`; the count alone where nothing is known to be usual. */
export function lastDayWords({ runs, usual }: LastDay): string {
  return usual ? `${runs.toLocaleString('en-US')} (${usualWords(usual)})` : runs.toLocaleString('en-US')
}

/** `0`, `0–3` */
export function usualWords({ low, high }: Usual): string {
  return [...new Set([low, high])].map((each) => each.toLocaleString('en-US')).join('–')
}

export function isAboveUsual({ runs, usual }: LastDay): boolean {
  return usual !== undefined && runs > usual.high
}
