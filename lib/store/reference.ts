import { ProwlError } from '../errors.ts'
import type { Block, BlockRef, Candidate, ListedBlock } from '../model/block.ts'
import type { Evidence } from '../model/evidence.ts'
import type { Hit, Track } from '../model/hit.ts'
import type { Incident } from '../model/incident.ts'
import type { Day, Log, LogKind, Run, RunKey } from '../model/run.ts'
import { gramsOf } from '../text/grams.ts'
import { indexText } from '../text/index-text.ts'
import { satisfies } from '../text/satisfies.ts'
import { compareBytes, compareKeys, dayOf } from './order.ts'
import { checkTime, cutPage, evidenceKey, keptFindings, keptRecord, noRuns, problemKey, runOrder } from './record.ts'
import { compareRollups, exposedAs, exposureHours, hourOf, rollupParts } from './rollup.ts'
import type {
  CandidateFilter,
  CandidatePage,
  EvidenceFilter,
  ExposedRuns,
  ExposureHour,
  FailureCount,
  FailureFilter,
  HitCount,
  HitFilter,
  LogName,
  OrderKey,
  Page,
  Paged,
  Problem,
  Rollup,
  RunFilter,
  RunFindings,
  RunRecord,
  RunStamp,
  State,
  Store,
  StoredRun,
  StoreStatus,
  Version,
} from './store.ts'

interface Text {
  readonly day: Day
  readonly logs: Map<string, { readonly ref: BlockRef; readonly block: Block }[]>
}

interface Entry extends RunRecord {
  readonly day: Day
  readonly text: Text
}

/** The port by brute force, in memory (plans are exact by it): the oracle of property tests, and a store for tests of services. */
export function createReferenceStore(): Store {
  return new ReferenceStore()
}

class ReferenceStore implements Store {
  readonly #entries = new Map<string, Entry>()
  readonly #open = new Map<string, Text & { readonly run: Run; readonly kinds: Map<string, LogKind> }>()
  /** Text by block id, of every version that was not swept yet. */
  readonly #texts = new Set<Text>()
  readonly #days = new Set<Day>()
  readonly #bytes = new Map<string, Uint8Array>()
  readonly #problems = new Map<string, Problem>()
  readonly #incidents = new Map<string, readonly Incident[]>()
  readonly #state = new Map<string, unknown>()
  readonly #evidence = new Map<string, Evidence>()
  #lastId = 0

  async stamps(bucket: string, paths: readonly string[]): Promise<RunStamp[]> {
    return paths.flatMap((path) => {
      const entry = this.#entries.get(keyText({ bucket, path }))
      if (!entry) return []
      const { run, fingerprint, firstSeen } = entry
      return [{ path, result: run.result, fingerprint, time: run.time, firstSeen }]
    })
  }

  async runsOf(keys: readonly RunKey[]): Promise<Run[]> {
    return [...new Set(keys.map(keyText))].flatMap((key) => this.#entries.get(key)?.run ?? [])
  }

  async begin(run: Run): Promise<Version> {
    const day = this.#entries.get(keyText(run))?.day ?? checkTime(run.time)
    const id = String(++this.#lastId)
    const text = { run: structuredClone(run), day, logs: new Map(), kinds: new Map() }
    this.#days.add(day)
    this.#texts.add(text)
    this.#open.set(id, text)
    return { id, day }
  }

  async append(version: Version, { name: log, kind }: LogName, blocks: readonly Block[]): Promise<void> {
    const text = this.#opened(version)
    if (blocks.length === 0) return
    const kept = text.logs.get(log) ?? []
    text.logs.set(log, kept)
    text.kinds.set(log, kind)
    for (const block of structuredClone(blocks)) {
      const ref = { day: text.day, id: String(++this.#lastId) }
      kept.push({ ref, block })
      this.#bytes.set(ref.id, block.bytes)
    }
  }

  async publish(version: Version, record: RunRecord): Promise<void> {
    const text = this.#opened(version)
    const kept = keptRecord(structuredClone(record), text.run, text.kinds)
    const key = keyText(kept.run)
    const old = this.#entries.get(key)
    if (old && old.day !== text.day)
      throw new ProwlError('STORE_FAILED', "the run's day was fixed meanwhile; begin again")
    this.#entries.set(key, { ...kept, day: text.day, text, firstSeen: old?.firstSeen ?? kept.firstSeen })
    this.#open.delete(version.id)
    this.#problems.delete(key)
    if (kept.cursor) this.#state.set(kept.cursor.key, kept.cursor.value)
  }

  async replaceFindings(signatures: readonly string[], runs: readonly RunFindings[]): Promise<number> {
    const others = (of: { readonly signature: string }) => !signatures.includes(of.signature)
    const known = runs.flatMap((given) => {
      const entry = this.#entries.get(keyText(given))
      return entry?.fingerprint === given.fingerprint ? [{ entry, given: structuredClone(given) }] : []
    })
    for (const { entry, given } of known) {
      const hits = [...entry.hits.filter(others), ...given.hits]
      const tracks = [...entry.tracks.filter(others), ...given.tracks]
      const exposures = [...entry.exposures.filter(others), ...given.exposures]
      this.#entries.set(keyText(given), { ...entry, ...keptFindings({ hits, tracks }, entry.run), exposures })
    }
    return known.length
  }

  async fail(problem: Problem): Promise<void> {
    this.#problems.set(keyText(problem), problem)
  }

  async putIncidents(signature: string, incidents: readonly Incident[]): Promise<void> {
    this.#incidents.set(signature, structuredClone(incidents))
  }

  async state(key: string): Promise<unknown> {
    return structuredClone(this.#state.get(key))
  }

  async putState(key: string, value: unknown): Promise<void> {
    this.#state.set(key, structuredClone(value))
  }

  async states(): Promise<readonly State[]> {
    return structuredClone([...this.#state].map(([key, value]) => ({ key, value })))
      .filter(({ value }) => value !== undefined)
      .sort((a, b) => compareBytes(a.key, b.key))
  }

  async problems(page: Page): Promise<Paged<Problem>> {
    const after = this.#sortedProblems().filter((problem) => isAfter(problemKey(problem), page))
    return cutPage(after, page.limit, problemKey)
  }

  async maintain(options: { readonly expireBefore?: Day } = {}) {
    const published = new Set([...this.#entries.values()].map((entry) => entry.text))
    const orphans = [...this.#texts].filter((text) => !published.has(text))
    for (const text of orphans) this.#drop(text)
    this.#open.clear()
    const expiredDays = [...this.#days].filter((day) => day < (options.expireBefore ?? '')).sort()
    for (const day of expiredDays) this.#days.delete(day)
    for (const text of this.#texts) if (!this.#days.has(text.day)) this.#drop(text)
    return { swept: orphans.filter((text) => text.logs.size > 0).length, expiredDays }
  }

  async putEvidence(evidence: Evidence): Promise<Evidence> {
    const kept = this.#evidence.get(evidence.id) ?? structuredClone(evidence)
    this.#evidence.set(evidence.id, kept)
    return structuredClone(kept)
  }

  async evidence(id: string): Promise<Evidence | undefined> {
    return structuredClone(this.#evidence.get(id))
  }

  async listEvidence({ signature, bug }: EvidenceFilter, page: Page): Promise<Paged<Evidence>> {
    const listed = [...this.#evidence.values()]
      .filter(({ signatures }) => signature === undefined || signatures.includes(signature))
      .filter(({ bugs }) => bug === undefined || bugs.includes(bug))
      .sort((a, b) => compareKeys(evidenceKey(a), evidenceKey(b)))
      .filter((each) => isAfter(evidenceKey(each), page))
    return cutPage(structuredClone(listed), page.limit, evidenceKey)
  }

  async run(key: RunKey): Promise<StoredRun | undefined> {
    const entry = this.#entries.get(keyText(key))
    if (!entry) return undefined
    const { run, fingerprint, firstSeen, logs, hits, tracks, exposures } = entry
    return { run, fingerprint, firstSeen, logs, hits, tracks, exposures, expired: !this.#texts.has(entry.text) }
  }

  async runs(filter: FailureFilter, page: Page): Promise<Paged<Run>> {
    const runs = this.#matching(filter).map((entry) => entry.run)
    return cutPage(
      runs.filter((run) => isAfter(runOrder(run), page)),
      page.limit,
      runOrder,
    )
  }

  async jobs(): Promise<readonly string[]> {
    return [...new Set(this.#matching({}).map((entry) => entry.run.job))].sort(compareBytes)
  }

  async blocks(key: RunKey, log: string, from: number, to: number): Promise<ListedBlock[]> {
    const entry = this.#entries.get(keyText(key))
    return this.#blocksOf(entry, log)
      .filter((block) => lastLine(block) >= from && block.firstLine <= to)
      .map((block) => ({ ...block, size: this.#bytes.get(block.ref.id)?.length ?? 0 }))
  }

  async candidates(filter: CandidateFilter, page: Page): Promise<CandidatePage> {
    const all = this.#matching(filter).flatMap((entry) =>
      entry.logs
        .filter((log) => filter.kinds?.includes(log.kind) ?? true)
        .flatMap((log) => this.#blocksOf(entry, log.name)),
    )
    const left = all.filter((block) => isAfter(blockEnd(block), page))
    const found = cutPage(
      left.filter((block) => !filter.plan || satisfies(this.#gramsOf(block), filter.plan)),
      page.limit,
      blockEnd,
    )
    const { next } = found
    const considered = next ? left.filter((block) => compareKeys(blockEnd(block), next) <= 0).length : left.length
    return { ...found, considered }
  }

  async read(refs: readonly BlockRef[]): Promise<(Uint8Array | undefined)[]> {
    return refs.map((ref) => this.#bytes.get(ref.id))
  }

  async hits(filter: HitFilter, page: Page): Promise<Paged<Hit>> {
    const hits = this.#hits(filter).filter((hit) => isAfter(hit, page))
    return cutPage(hits, page.limit, hitKey)
  }

  async countHits(filter: HitFilter): Promise<readonly HitCount[]> {
    const bySignature = Map.groupBy(this.#hits(filter), (hit) => hit.signature)
    return [...bySignature]
      .map(([signature, hits]) => ({
        signature,
        hits: hits.length,
        runs: new Set(hits.map(keyText)).size,
        last: Math.max(...hits.map((hit) => hit.placed.latest)),
      }))
      .sort((a, b) => compareBytes(a.signature, b.signature))
  }

  async tracks(signature: string, runs: readonly RunKey[]): Promise<readonly Track[]> {
    return runs.flatMap(
      (run) => this.#entries.get(keyText(run))?.tracks.filter((track) => track.signature === signature) ?? [],
    )
  }

  async incidents(filter: { signature?: string; id?: string; from?: number; to?: number }) {
    return [...this.#incidents]
      .filter(([signature]) => filter.signature === undefined || signature === filter.signature)
      .flatMap(([, incidents]) => incidents)
      .filter(({ id, aliases }) => filter.id === undefined || id === filter.id || aliases.includes(filter.id))
      .filter(({ at }) => at >= (filter.from ?? -Infinity) && at < (filter.to ?? Infinity))
      .sort((a, b) => b.at - a.at || compareBytes(a.id, b.id) || compareBytes(a.signature, b.signature))
  }

  async countRuns(filter: RunFilter) {
    return this.#matching(filter).length
  }

  async rollups(filter: RunFilter): Promise<readonly Rollup[]> {
    const sums = new Map<string, Rollup>()
    for (const { run, logs } of this.#matching(filter)) {
      for (const { kind, bytes } of rollupParts(logs)) {
        const row = { job: run.job, day: dayOf(run.time), result: run.result, kind }
        const key = JSON.stringify(row)
        const sum = sums.get(key)
        sums.set(key, { ...row, runs: (sum?.runs ?? 0) + 1, bytes: (sum?.bytes ?? 0) + bytes })
      }
    }
    return [...sums.values()].sort(compareRollups)
  }

  async exposure(signature: string, from: number, to: number): Promise<readonly ExposureHour[]> {
    const hours = new Map<number, ExposureHour>()
    const exposures = this.#matching({}).flatMap((entry) => entry.exposures)
    for (const exposure of exposures.filter((each) => each.signature === signature)) {
      for (const [i, hour] of exposureHours(exposure).entries()) {
        const { runs, starts } = hours.get(hour) ?? { runs: 0, starts: 0 }
        hours.set(hour, { hour, runs: runs + 1, starts: starts + Number(i === 0) })
      }
    }
    return [...hours.values()].filter(({ hour }) => hour >= hourOf(from) && hour < to).sort((a, b) => a.hour - b.hour)
  }

  async exposedRuns(signature: string, from: Day, to: Day): Promise<readonly ExposedRuns[]> {
    const counts = new Map<string, ExposedRuns>()
    for (const { run, exposures } of this.#matching({})) {
      const day = dayOf(run.time)
      if (day < from || day > to) continue
      if (!exposures.some((each) => each.signature === signature)) continue
      const row = exposedAs(run)
      const key = JSON.stringify(row)
      counts.set(key, { ...row, runs: (counts.get(key)?.runs ?? 0) + 1 })
    }
    return [...counts.values()]
  }

  async failures(filter: FailureFilter): Promise<readonly FailureCount[]> {
    const counts = new Map<string, FailureCount>()
    for (const { run } of this.#matching(filter)) {
      if (!run.failure) continue
      const row = { group: run.failure.group, job: run.job, day: dayOf(run.time) }
      const key = JSON.stringify(row)
      counts.set(key, { ...row, runs: (counts.get(key)?.runs ?? 0) + 1 })
    }
    return [...counts.values()]
  }

  async status(): Promise<StoreStatus> {
    const entries = this.#matching({})
    const logs = entries.flatMap((entry) => entry.logs)
    const kept = entries.filter((entry) => this.#texts.has(entry.text)).flatMap((entry) => entry.logs)
    const runs = noRuns()
    for (const { run } of entries) runs[run.result]++
    const newest = entries.at(0)?.run.time
    const oldest = entries.at(-1)?.run.time
    return {
      kind: 'reference',
      layout: 1,
      runs,
      logs: logs.length,
      truncatedLogs: logs.filter((log) => log.truncatedFrom !== undefined).length,
      brokenLogs: logs.filter((log) => log.broken !== undefined).length,
      hits: entries.reduce((sum, entry) => sum + entry.hits.length, 0),
      evidence: this.#evidence.size,
      rawBytes: sumBytes(kept),
      storedBytes: [...this.#bytes.values()].reduce((sum, bytes) => sum + bytes.length, 0),
      index: { blocks: this.#bytes.size, indexed: this.#bytes.size, segments: 0, quarantined: 0 },
      days: [...this.#days].sort().reverse(),
      ...(oldest === undefined || newest === undefined ? {} : { oldest, newest }),
      problems: this.#sortedProblems().slice(0, 100),
      problemCount: this.#problems.size,
    }
  }

  async close(): Promise<void> {}

  #opened(version: Version) {
    const text = this.#open.get(version.id)
    if (!text) throw new ProwlError('STORE_FAILED', 'this version is published or swept; begin another')
    return text
  }

  #drop(text: Text): void {
    this.#texts.delete(text)
    for (const { ref } of [...text.logs.values()].flat()) this.#bytes.delete(ref.id)
  }

  #matching(filter: FailureFilter): Entry[] {
    return [...this.#entries.values()]
      .filter((entry) => matches(entry.run, filter))
      .sort((a, b) => compareKeys(runOrder(a.run), runOrder(b.run)))
  }

  #sortedProblems(): Problem[] {
    return [...this.#problems.values()].sort((a, b) => compareKeys(problemKey(a), problemKey(b)))
  }

  #hits(filter: HitFilter): Hit[] {
    return this.#matching(filter)
      .flatMap((entry) => entry.hits)
      .filter((hit) => filter.signature === undefined || hit.signature === filter.signature)
  }

  #gramsOf({ ref, ascii }: Candidate): ReadonlySet<number> {
    const bytes = this.#bytes.get(ref.id) ?? new Uint8Array()
    return new Set(gramsOf(indexText(bytes, ascii)))
  }

  #blocksOf(entry: Entry | undefined, log: string): Candidate[] {
    if (!entry || !this.#texts.has(entry.text) || !entry.logs.some(({ name }) => name === log)) return []
    const { bucket, path, time } = entry.run
    return (entry.text.logs.get(log) ?? []).map(({ ref, block: { bytes: _, grams: __, ...block } }) => {
      return { ref, bucket, path, time, log, ...block }
    })
  }
}

function matches(run: Run, filter: FailureFilter): boolean {
  const { pull } = filter
  return (
    run.time >= (filter.from ?? -Infinity) &&
    run.time < (filter.to ?? Infinity) &&
    run.bucket === (filter.bucket ?? run.bucket) &&
    run.buildId === (filter.buildId ?? run.buildId) &&
    (filter.jobs?.includes(run.job) ?? true) &&
    (filter.results?.includes(run.result) ?? true) &&
    (filter.types?.includes(run.type) ?? true) &&
    (!filter.failures || (run.failure !== undefined && filter.failures.includes(run.failure.group))) &&
    (!pull ||
      (run.refs?.org === pull.org &&
        run.refs.repo === pull.repo &&
        run.refs.pulls.some(({ number }) => number === pull.number)))
  )
}

function isAfter(key: OrderKey, { after }: Page): boolean {
  return !after || compareKeys(key, after) > 0
}

function hitKey({ time, bucket, path, log, line }: Hit): OrderKey {
  return { time, bucket, path, log, line }
}

function blockEnd(block: Candidate): OrderKey {
  const { time, bucket, path, log } = block
  return { time, bucket, path, log, line: lastLine(block) }
}

function lastLine(block: Candidate): number {
  return block.firstLine + block.lineCount - 1
}

function keyText({ bucket, path }: RunKey): string {
  return `${bucket}\n${path}`
}

function sumBytes(logs: readonly Log[]): number {
  return logs.reduce((sum, log) => sum + log.bytes, 0)
}
