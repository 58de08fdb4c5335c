import { parseRfc3339 } from '../incident/line-time.ts'
import { type Clues, isNear, type RunSpan } from '../incident/placement.ts'

/** A failed beat tries four times, 1, 4 and 9 s apart (kubernetes-sigs/boskos client/client.go), before the next is due. */
const RETRY_MS = 14_000
/** Resources whose beats are counted in one log; a hostile log may name any number. */
const MAX_RESOURCES = 100

/** Counts the untimed beats of one log since the line that tells the clock's start, for each resource. */
export class Heartbeats {
  readonly #everyMs: number
  readonly #span: RunSpan
  #start: number | undefined
  readonly #beats = new Map<string, { all: number; failed: number }>()

  constructor(everyMs: number, span: RunSpan) {
    this.#everyMs = everyMs
    this.#span = span
  }

  /** A line that starts the clock anew; a time that is none, or far from the run, stops it. */
  start(time: string | undefined): void {
    const ms = parseRfc3339(time ?? '')
    this.#start = ms !== undefined && isNear(ms, this.#span) ? ms : undefined
    this.#beats.clear()
  }

  /** Lines are missing: the beats among them can't be counted. */
  stop(): void {
    this.#start = undefined
  }

  /** The clue that a beat gives: each beat before took its interval, each failed one perhaps its retries too. */
  beat(resource: string, failed: boolean): Clues['clock'] | undefined {
    if (this.#start === undefined) return undefined
    const beats = this.#beats.get(resource) ?? { all: 0, failed: 0 }
    if (beats.all === 0 && this.#beats.size >= MAX_RESOURCES) return undefined
    beats.all += 1
    if (failed) beats.failed += 1
    this.#beats.set(resource, beats)
    return { at: this.#start + beats.all * this.#everyMs, slackMs: beats.failed * RETRY_MS }
  }
}
