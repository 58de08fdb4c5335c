import { mayHoldTimes } from '../incident/line-time.ts'
import { type Neighbours, type RunSpan, timeOnLine } from '../incident/placement.ts'

/**
 * ci-operator copies the log of a failed container into its own, just before the line that says so: until then
 * nothing tells the copy from ci-operator's own untimed lines.
 */
const DUMP_END = /\bContainer \S+ in pod \S+ failed\b/

interface Gap {
  before: number | undefined
  after: number | undefined
  dumped: boolean
}

/**
 * Finds the timed lines round the lines asked for, while a log streams by: looks at no line far from them but the last
 * timed one of each block.
 */
export class NeighbourTracker {
  readonly #span: RunSpan
  readonly #takesDumps: boolean
  #before: number | undefined
  /** The neighbours of lines already asked for whose next timed line has not come yet. */
  #open: Gap | undefined
  #lines: readonly string[] = []
  #next = 0

  constructor(span: RunSpan, options: { takesDumps: boolean }) {
    this.#span = span
    this.#takesDumps = options.takesDumps
  }

  /** Begins a block. `lines` is called only if a line is waiting for its next timed one. */
  enter(lines: () => readonly string[]): void {
    this.#next = 0
    this.#lines = []
    if (!this.#open) return
    this.#lines = lines()
    this.#close(this.#lines.length)
    this.#next = this.#lines.length
  }

  /** The neighbours of a line without a time; `after` fills in once it has come by. Lines are asked for in order. */
  around(lines: readonly string[], line: number): Neighbours {
    this.#lines = lines
    this.#close(line)
    if (!this.#open) {
      this.#open = { before: this.#last(line) ?? this.#before, after: undefined, dumped: false }
    }
    this.#next = line + 1
    return this.#open
  }

  /** Ends a block of which no more lines will be asked for. */
  leave(text: string): void {
    this.#close(this.#lines.length)
    this.#before = lastTime(text, this.#span) ?? this.#before
    this.#lines = []
  }

  /** Looks for the first timed line from where it last stopped up to `end`. */
  #close(end: number): void {
    for (let index = this.#next; this.#open && index < end; index += 1) {
      const line = this.#lines[index] ?? ''
      const time = timeOnLine(line, this.#span)
      if (time === undefined) continue
      this.#open.after = time
      this.#open.dumped = this.#takesDumps && DUMP_END.test(line)
      this.#open = undefined
    }
  }

  #last(end: number): number | undefined {
    for (let index = end - 1; index >= 0; index -= 1) {
      const time = timeOnLine(this.#lines[index] ?? '', this.#span)
      if (time !== undefined) return time
    }
    return undefined
  }
}

/** Most logs end every block with a timed line: so many are looked at before the whole text is asked whether it has any. */
const LINES_TRIED_FIRST = 5

/** The time of the last timed line of a text. */
function lastTime(text: string, span: RunSpan): number | undefined {
  let end = text.length
  for (let tried = 0; end >= 0; tried += 1) {
    if (tried === LINES_TRIED_FIRST && !mayHoldTimes(text.slice(0, end))) return undefined
    const start = end === 0 ? 0 : text.lastIndexOf('\n', end - 1) + 1
    const time = timeOnLine(text.slice(start, end), span)
    if (time !== undefined) return time
    end = start - 1
  }
  return undefined
}
