import { type Clues, type RunSpan, timeOnLine } from '../incident/placement.ts'
import type { Block } from '../model/block.ts'
import type { LogKind } from '../model/run.ts'
import { BlockView, type Matched } from './block-view.ts'
import type { CompiledSignature } from './compiled.ts'
import { NeighbourTracker } from './neighbours.ts'
import { capped, type HitDraft, type LogFindings, SignatureState } from './signature-state.ts'

/** Matches one log, block after block in line order, in memory that does not grow with the log. */
export interface LogMatcher {
  block(block: Block): void
  end(): void
}

const CONTEXT = 2

export class StreamingLogMatcher implements LogMatcher {
  readonly name: string
  readonly #states: ReadonlyMap<string, SignatureState>
  readonly #span: RunSpan
  readonly #neighbours: NeighbourTracker
  /** The last lines before the block, for context. */
  #tail: readonly string[] = []
  /** Hits whose lines after have not all come by. */
  #waiting: HitDraft[] = []
  #nextLine = 1
  /** Time of the line that is being read in windows. */
  #cutLineTime: number | undefined
  #findings: ReadonlyMap<string, LogFindings> | undefined

  constructor(log: { name: string; kind: LogKind }, signatures: readonly CompiledSignature[], span: RunSpan) {
    this.name = log.name
    this.#span = span
    this.#neighbours = new NeighbourTracker(span, { takesDumps: log.kind === 'build-log' })
    const inScope = signatures.filter(
      ({ signature }) => signature.logs.length === 0 || signature.logs.includes(log.kind),
    )
    this.#states = new Map(inScope.map((compiled) => [compiled.signature.id, new SignatureState(compiled, span)]))
  }

  block(block: Block): void {
    const continued = (block.window ?? 0) > 0
    const view = new BlockView(block)
    if (!continued && block.firstLine !== this.#nextLine) this.#skipLines()
    if (!continued) {
      this.#giveAfter(view)
      this.#neighbours.enter(() => view.lines)
      this.#cutLineTime = block.window === 0 ? timeOnLine(view.text, this.#span) : undefined
    }
    this.#read(view, block)
    if (!continued) {
      this.#neighbours.leave(view.text)
      this.#keepTail(view)
    }
    this.#nextLine = block.firstLine + block.lineCount
  }

  end(): void {
    this.#findings ??= new Map([...this.#states].map(([id, state]) => [id, state.findings(this.name)]))
  }

  /** By signature id, of those that look at logs of this kind. */
  get findings(): ReadonlyMap<string, LogFindings> {
    this.end()
    return this.#findings ?? new Map()
  }

  #read(view: BlockView, block: Block): void {
    const found = new Map([...this.#states].map(([id, { compiled }]) => [id, linesOf(view, compiled)]))
    const lines = new Set<number>()
    for (const { starts, hits, witnesses } of found.values()) {
      for (const events of [starts, hits, witnesses]) for (const line of events.keys()) lines.add(line)
    }
    for (const index of [...lines].sort((a, b) => a - b)) {
      const line = view.lines[index] ?? ''
      const moment = this.#moment(view, block, index)
      for (const [id, state] of this.#states) {
        const events = found.get(id)
        if (!events) continue
        const hit = events.hits.get(index)
        const left = hit && state.compiled.signature.yieldsTo.some((other) => found.get(other)?.hits.has(index))
        const draft = state.line({
          number: block.firstLine + index,
          line,
          start: events.starts.get(index),
          hit: left ? undefined : hit,
          witness: events.witnesses.get(index) ?? (left ? undefined : hit),
          moment,
        })
        if (draft) this.#addContext(draft, view, index, block)
      }
    }
  }

  #moment(view: BlockView, block: Block, index: number): Omit<Clues, 'clock'> {
    const own = block.window === undefined ? timeOnLine(view.lines[index] ?? '', this.#span) : this.#cutLineTime
    const around = own === undefined ? this.#neighbours.around(view.lines, index) : { dumped: false }
    return { around, ...(own !== undefined && { line: own }) }
  }

  #addContext(draft: HitDraft, view: BlockView, index: number, block: Block): void {
    const inWindow = (block.window ?? 0) > 0
    const earlier = inWindow ? this.#tail.slice(0, -1) : [...this.#tail, ...view.lines.slice(0, index).map(capped)]
    draft.before.push(...earlier.slice(-CONTEXT))
    draft.after.push(...view.lines.slice(index + 1, index + 1 + CONTEXT).map(capped))
    if (draft.after.length < CONTEXT) this.#waiting.push(draft)
  }

  #giveAfter(view: BlockView): void {
    if (this.#waiting.length === 0) return
    for (const { after } of this.#waiting) after.push(...view.lines.slice(0, CONTEXT - after.length).map(capped))
    this.#waiting = this.#waiting.filter(({ after }) => after.length < CONTEXT)
  }

  #keepTail(view: BlockView): void {
    // One line more than the context, as a line read in windows finds itself at the end.
    this.#tail = [...this.#tail, ...lastLines(view.text, CONTEXT + 1)].slice(-CONTEXT - 1).map(capped)
  }

  /** Lines were left out: what surrounds the gap is not adjacent, and beats in it were not counted. */
  #skipLines(): void {
    this.#tail = []
    this.#waiting = []
    for (const state of this.#states.values()) state.heartbeats?.stop()
  }
}

interface Events {
  readonly starts: ReadonlyMap<number, Matched>
  readonly hits: ReadonlyMap<number, Matched>
  readonly witnesses: ReadonlyMap<number, Matched>
}

function linesOf(view: BlockView, compiled: CompiledSignature): Events {
  return {
    starts: view.matches(compiled.clock ? [compiled.clock.start] : []),
    hits: view.matches(compiled.regexes, compiled),
    witnesses: view.matches(compiled.witness ? [compiled.witness] : []),
  }
}

/** The last `count` lines of a text, without splitting all of it. */
function lastLines(text: string, count: number): string[] {
  let start = text.length + 1
  for (let found = 0; found < count && start > 0; found += 1) {
    start = start === 1 ? 0 : text.lastIndexOf('\n', start - 2) + 1
  }
  return text.slice(start).split('\n')
}
