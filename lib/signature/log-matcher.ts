import { type Clues, place, type RunSpan, timeOnLine } from '../incident/placement.ts'
import type { Block } from '../model/block.ts'
import type { Placed, TrackMark } from '../model/hit.ts'
import type { LogKind } from '../model/run.ts'
import { BlockView, type Matched } from './block-view.ts'
import { type CompiledSignature, describeMatch } from './compiled.ts'
import { Heartbeats } from './heartbeats.ts'
import { NeighbourTracker } from './neighbours.ts'

/** What one log says of one signature. */
export interface LogFindings {
  /** The first hit of each resource and cause. */
  readonly hits: readonly LogHit[]
  readonly tracks: ReadonlyMap<string, readonly TrackMark[]>
  /** A witness line or a hit was seen. */
  readonly witnessed: boolean
}

export interface LogHit {
  readonly log: string
  readonly line: number
  readonly text: string
  readonly before: readonly string[]
  readonly after: readonly string[]
  readonly cause: string
  readonly resource: string
  readonly placed: Placed
}

/** Matches one log, block after block in line order, in memory that does not grow with the log. */
export interface LogMatcher {
  block(block: Block): void
  end(): void
}

/** Bounds for one signature in one log, far above what a run can show; beyond them a hostile log is heard no more. */
const MAX_HITS = 200
const MAX_TRACKS = 100
const MAX_LINES_READ = 20_000
/** Half of the marks that a track keeps: so many first and so many last ones. */
const HALF_TRACK = 1000

const MAX_TEXT = 2000
const MAX_RESOURCE = 200
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

interface HitDraft extends Omit<LogHit, 'placed' | 'log'> {
  readonly before: string[]
  readonly after: string[]
  readonly clues: Clues
}

interface LineEvents {
  readonly number: number
  readonly line: string
  readonly start: Matched | undefined
  readonly hit: Matched | undefined
  readonly witness: Matched | undefined
  readonly moment: Omit<Clues, 'clock'>
}

/** One signature's memory of one log. */
class SignatureState {
  readonly compiled: CompiledSignature
  readonly heartbeats: Heartbeats | undefined
  readonly #span: RunSpan
  readonly #hits = new Map<string, HitDraft>()
  readonly #tracks = new Map<string, MarkList>()
  #witnessed = false
  #lastLine = 0
  #linesRead = 0

  constructor(compiled: CompiledSignature, span: RunSpan) {
    this.compiled = compiled
    this.#span = span
    this.heartbeats = compiled.clock && new Heartbeats(compiled.clock.everyMs, span)
  }

  /** Takes in one line; a draft if it is a hit that counts, for the caller to add its context. */
  line({ number, line, start, hit, witness, moment }: LineEvents): HitDraft | undefined {
    if (start) this.heartbeats?.start(start.regex.find(start.text)?.groups.time)
    if (!hit && !witness) return undefined
    // A line read in windows may match in several of them.
    if (number <= this.#lastLine) return undefined
    this.#lastLine = number
    this.#witnessed = true
    if (this.#linesRead >= MAX_LINES_READ) return undefined
    this.#linesRead += 1
    const matched = hit ?? witness
    const match = matched && describeMatch(this.compiled, matched.regex, matched.text)
    if (!match) return undefined
    const resource = resourceOf(match.groups.res, matched.text, line)
    const clock = this.heartbeats?.beat(resource, hit !== undefined)
    const clues = { ...moment, ...(clock && { clock }) }
    if (this.compiled.witness)
      this.#mark(resource, { what: hit ? match.cause || 'other' : 'witness', line: number, clues })
    if (!hit) return undefined
    const from = hit.text === line ? match.from : 0
    return this.#keep({
      line: number,
      text: shown(line, from),
      before: [],
      after: [],
      cause: match.cause,
      resource,
      clues,
    })
  }

  findings(log: string): LogFindings {
    return {
      hits: [...this.#hits.values()].map(({ clues, ...hit }) => ({ ...hit, log, placed: place(clues, this.#span) })),
      tracks: new Map(
        [...this.#tracks].map(([resource, list]) => [
          resource,
          list.marks.map(({ what, line, clues }) => ({ what, line, placed: place(clues, this.#span) })),
        ]),
      ),
      witnessed: this.#witnessed,
    }
  }

  #keep(draft: HitDraft): HitDraft | undefined {
    const key = `${draft.cause}\n${draft.resource}`
    if (this.#hits.has(key) || this.#hits.size >= MAX_HITS) return undefined
    this.#hits.set(key, draft)
    return draft
  }

  #mark(resource: string, mark: Mark): void {
    const known = this.#tracks.get(resource)
    if (known) known.add(mark)
    else if (this.#tracks.size < MAX_TRACKS) this.#tracks.set(resource, new MarkList().add(mark))
  }
}

interface Mark {
  readonly what: string
  readonly line: number
  readonly clues: Clues
}

/** The first and the last marks of a track; those between are left out when there are too many. */
class MarkList {
  readonly #first: Mark[] = []
  readonly #last: Mark[] = []
  #next = 0

  add(mark: Mark): this {
    if (this.#first.length < HALF_TRACK) this.#first.push(mark)
    else {
      this.#last[this.#next] = mark
      this.#next = (this.#next + 1) % HALF_TRACK
    }
    return this
  }

  get marks(): readonly Mark[] {
    return [...this.#first, ...this.#last.slice(this.#next), ...this.#last.slice(0, this.#next)]
  }
}

/** The group `res`, else the `name` that a request to Boskos carries, else nothing. */
function resourceOf(group: string | undefined, text: string, line: string): string {
  const name = group ?? nameInUrl(text) ?? nameInUrl(line) ?? ''
  return name.slice(0, MAX_RESOURCE)
}

function nameInUrl(text: string): string | undefined {
  return /\bhttps?:\/\/boskos[^\s"\\?]{0,300}\?(?:[^\s"\\]*&)?name=([^\s"\\&]+)/.exec(text)?.[1]
}

/** A long line is shown from a little before its match. */
function shown(line: string, from: number): string {
  return from < MAX_TEXT - 500 ? capped(line) : capped(line.slice(from - 200))
}

function capped(line: string): string {
  return line.length > MAX_TEXT ? line.slice(0, MAX_TEXT) : line
}

/** The last `count` lines of a text, without splitting all of it. */
function lastLines(text: string, count: number): string[] {
  let start = text.length + 1
  for (let found = 0; found < count && start > 0; found += 1) {
    start = start === 1 ? 0 : text.lastIndexOf('\n', start - 2) + 1
  }
  return text.slice(start).split('\n')
}
