import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Block, Candidate } from '../../model/block.ts'
import type { Exposure, Hit } from '../../model/hit.ts'
import type { Day, Log, Run, RunKey } from '../../model/run.ts'
import { withGrams } from '../../text/index-text.ts'
import { dayOf } from '../order.ts'
import { pack } from '../packed.ts'
import { runFacts } from '../record.ts'
import { exposedAs, exposureHours, rollupParts } from '../rollup.ts'
import type { LogName, RunRecord } from '../store.ts'
import { gramTerms } from './terms.ts'

const HOUR_MS = 3_600_000

/** Where a version's text is. */
export interface Text {
  readonly version: string
  readonly day: Day
  /** Of the day's index: one that is made anew after retention is another. */
  readonly generation: string
  readonly blocks: number
}

/** A run's document. `revision` counts the documents of its tracks. */
export interface RunDoc extends Text {
  readonly run: Run
  readonly fingerprint: string
  readonly first_seen: number
  readonly logs: readonly Log[]
  readonly hits: readonly Hit[]
  readonly exposures: readonly (Exposure & { readonly hours: readonly number[]; readonly start: number })[]
  readonly revision: number
  /** Id of the tracks' document; absent without tracks. */
  readonly tracks?: string
}

export type Findings = Pick<RunRecord, 'hits' | 'tracks' | 'exposures'>

export function runDoc(record: RunRecord, text: Text, firstSeen: number): RunDoc {
  const { run, fingerprint, logs } = record
  const { buildId: build_id, ...facts } = runFacts(run)
  const parts = rollupParts(logs)
  const any = parts[0]
  const { cluster, branch } = exposedAs(run)
  const counted = {
    ...facts,
    build_id,
    date: dayOf(run.time),
    bytes: Object.fromEntries(parts.map(({ kind, bytes }) => [kind, bytes])),
    ...{ cluster, branch, ...(run.failure ? { failure: run.failure.group } : {}) },
    ...{ log_count: any?.logs, truncated: any?.truncated, broken: any?.broken },
  }
  return { ...counted, ...text, run, fingerprint, first_seen: firstSeen, logs, ...findingsOf(record, text.version, 0) }
}

/** What findings put into a run's document. */
export function findingsOf({ hits, tracks, exposures }: Findings, version: string, revision: number) {
  return {
    hits,
    hit_count: hits.length,
    signatures: [...new Set(hits.map((hit) => hit.signature))],
    exposures: exposures.map((exposure) => {
      const hours = exposureHours(exposure).map((ms) => ms / HOUR_MS)
      return { ...exposure, hours, start: hours[0] ?? 0 }
    }),
    revision,
    ...(tracks.length > 0 ? { tracks: `${version}.${revision}` } : {}),
  }
}

export function exposuresOf({ exposures }: RunDoc): Exposure[] {
  return exposures.map(({ signature, from, to }) => ({ signature, from, to }))
}

/** A block's document, without what its grams and bytes make of it. */
export interface BlockDoc extends RunKey {
  readonly version: string
  readonly n: number
  readonly time: number
  readonly log: string
  readonly first_line: number
  readonly last_line: number
  readonly window?: number
  readonly ascii: boolean
  readonly size: number
  readonly crc: number
}

/** A block's document as JSON. */
export function blockJson(run: Run, version: string, n: number, { name, kind }: LogName, block: Block): string {
  const zstd = pack(block.bytes)
  const { buildId: build_id, ...facts } = runFacts(run)
  const doc: BlockDoc & Record<string, unknown> = {
    ...{ ...facts, build_id, kind },
    ...{ version, n, log: name, first_line: block.firstLine, last_line: block.firstLine + block.lineCount - 1 },
    ...(block.window === undefined ? {} : { window: block.window }),
    ...{ ascii: block.ascii, size: block.bytes.length, crc: crc32(zstd) },
    ...{ bytes: zstd.toString('base64') },
  }
  return `{"grams":${gramTerms(withGrams(block).grams)},${JSON.stringify(doc).slice(1)}`
}

export function candidateOf(doc: BlockDoc, day: Day): Candidate {
  const { bucket, path, time, log, ascii, window } = doc
  return {
    ref: { day, id: blockId(doc.version, doc.n) },
    ...{ bucket, path, time, log, ascii, firstLine: doc.first_line, lineCount: doc.last_line - doc.first_line + 1 },
    ...(window === undefined ? {} : { window }),
  }
}

/** Blocks of a version are numbered from 0, over all of its logs. */
export function blockId(version: string, n: number): string {
  return `${version}.${n}`
}

export function runId({ bucket, path }: RunKey): string {
  return idOf(bucket, path)
}

/** Ids have at most 512 bytes; names may have more. */
export function idOf(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}
