import { comparePlaced, type RunSpan, type RunTimes, runSpan } from '../incident/placement.ts'
import type { Block } from '../model/block.ts'
import type { Exposure, Hit, Track } from '../model/hit.ts'
import type { Log, LogKind, Run, RunKey, RunResult } from '../model/run.ts'
import type { Signature } from '../model/signature.ts'
import { BlockView } from './block-view.ts'
import type { Catalogue } from './catalogue.ts'
import { type CompiledSignature, compileSignature } from './compiled.ts'
import { type LogMatcher, StreamingLogMatcher } from './log-matcher.ts'
import type { LogFindings, LogHit } from './signature-state.ts'

/** Finds the hits of all signatures while runs are read. Holds no state between runs. */
export interface SignatureMatcher {
  startRun(run: MatchedRun): RunMatcher
  /** Whether a line of the block is one of a failure, in whatever run and log it may be. */
  strikes(block: Block): boolean
}

export interface MatchedRun extends RunKey, RunTimes {
  readonly job: string
  readonly result: RunResult
}

interface RunMatcher {
  /** Logs may be matched one after another or side by side, each once. */
  startLog(log: { readonly name: string; readonly kind: LogKind }): LogMatcher
  /** `complete`: every log was read to its end, nothing left out. */
  finish(options: { readonly complete: boolean }): RunFindings
}

interface RunFindings {
  /** One per signature, resource and cause, and again for the part that the cause belongs to. */
  readonly hits: Hit[]
  /** Of each signature with a witness and a hit, by resource; a part has none, its parent's are its own. */
  readonly tracks: Track[]
  /** At most one per signature. */
  readonly exposures: Exposure[]
}

/** The one log that Spyglass shows, and can be linked to by line. */
const SHOWN_LOG = 'build-log.txt'

/** Compiles the catalogue's signatures once. */
export function createMatcher(catalogue: Catalogue): SignatureMatcher {
  const whole = catalogue.signatures.filter(({ part }) => !part).map(compileSignature)
  const parts = Map.groupBy(
    catalogue.signatures.filter(({ part }) => part),
    ({ part }) => part?.of,
  )
  return {
    startRun: (run) => {
      const inScope = whole.filter(({ excludeJobs }) => !excludeJobs.some((exclude) => exclude.test(run.job)))
      return new StreamingRunMatcher(run, inScope, (id) => parts.get(id) ?? [])
    },
    strikes: (block) => {
      const view = new BlockView(block)
      return whole.some((compiled) => view.matches(compiled.regexes, compiled).size > 0)
    },
  }
}

/** Whether a run's logs could have shown all there was: it ended, and every one was read to its end. */
export function isComplete({ result }: Pick<Run, 'result'>, logs: readonly Log[]): boolean {
  const isWhole = ({ truncatedFrom, broken }: Log) => truncatedFrom === undefined && broken === undefined
  return result !== 'pending' && result !== 'lost' && logs.every(isWhole)
}

class StreamingRunMatcher implements RunMatcher {
  readonly #run: MatchedRun
  readonly #signatures: readonly CompiledSignature[]
  readonly #partsOf: (id: string) => readonly Signature[]
  readonly #span: RunSpan
  readonly #logs: StreamingLogMatcher[] = []

  constructor(
    run: MatchedRun,
    signatures: readonly CompiledSignature[],
    partsOf: (id: string) => readonly Signature[],
  ) {
    this.#run = run
    this.#signatures = signatures
    this.#partsOf = partsOf
    this.#span = runSpan(run)
  }

  startLog(log: { name: string; kind: LogKind }): LogMatcher {
    const matcher = new StreamingLogMatcher(log, this.#signatures, this.#span)
    this.#logs.push(matcher)
    return matcher
  }

  finish({ complete }: { complete: boolean }): RunFindings {
    const logs = this.#logs.toSorted((a, b) => preferred(a.name, b.name))
    const all: RunFindings = { hits: [], tracks: [], exposures: [] }
    for (const { signature } of this.#signatures) {
      const findings = logs.flatMap((log) => log.findings.get(signature.id) ?? [])
      const family = [signature, ...this.#partsOf(signature.id)]
      const hits = firstHits(findings)
      // Only incidents draw tracks, and most runs show their witness a hundred times and fail of nothing.
      const tracks = hits.length > 0 ? fullestTracks(logs, signature.id) : new Map<string, LogTrack>()
      for (const hit of hits) {
        const recovered = tracks.get(hit.resource)?.marks.at(-1)?.what === 'witness'
        const owners = family.filter(({ part }) => !part || part.causes.includes(hit.cause))
        all.hits.push(...owners.map((owner) => this.#hit(owner, hit, recovered)))
      }
      for (const [resource, track] of tracks) {
        all.tracks.push({ ...this.#key(), signature: signature.id, resource, ...track })
      }
      if (complete && showsExposure(signature, findings)) all.exposures.push(...this.#exposures(family))
    }
    return all
  }

  #hit({ id, definition }: Signature, hit: LogHit, recovered: boolean): Hit {
    const { log, line, text, before, after, cause, resource, placed } = hit
    const { job, time } = this.#run
    const what = { signature: id, definition, cause, resource, ...(recovered && { recovered }) }
    return { ...this.#key(), ...what, job, log, line, text, before, after, placed, time }
  }

  #key(): RunKey {
    return { bucket: this.#run.bucket, path: this.#run.path }
  }

  /** None for a run whose flight is not known from start to end. */
  #exposures(family: readonly Signature[]): Exposure[] {
    const from = this.#run.startedAt ?? this.#run.idTime
    const to = this.#run.finishedAt
    if (from === undefined || to === undefined || to < from) return []
    return family.map(({ id }) => ({ signature: id, from, to }))
  }
}

/** Order of a run's logs: of hits that say the same, the one in the first counts. */
export function preferred(a: string, b: string): number {
  if (a === b) return 0
  if (a === SHOWN_LOG) return -1
  if (b === SHOWN_LOG) return 1
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

/**
 * One hit per resource and cause, from the first log that has it. The others hold the same event (a container's log is
 * copied into the build log), so the one that knows best when it was places it.
 */
function firstHits(findings: readonly LogFindings[]): LogHit[] {
  const groups = Map.groupBy(
    findings.flatMap(({ hits }) => hits),
    ({ cause, resource }) => `${cause}\n${resource}`,
  )
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (!first) return []
    const [best] = [first, ...others].map(({ placed }) => placed).sort(comparePlaced)
    return [{ ...first, placed: best ?? first.placed }]
  })
}

type LogTrack = Pick<Track, 'log' | 'marks'>

/** By resource: the marks of the log that has most of them. */
function fullestTracks(logs: readonly StreamingLogMatcher[], signature: string): Map<string, LogTrack> {
  const fullest = new Map<string, LogTrack>()
  for (const { name, findings } of logs) {
    for (const [resource, marks] of findings.get(signature)?.tracks ?? []) {
      if (marks.length > (fullest.get(resource)?.marks.length ?? 0)) fullest.set(resource, { log: name, marks })
    }
  }
  return fullest
}

/** The failure could have shown in what was read: its witness did, or a log of its kinds was there. */
function showsExposure(signature: Signature, findings: readonly LogFindings[]): boolean {
  return signature.witness === undefined ? findings.length > 0 : findings.some(({ witnessed }) => witnessed)
}
