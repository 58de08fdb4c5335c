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
import { bringUp } from './bring-up.ts'
import { bulk } from './bulk.ts'
import { listCandidates } from './candidates.ts'
import { Cluster } from './cluster.ts'
import { connect, type ElasticOptions, PATIENCE, Told } from './connect.ts'
import {
  countExposed,
  countFailures,
  countHits,
  countRuns,
  exposureHours,
  listJobs,
  listRollups,
  storeStatus,
} from './counts.ts'
import { Days } from './days.ts'
import { findEvidence, listEvidence, putEvidence } from './evidence.ts'
import { findTracks, replaceFindings } from './findings.ts'
import { listIncidents, putIncidents } from './incidents.ts'
import { checkIndices, checkTemplates, isOlder, makeLayout, namesOf } from './layout.ts'
import { CLOCK, type Clock, LEASE_MS, Lease } from './lease.ts'
import { leaseDocument, ownerHere } from './lease-document.ts'
import { findRun, findRuns, findStamps, listHits, listRuns } from './runs.ts'
import { listProblems, listStates, putProblem, readState, stateWrite } from './state.ts'
import { Writer } from './writer.ts'

export interface OpenElastic extends ElasticOptions {
  readonly mode: 'write' | 'read'
  /** A line for people, when a cluster is away and waited for, and when it answers again. */
  readonly onNotice?: ((message: string) => void) | undefined
  /** Of the lease. */
  readonly clock?: Clock
}

/**
 * The store in Elasticsearch: any number of readers, one writer, which holds the lease until it closes. A reader sees a
 * published run within the indices' refresh interval (1 s), the writer at once. Throws STORE_UNREACHABLE, STORE_DENIED,
 * STORE_LAYOUT, and STORE_LEASE_HELD for a second writer.
 */
export async function openElastic(options: OpenElastic): Promise<Store> {
  return options.mode === 'read' ? openReader(options) : openWriter(options)
}

async function openReader(options: OpenElastic): Promise<Store> {
  const { prefix, onNotice } = options
  const client = connect(options, PATIENCE.read, { told: new Told(onNotice) })
  try {
    if ((await checkIndices(client, prefix)) !== 'none')
      return new ElasticStore(new Cluster(client, prefix, namesOf(prefix), PATIENCE.read))
    throw new ProwlError('STORE_UNREACHABLE', `no worker has made a store below ${prefix}- yet; start npm run ingest`)
  } catch (error) {
    await client.close()
    throw error
  }
}

async function openWriter(options: OpenElastic): Promise<Store> {
  const { prefix, onNotice, clock = CLOCK, leaseMs: lastsMs = LEASE_MS } = options
  const names = namesOf(prefix)
  const told = new Told(onNotice)
  const keeper = connect(options, PATIENCE.lease, { told })
  let lease: Lease | undefined
  const client = connect(options, PATIENCE.write, { gate: () => lease, told })
  const end = async () => {
    await lease?.release()
    await Promise.all([client.close(), keeper.close()])
  }
  try {
    const there = await checkIndices(client, prefix)
    await checkTemplates(client, prefix)
    if (there !== 'whole') await makeLayout(client, prefix)
    const document = leaseDocument(keeper, names.state, lastsMs / 4)
    lease = await Lease.take({ document, owner: ownerHere(), what: `${prefix}-*`, lastsMs, clock })
    const cluster = new Cluster(client, prefix, names, PATIENCE.write)
    if (there !== 'none' && (await isOlder(client, names))) await bringUp(cluster)
    return new ElasticStore(cluster, { writer: new Writer(cluster, await Days.open(cluster), lease), end })
  } catch (error) {
    await end()
    throw error
  }
}

interface Writing {
  readonly writer: Writer
  /** Gives the lease back, and closes all connections. */
  readonly end: () => Promise<void>
}

class ElasticStore implements Store {
  readonly #opened: Cluster
  readonly #written: Writing | undefined
  #closed = false

  constructor(cluster: Cluster, written?: Writing) {
    this.#opened = cluster
    this.#written = written
  }

  async stamps(bucket: string, paths: readonly string[]) {
    return findStamps(this.#cluster, bucket, paths)
  }

  async begin(run: Run) {
    return this.#writer.begin(run)
  }

  async append(version: Version, log: LogName, blocks: readonly Block[]) {
    await this.#writer.append(version, log, blocks)
  }

  async publish(version: Version, record: RunRecord) {
    await this.#writer.publish(version, record)
  }

  async replaceFindings(signatures: readonly string[], runs: readonly RunFindings[]) {
    return this.#writer && replaceFindings(this.#cluster, signatures, runs)
  }

  async fail(problem: Problem) {
    return this.#writer && putProblem(this.#cluster, problem)
  }

  async problems(page: Page) {
    return listProblems(this.#cluster, page)
  }

  async putIncidents(signature: string, incidents: readonly Incident[]) {
    return this.#writer && putIncidents(this.#cluster, signature, incidents)
  }

  async state(key: string) {
    return readState(this.#cluster, key)
  }

  async putState(key: string, value: unknown) {
    if (this.#writer) await bulk(this.#cluster, [stateWrite(this.#cluster.names.state, key, value)])
  }

  async states() {
    return listStates(this.#cluster)
  }

  async maintain(options: { readonly expireBefore?: Day } = {}) {
    return this.#writer.maintain(options.expireBefore)
  }

  async putEvidence(evidence: Evidence) {
    return putEvidence(this.#cluster, evidence)
  }

  async evidence(id: string) {
    return findEvidence(this.#cluster, id)
  }

  async listEvidence(filter: EvidenceFilter, page: Page) {
    return listEvidence(this.#cluster, filter, page)
  }

  async run(key: RunKey) {
    return findRun(this.#cluster, key)
  }

  async runsOf(keys: readonly RunKey[]) {
    return findRuns(this.#cluster, keys)
  }

  async runs(filter: FailureFilter, page: Page) {
    return listRuns(this.#cluster, filter, page)
  }

  async jobs() {
    return listJobs(this.#cluster)
  }

  async blocks(key: RunKey, log: string, from: number, to: number) {
    return blocksOfLog(this.#cluster, key, log, from, to)
  }

  async candidates(filter: CandidateFilter, page: Page) {
    return listCandidates(this.#cluster, filter, page)
  }

  async read(refs: readonly BlockRef[]) {
    return readBlocks(this.#cluster, refs)
  }

  async hits(filter: HitFilter, page: Page) {
    return listHits(this.#cluster, filter, page)
  }

  async countHits(filter: HitFilter) {
    return countHits(this.#cluster, filter)
  }

  async tracks(signature: string, runs: readonly RunKey[]) {
    return findTracks(this.#cluster, signature, runs)
  }

  async incidents(filter: Parameters<Store['incidents']>[0]) {
    return listIncidents(this.#cluster, filter)
  }

  async countRuns(filter: RunFilter) {
    return await countRuns(this.#cluster, filter)
  }

  async rollups(filter: RunFilter) {
    return listRollups(this.#cluster, filter)
  }

  async exposure(signature: string, from: number, to: number) {
    return exposureHours(this.#cluster, signature, from, to)
  }

  async exposedRuns(signature: string, from: Day, to: Day) {
    return countExposed(this.#cluster, signature, from, to)
  }

  async failures(filter: FailureFilter) {
    return countFailures(this.#cluster, filter)
  }

  async status() {
    return storeStatus(this.#cluster)
  }

  /** What was written is visible to every reader after it. */
  async close() {
    if (this.#closed) return
    this.#closed = true
    try {
      await this.#opened.settle()
    } finally {
      await (this.#written ? this.#written.end() : this.#opened.client.close())
    }
  }

  get #cluster(): Cluster {
    if (this.#closed) throw new ProwlError('STORE_FAILED', 'the store is closed; open it again')
    return this.#opened
  }

  get #writer(): Writer {
    if (this.#cluster && this.#written) return this.#written.writer
    throw new ProwlError('STORE_FAILED', 'this store is open for reading; open it for writing')
  }
}
