import { join } from 'node:path'
import { ProwlError } from '../../errors.ts'
import type { Block, BlockRef } from '../../model/block.ts'
import type { Evidence } from '../../model/evidence.ts'
import type { Incident } from '../../model/incident.ts'
import type { Day, Run, RunKey } from '../../model/run.ts'
import type {
  CandidateFilter,
  EvidenceFilter,
  FailureFilter,
  HitFilter,
  LogName,
  Page,
  Problem,
  RunFilter,
  RunFindings,
  RunRecord,
  Store,
  Version,
} from '../store.ts'
import { blocksOfLog, readBlocks } from './blocks.ts'
import { listCandidates } from './candidates.ts'
import { countExposed, countFailures, countRuns, exposureHours, listRollups, storeStatus } from './counts.ts'
import type { Database } from './database.ts'
import { DayFiles } from './day-files.ts'
import { evidenceFile, findEvidence, listEvidence, putEvidence } from './evidence.ts'
import { GramIndex } from './grams/gram-index.ts'
import { countHits, findTracks, listHits, listIncidents, putIncidents } from './hits.ts'
import { CATALOGUE_FILE, emptyCatalogue, openForReading, openForWriting, stampOf } from './layout.ts'
import { listProblems, listStates } from './notes.ts'
import type { Opened } from './opened.ts'
import { putState, replaceFindings } from './publish.ts'
import { findRun, findRuns, findStamps, listJobs, listRuns, type RecordRow } from './runs.ts'
import { Writer } from './writer.ts'
import { lockDirectory } from './writer-lock.ts'

export interface EmbeddedOptions {
  readonly dataDir: string
  readonly mode: 'write' | 'read'
}

/**
 * The store in SQLite files below one directory, which has one writer and any number of readers on the same host.
 * `node:sqlite` is synchronous: what serves people keeps it off its main thread (remote.ts). Throws DATA_DIR_* errors.
 */
export function openEmbedded({ dataDir, mode }: EmbeddedOptions): Store {
  return mode === 'write' ? new EmbeddedStore(writing(dataDir)) : new EmbeddedStore(reading(dataDir))
}

/** The store of files that are open already, for reading. `close` closes them. */
export function storeOf(opened: Opened, close: () => void): Store {
  return new EmbeddedStore({ opened: () => opened, close })
}

/** Where each call gets the files from: a reader may have to open them anew. */
interface Access {
  opened(): Opened
  readonly writer?: Writer
  close(): void
}

function writing(dataDir: string): Access {
  const file = join(dataDir, CATALOGUE_FILE)
  openForReading(file)?.close()
  const lock = lockDirectory(dataDir)
  try {
    const catalogue = openForWriting(file, 'catalogue')
    const files = new DayFiles(catalogue, dataDir, true)
    const index = new GramIndex(files)
    const evidence = evidenceFile(dataDir)
    const close = () => {
      evidence.close()
      files.close()
      catalogue.close()
      lock.close()
    }
    return { opened: () => ({ catalogue, files, index, evidence }), writer: new Writer(catalogue, files, index), close }
  } catch (error) {
    lock.close()
    throw error
  }
}

/** Sees an empty store until a writer has made one, and the new one where the directory was made anew. */
function reading(dataDir: string): Access {
  const file = join(dataDir, CATALOGUE_FILE)
  const evidence = evidenceFile(dataDir)
  let current: (Opened & { readonly stamp: string | undefined }) | undefined
  const close = () => {
    evidence.close()
    current?.files.close()
    current?.catalogue.close()
    current = undefined
  }
  const opened = () => {
    if (current && current.stamp === stampOf(file, current.catalogue)) return current
    close()
    const seen = stampOf(file)
    const found = openForReading(file)
    const stamp = found?.isImmutable ? stampOf(file, found) : seen
    const catalogue = found ?? emptyCatalogue()
    const files = new DayFiles(catalogue, dataDir, false)
    current = { catalogue, files, index: new GramIndex(files), evidence, stamp: found && stamp }
    return current
  }
  opened()
  return { opened, close }
}

class EmbeddedStore implements Store {
  readonly #access: Access
  #closed = false

  constructor(access: Access) {
    this.#access = access
  }

  async stamps(bucket: string, paths: readonly string[]) {
    return findStamps(this.#catalogue, bucket, paths)
  }

  async begin(run: Run) {
    return this.#writer.begin(run)
  }

  async append(version: Version, log: LogName, blocks: readonly Block[]) {
    this.#writer.append(version, log, blocks)
  }

  async publish(version: Version, record: RunRecord) {
    this.#writer.publish(version, record)
  }

  async replaceFindings(signatures: readonly string[], runs: readonly RunFindings[]) {
    return this.#written.transaction(() => replaceFindings(this.#catalogue, signatures, runs))
  }

  async fail(problem: Problem) {
    const { bucket, path, at } = problem
    this.#written.run('INSERT OR REPLACE INTO problems VALUES (?, ?, ?, ?)', bucket, path, at, JSON.stringify(problem))
  }

  async putIncidents(signature: string, incidents: readonly Incident[]) {
    putIncidents(this.#written, signature, incidents)
  }

  async state(key: string): Promise<unknown> {
    const row = this.#catalogue.get<RecordRow>('SELECT value AS record FROM state WHERE key = ?', key)
    return row && JSON.parse(row.record)
  }

  async putState(key: string, value: unknown) {
    putState(this.#written, key, value)
  }

  async states() {
    return listStates(this.#catalogue)
  }

  async problems(page: Page) {
    return listProblems(this.#catalogue, page)
  }

  async maintain(options: { readonly expireBefore?: Day } = {}) {
    return this.#writer.maintain(options.expireBefore)
  }

  async putEvidence(evidence: Evidence) {
    return putEvidence(this.#opened.evidence, evidence)
  }

  async evidence(id: string) {
    return findEvidence(this.#opened.evidence.read(), id)
  }

  async listEvidence(filter: EvidenceFilter, page: Page) {
    return listEvidence(this.#opened.evidence.read(), filter, page)
  }

  async run(key: RunKey) {
    return findRun(this.#catalogue, key)
  }

  async runsOf(keys: readonly RunKey[]) {
    return findRuns(this.#catalogue, keys)
  }

  async runs(filter: FailureFilter, page: Page) {
    return listRuns(this.#catalogue, filter, page)
  }

  async jobs() {
    return listJobs(this.#catalogue)
  }

  async blocks(key: RunKey, log: string, from: number, to: number) {
    const { catalogue, files } = this.#opened
    return blocksOfLog(catalogue, files, key, log, from, to)
  }

  async candidates(filter: CandidateFilter, page: Page) {
    return listCandidates(this.#opened, filter, page)
  }

  async read(refs: readonly BlockRef[]) {
    return readBlocks(this.#opened.files, refs)
  }

  async hits(filter: HitFilter, page: Page) {
    return listHits(this.#catalogue, filter, page)
  }

  async countHits(filter: HitFilter) {
    return countHits(this.#catalogue, filter)
  }

  async tracks(signature: string, runs: readonly RunKey[]) {
    return findTracks(this.#catalogue, signature, runs)
  }

  async incidents(filter: Parameters<Store['incidents']>[0]) {
    return listIncidents(this.#catalogue, filter)
  }

  async countRuns(filter: RunFilter) {
    return countRuns(this.#catalogue, filter)
  }

  async rollups(filter: RunFilter) {
    return listRollups(this.#catalogue, filter)
  }

  async exposure(signature: string, from: number, to: number) {
    return exposureHours(this.#catalogue, signature, from, to)
  }

  async exposedRuns(signature: string, from: Day, to: Day) {
    return countExposed(this.#catalogue, signature, from, to)
  }

  async failures(filter: FailureFilter) {
    return countFailures(this.#catalogue, filter)
  }

  async status() {
    return storeStatus(this.#opened)
  }

  async close() {
    this.#closed = true
    this.#access.close()
  }

  get #opened(): Opened {
    if (this.#closed) throw new ProwlError('STORE_FAILED', 'the store is closed; open it again')
    return this.#access.opened()
  }

  get #catalogue(): Database {
    return this.#opened.catalogue
  }

  get #writer(): Writer {
    const { writer } = this.#access
    if (this.#opened && writer) return writer
    throw new ProwlError('STORE_FAILED', 'this store is open for reading; open it for writing')
  }

  /** The catalogue, where it may be written. */
  get #written(): Database {
    return this.#writer && this.#catalogue
  }
}
