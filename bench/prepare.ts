import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import prettyBytes from 'pretty-bytes'
import { z } from 'zod'
import { type Folders, foldersOf } from './corpus/write.ts'
import { sizeOf } from './disk.ts'
import type { Pattern } from './patterns.ts'
import { countLines, type LineCounts, peersOf } from './peers.ts'
import { runChild } from './run-child.ts'

/** A corpus in files and in a store, and what it took to get it there. */
export interface Prepared {
  readonly logs: number
  readonly bytes: number
  readonly lines: number
  /** Of several days, whose text is not kept: counted by plain ripgrep in each one's. */
  readonly counts?: LineCounts
  readonly ingestMs: number
  readonly ingestPeakBytes: number
  readonly storeBytes: number
}

export interface Wanted {
  readonly seed: number
  /** Of each day. */
  readonly bytes: number
  readonly days: number
  readonly patterns: readonly Pattern[]
}

const Kept = z.object({
  seed: z.number(),
  bytes: z.number(),
  days: z.number(),
  prepared: z.custom<Prepared>((value) => typeof value === 'object' && value !== null),
})

const NONE: Prepared = { logs: 0, bytes: 0, lines: 0, ingestMs: 0, ingestPeakBytes: 0, storeBytes: 0 }
const MANIFEST = 'corpus.json'
export const SIGNATURES = 'signatures'

export function dataDirOf(dir: string): string {
  return join(dir, 'data')
}

/** Writes and ingests the corpus anew. Of several days, each one's raw text goes before the next is written. */
export async function prepare(dir: string, wanted: Wanted, tell: (text: string) => void): Promise<Prepared> {
  const { seed, bytes, days } = wanted
  const folders = foldersOf(dir)
  removeRaw(folders)
  rmSync(dataDirOf(dir), { recursive: true, force: true })
  rmSync(join(dir, MANIFEST), { force: true })
  let total = NONE
  for (let day = 0; day < days; day++) {
    if (day > 0) removeRaw(folders)
    total = await prepareDay(dir, { ...wanted, day }, total, tell)
  }
  if (days > 1) removeRaw(folders)
  const prepared = { ...total, storeBytes: sizeOf(dataDirOf(dir)) }
  writeFileSync(join(dir, MANIFEST), JSON.stringify({ seed, bytes, days, prepared }))
  return prepared
}

/** What an earlier `prepare` of the same corpus left in the folder. Throws where it did not. */
export function reuse(dir: string, wanted: Wanted): Prepared {
  const file = join(dir, MANIFEST)
  const kept = existsSync(file) ? Kept.parse(JSON.parse(readFileSync(file, 'utf8'))) : undefined
  const { prepared, ...of } = kept ?? {}
  const { seed, bytes, days, patterns } = wanted
  const isCounted = ({ pattern }: Pattern) => days === 1 || prepared?.counts?.[pattern] !== undefined
  if (prepared && isDeepStrictEqual(of, { seed, bytes, days }) && patterns.every(isCounted)) return prepared
  throw new Error(`${dir}: holds no corpus of this size, days, seed and patterns; run once without --reuse`)
}

async function prepareDay(
  dir: string,
  { seed, day, bytes, days, patterns }: Wanted & { readonly day: number },
  before: Prepared,
  tell: (text: string) => void,
): Promise<Prepared> {
  const folders = foldersOf(dir)
  tell(`day ${day + 1}: writing ${prettyBytes(bytes, { binary: true })} of logs`)
  const { written } = await runChild({ do: 'write', folders, seed, day, bytes })
  if (!written) throw new Error('the corpus was not written')
  const texts = patterns.map(({ pattern }) => pattern)
  const counts = days > 1 ? countLines(peersOf(folders), texts, before.counts) : undefined
  tell(`day ${day + 1}: ingesting ${written.logs} logs`)
  const dataDir = dataDirOf(dir)
  const ingest = await runChild({ do: 'ingest', bucket: folders.bucket, dataDir, signatureDirs: [SIGNATURES] })
  return {
    logs: before.logs + written.logs,
    bytes: before.bytes + written.bytes,
    lines: before.lines + written.lines,
    ingestMs: before.ingestMs + ingest.ms,
    ingestPeakBytes: Math.max(before.ingestPeakBytes, ingest.peakBytes),
    storeBytes: 0,
    ...(counts ? { counts } : {}),
  }
}

function removeRaw(folders: Folders): void {
  for (const folder of Object.values(folders)) rmSync(folder, { recursive: true, force: true })
}
