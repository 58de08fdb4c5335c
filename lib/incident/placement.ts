import type { Placed } from '../model/hit.ts'
import { dayStart, lineTimes, type ReadTime } from './line-time.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** A time on a line counts if it falls this near to the run: clocks differ, and logs quote older times. */
const TOLERANCE = HOUR
/** No run lasts longer (OpenShift's job timeout): the end of one whose end is unknown. */
const LONGEST_RUN = DAY

/** What is known of when a run was in flight; epoch ms. */
export interface RunTimes {
  readonly startedAt?: number
  readonly finishedAt?: number
  /** The time in a snowflake build id. */
  readonly idTime?: number
  /** The run's place in every order, which is always known. */
  readonly time: number
}

/** When a run can have been in flight; epoch ms, `from` ≤ `to`. */
export interface RunSpan {
  readonly from: number
  readonly to: number
  readonly source: 'run' | 'id'
}

export function runSpan({ startedAt, finishedAt, idTime, time }: RunTimes): RunSpan {
  const from = startedAt ?? idTime ?? (finishedAt === undefined ? time : finishedAt - LONGEST_RUN)
  const to = Math.max(from, finishedAt ?? from + LONGEST_RUN)
  return { from, to, source: startedAt === undefined ? 'id' : 'run' }
}

/** The innermost time on a line that falls near the run: an outer one may only say when the line was copied. Epoch ms. */
export function timeOnLine(line: string, span: RunSpan): number | undefined {
  return lineTimes(line)
    .map(({ time }) => resolveTime(time, span))
    .findLast((ms) => ms !== undefined)
}

/** The instant near the run that a time can mean: a missing year or day is the run's. Undefined if there is none. */
export function resolveTime(time: ReadTime, span: RunSpan): number | undefined {
  return candidates(time, span).find((ms) => ms !== undefined && isNear(ms, span))
}

function candidates(time: ReadTime, span: RunSpan): (number | undefined)[] {
  switch (time.kind) {
    case 'instant':
      return [time.ms]
    case 'since-start':
      return [span.from + time.ms]
    case 'time-of-day': {
      const first = Math.floor((span.from - TOLERANCE) / DAY) * DAY + time.msOfDay
      return [first, first + DAY]
    }
    case 'yearless': {
      const year = new Date(span.from).getUTCFullYear()
      return [year, year + 1, year - 1].map((candidate) => {
        const start = dayStart(candidate, time.month, time.day)
        return start === undefined ? undefined : start + time.msOfDay
      })
    }
  }
}

/** Within an hour of the run. */
export function isNear(ms: number, span: RunSpan): boolean {
  return ms >= span.from - TOLERANCE && ms <= span.to + TOLERANCE
}

/** What a log says about the moment of one of its lines; epoch ms, each near the run. */
export interface Clues {
  /** The time on the line itself. */
  readonly line?: number
  /** Counted heartbeats: not before `at`, and by at most `slackMs` later. */
  readonly clock?: { readonly at: number; readonly slackMs: number }
  readonly around: Neighbours
}

export interface Neighbours {
  /** Time of the last timed line before. */
  readonly before?: number | undefined
  /** Time of the first timed line after. */
  readonly after?: number | undefined
  /** The line belongs to a container's log copied into this one: its neighbour before says nothing of when it was written. */
  readonly dumped: boolean
}

/** Places a line in time by the best of its clues. Within an hour of the run, `earliest` ≤ `latest`. */
export function place({ line, clock, around }: Clues, span: RunSpan): Placed {
  if (line !== undefined) return { earliest: line, latest: line, source: 'line' }
  if (clock && isNear(clock.at, span)) {
    const bound = Math.min(around.after ?? Number.POSITIVE_INFINITY, span.to)
    return {
      earliest: Math.min(clock.at, bound),
      latest: Math.min(clock.at + clock.slackMs, bound),
      source: 'heartbeats',
    }
  }
  const before = around.dumped ? undefined : around.before
  if (before === undefined && around.after === undefined) {
    return { earliest: span.from, latest: span.to, source: span.source }
  }
  const bounds = [before ?? span.from, around.after ?? span.to]
  return { earliest: Math.min(...bounds), latest: Math.max(...bounds), source: 'neighbours' }
}

const RANK: Readonly<Record<Placed['source'], number>> = { line: 0, heartbeats: 1, neighbours: 2, run: 3, id: 4 }

/** Negative when `a` tells more than `b`: by the better source, else by the narrower range. */
export function comparePlaced(a: Placed, b: Placed): number {
  return RANK[a.source] - RANK[b.source] || a.latest - a.earliest - (b.latest - b.earliest)
}
