import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { ProwlError } from '../../errors.ts'
import type { Block, BlockRef } from '../../model/block.ts'
import type { Evidence } from '../../model/evidence.ts'
import type { Incident } from '../../model/incident.ts'
import type { Day, Run, RunKey } from '../../model/run.ts'
import { YOUNG_MIB } from '../../thread-heap.ts'
import type { HereOptions } from '../open-here.ts'
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
import { type Answer, decodeError } from './messages.ts'

/** From the working directory: a bundler would rewrite an address relative to this module. */
const WORKER = join('lib', 'store', 'thread', 'store-worker.ts')

interface Pending {
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
}

/** A store in a worker thread, so that its work (all that the embedded one does is synchronous) holds up nobody else. Errors keep their codes. */
export async function openRemote(options: HereOptions, onNotice?: (message: string) => void): Promise<Store> {
  const worker = new Worker(pathToFileURL(join(process.cwd(), WORKER)), {
    workerData: options,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB },
  })
  const link = new Link(worker, onNotice)
  await link.ready
  return new RemoteStore(link)
}

/** Calls sent to the thread, and their answers by number. */
class Link {
  readonly ready: Promise<void>
  readonly #worker: Worker
  readonly #pending = new Map<number, Pending>()
  #ended: ProwlError | undefined
  #count = 0
  #closing: Promise<void> | undefined

  constructor(worker: Worker, onNotice?: (message: string) => void) {
    this.#worker = worker
    worker.on('message', (answer: Answer) => ('notice' in answer ? onNotice?.(answer.notice) : this.#settle(answer)))
    worker.on('error', (cause) => this.#end(cause))
    worker.on('messageerror', (cause) => this.#end(cause))
    worker.on('exit', () => this.#end())
    this.ready = this.#expect(0)
  }

  call<M extends keyof Store>(method: M, ...args: Parameters<Store[M]>): ReturnType<Store[M]>
  async call(method: keyof Store, ...args: unknown[]): Promise<unknown> {
    if (this.#ended) throw this.#ended
    const id = ++this.#count
    const answer = this.#expect<unknown>(id)
    try {
      this.#worker.postMessage({ id, method, args })
    } catch (error) {
      this.#pending.get(id)?.reject(error)
    }
    return answer.finally(() => this.#pending.delete(id))
  }

  /** Resolves when the thread is gone. A second time does nothing. */
  close(): Promise<void> {
    this.#closing ??= this.#ended ? Promise.resolve() : this.#close()
    return this.#closing
  }

  /** The thread ends by itself: to terminate one that holds SQLite files open has crashed the process. */
  async #close(): Promise<void> {
    const gone = new Promise((resolve) => this.#worker.once('exit', resolve))
    await this.call('close')
    await gone
  }

  #expect<T>(id: number): Promise<T> {
    return new Promise<T>((resolve, reject) => this.#pending.set(id, { resolve, reject }))
  }

  #settle(answer: Exclude<Answer, { readonly notice: string }>): void {
    const pending = this.#pending.get(answer.id)
    if ('error' in answer) pending?.reject(decodeError(answer.error))
    else pending?.resolve(answer.value as never)
  }

  /** No answer comes any more: neither to what was asked nor to what will be. */
  #end(cause?: unknown): void {
    this.#ended ??= new ProwlError('STORE_FAILED', 'the thread of the store has ended; open the store again', { cause })
    for (const pending of this.#pending.values()) pending.reject(this.#ended)
  }
}

class RemoteStore implements Store {
  readonly #link: Link

  constructor(link: Link) {
    this.#link = link
  }

  stamps(bucket: string, paths: readonly string[]) {
    return this.#link.call('stamps', bucket, paths)
  }

  begin(run: Run) {
    return this.#link.call('begin', run)
  }

  append(version: Version, log: LogName, blocks: readonly Block[]) {
    return this.#link.call('append', version, log, blocks)
  }

  publish(version: Version, record: RunRecord) {
    return this.#link.call('publish', version, record)
  }

  replaceFindings(signatures: readonly string[], runs: readonly RunFindings[]) {
    return this.#link.call('replaceFindings', signatures, runs)
  }

  fail(problem: Problem) {
    return this.#link.call('fail', problem)
  }

  putIncidents(signature: string, incidents: readonly Incident[]) {
    return this.#link.call('putIncidents', signature, incidents)
  }

  state(key: string) {
    return this.#link.call('state', key)
  }

  putState(key: string, value: unknown) {
    return this.#link.call('putState', key, value)
  }

  states() {
    return this.#link.call('states')
  }

  problems(page: Page) {
    return this.#link.call('problems', page)
  }

  maintain(options: { readonly expireBefore?: Day } = {}) {
    return this.#link.call('maintain', options)
  }

  putEvidence(evidence: Evidence) {
    return this.#link.call('putEvidence', evidence)
  }

  evidence(id: string) {
    return this.#link.call('evidence', id)
  }

  listEvidence(filter: EvidenceFilter, page: Page) {
    return this.#link.call('listEvidence', filter, page)
  }

  run(key: RunKey) {
    return this.#link.call('run', key)
  }

  runsOf(keys: readonly RunKey[]) {
    return this.#link.call('runsOf', keys)
  }

  runs(filter: FailureFilter, page: Page) {
    return this.#link.call('runs', filter, page)
  }

  jobs() {
    return this.#link.call('jobs')
  }

  blocks(key: RunKey, log: string, from: number, to: number) {
    return this.#link.call('blocks', key, log, from, to)
  }

  candidates(filter: CandidateFilter, page: Page) {
    return this.#link.call('candidates', filter, page)
  }

  read(refs: readonly BlockRef[]) {
    return this.#link.call('read', refs)
  }

  hits(filter: HitFilter, page: Page) {
    return this.#link.call('hits', filter, page)
  }

  countHits(filter: HitFilter) {
    return this.#link.call('countHits', filter)
  }

  tracks(signature: string, runs: readonly RunKey[]) {
    return this.#link.call('tracks', signature, runs)
  }

  incidents(filter: Parameters<Store['incidents']>[0]) {
    return this.#link.call('incidents', filter)
  }

  countRuns(filter: RunFilter) {
    return this.#link.call('countRuns', filter)
  }

  rollups(filter: RunFilter) {
    return this.#link.call('rollups', filter)
  }

  exposure(signature: string, from: number, to: number) {
    return this.#link.call('exposure', signature, from, to)
  }

  exposedRuns(signature: string, from: Day, to: Day) {
    return this.#link.call('exposedRuns', signature, from, to)
  }

  failures(filter: FailureFilter) {
    return this.#link.call('failures', filter)
  }

  status() {
    return this.#link.call('status')
  }

  close() {
    return this.#link.close()
  }
}
