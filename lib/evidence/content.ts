import type { EvidenceLine, EvidenceRun, FrozenSignature } from '../model/evidence.ts'
import { EVIDENCE_LINES } from '../model/evidence.ts'
import type { Hit } from '../model/hit.ts'
import type { LogKind, Run } from '../model/run.ts'
import type { Signature } from '../model/signature.ts'
import type { SearchHit } from '../search/engine.ts'

/** Bytes of JSON that the lines of one evidence take at most; what is beyond is counted, not kept. */
export const EVIDENCE_BYTES = 256 * 1024
/** Characters of a line, and of one beside it. */
const LINE = 2000
const BESIDE = 500
const SPANS = 8

export function lineOfSearch({ bucket, path, log, line, text, before, after, spans }: SearchHit): EvidenceLine {
  const marked = spans.slice(0, SPANS).map(({ from, to }) => ({ from, to }))
  return { bucket, path, log, line, ...texts({ text, before, after }), ...(marked.length > 0 && { spans: marked }) }
}

export function lineOfHit(hit: Hit, signature: Pick<Signature, 'causes'>): EvidenceLine {
  const { bucket, path, log, line, placed } = hit
  const cause = signature.causes.find(({ id }) => id === hit.cause)?.title
  return { bucket, path, log, line, ...texts(hit), ...(cause !== undefined && { cause }), placed }
}

function texts({ text, before, after }: Pick<Hit, 'text' | 'before' | 'after'>) {
  const beside = (lines: readonly string[]) => lines.map((line) => shortened(line, BESIDE))
  return { text: shortened(text, LINE), before: beside(before), after: beside(after) }
}

function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text
}

/** The first of them that fit. */
export function keptLines(lines: readonly EvidenceLine[]): EvidenceLine[] {
  const kept: EvidenceLine[] = []
  let bytes = 0
  for (const line of lines.slice(0, EVIDENCE_LINES)) {
    bytes += Buffer.byteLength(JSON.stringify(line))
    if (bytes > EVIDENCE_BYTES) break
    kept.push(line)
  }
  return kept
}

/** What is told of a run; not who asked for it. */
export function frozenRun({ bucket, path, job, buildId, type, result, time, cluster, refs }: Run): EvidenceRun {
  return {
    ...{ bucket, path, job, buildId, type, result, time },
    ...(cluster !== undefined && { cluster }),
    ...(refs && {
      refs: {
        org: refs.org,
        repo: refs.repo,
        ...(refs.baseRef !== undefined && { baseRef: refs.baseRef }),
        pulls: refs.pulls.map(({ number, sha }) => ({ number, ...(sha !== undefined && { sha }) })),
      },
    }),
  }
}

export function frozenSignature(signature: Signature): FrozenSignature {
  const { id, title, kind, regexes, excludes, excludeJobs, logs, causes, part, yieldsTo } = signature
  const { witness, clock, windowMs, maxSpanMs, bugs, changes, definition } = signature
  return {
    ...{ id, title, kind, windowMs, maxSpanMs, definition },
    ...{ regexes: [...regexes], excludes: [...excludes], excludeJobs: [...excludeJobs], logs: [...logs] },
    causes: causes.map((cause) => ({ ...cause })),
    ...(part && { part: { of: part.of, causes: [...part.causes] } }),
    yieldsTo: [...yieldsTo],
    ...(witness !== undefined && { witness }),
    ...(clock && { clock }),
    bugs: [...bugs],
    changes: changes.map((change) => ({ ...change })),
  }
}

/** A signature again that finds what it found: nothing of what was not frozen decides a hit. */
export function thawed({ logs, ...frozen }: FrozenSignature): Signature {
  return {
    ...frozen,
    logs: logs as LogKind[],
    status: { state: 'active' },
    replaces: [],
    samples: { match: [], noMatch: [] },
    source: { file: 'evidence', line: 1 },
  }
}
