import { type Clues, place, type RunSpan } from '../incident/placement.ts'
import type { Placed, TrackMark } from '../model/hit.ts'
import { shownText } from '../text/printable.ts'
import type { Matched } from './block-view.ts'
import { type CompiledSignature, describeMatch, type TextMatch } from './compiled.ts'
import { Heartbeats } from './heartbeats.ts'

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

/** Bounds for one signature in one log, far above what a run can show; beyond them a hostile log is heard no more. */
const MAX_HITS = 200
const MAX_TRACKS = 100
const MAX_LINES_READ = 20_000
/** Half of the marks that a track keeps: so many first and so many last ones. */
const HALF_TRACK = 1000

const MAX_TEXT = 2000
const MAX_RESOURCE = 200

/** A hit whose context and time are still to come. */
export interface HitDraft extends Omit<LogHit, 'placed' | 'log'> {
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
export class SignatureState {
  readonly compiled: CompiledSignature
  readonly heartbeats: Heartbeats | undefined
  readonly #span: RunSpan
  readonly #hits = new Map<string, HitDraft>()
  readonly #tracks = new Map<string, MarkList>()
  #witnessed = false
  #lastLine = 0
  #linesRead = 0
  #read: (Matched & { readonly match: TextMatch | undefined }) | undefined

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
    const match = matched && this.#describe(matched)
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

  /** Heartbeats say the same line after line: captures are read again only when the text changes. */
  #describe({ regex, text }: Matched): TextMatch | undefined {
    if (this.#read?.text !== text || this.#read.regex !== regex) {
      this.#read = { text, regex, match: describeMatch(this.compiled, regex, text) }
    }
    return this.#read.match
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
  return shownText(name.slice(0, MAX_RESOURCE))
}

function nameInUrl(text: string): string | undefined {
  return /\bhttps?:\/\/boskos[^\s"\\?]{0,300}\?(?:[^\s"\\]*&)?name=([^\s"\\&]+)/.exec(text)?.[1]
}

/** A long line is shown from a little before its match. */
function shown(line: string, from: number): string {
  return from < MAX_TEXT - 500 ? capped(line) : capped(line.slice(from - 200))
}

/** Kept lines are short, whatever the log's are, and may be shown anywhere. */
export function capped(line: string): string {
  return shownText(line.length > MAX_TEXT ? line.slice(0, MAX_TEXT) : line)
}
