import { randomUUID } from 'node:crypto'
import pLimit from 'p-limit'
import { ProwlError } from '../../errors.ts'
import type { Block } from '../../model/block.ts'
import type { Day, LogKind, Run, RunKey } from '../../model/run.ts'
import { checkTime, keptRecord } from '../record.ts'
import type { LogName, RunRecord, Version } from '../store.ts'
import { bulk, type Write } from './bulk.ts'
import type { Cluster } from './cluster.ts'
import type { DayIndex, Days } from './days.ts'
import { blockId, blockJson, type RunDoc, runDoc, runId } from './documents.ts'
import { tracksWrite } from './findings.ts'
import type { Lease } from './lease.ts'
import { checkGone, type Pending, pendingWrite, standingNote, sweepPending } from './pending.ts'
import { deleteState, problemId, stateWrite } from './state.ts'

/** Characters of blocks' documents that are gathered before they are sent. */
const BUFFER = 2 << 20
/** Requests with blocks under way: a caller waits for a place, and for its own request's end. */
const AT_ONCE = 2
/** How many numbers of blocks are noted ahead, so that what a crash leaves is known by its ids. */
const RESERVED = 256
const CONFLICTS = 5

interface OpenVersion {
  readonly run: Run
  readonly day: DayIndex
  readonly kinds: Map<string, LogKind>
  blocks: number
  reserved: number
  /** As it was just before the version was published. */
  note?: Write
  buffer: Write[]
  buffered: number
}

/**
 * Blocks first, under a version that no run names, and refreshed; then the run's document, which names it: the one write
 * that publishes. What a crash leaves behind is noted before it is written, and swept by its ids.
 */
export class Writer {
  readonly #cluster: Cluster
  readonly #days: Days
  readonly #lease: Lease
  readonly #session = randomUUID()
  readonly #open = new Map<string, OpenVersion>()
  readonly #sending = pLimit(AT_ONCE)
  #count = 0

  constructor(cluster: Cluster, days: Days, lease: Lease) {
    this.#cluster = cluster
    this.#days = days
    this.#lease = lease
  }

  async begin(run: Run): Promise<Version> {
    checkTime(run.time)
    const old = await this.#cluster.getOne<RunDoc>(this.#cluster.names.runs, runId(run))
    const day = await this.#days.ensure(old?.source.day ?? checkTime(run.time), run.time)
    const id = `${this.#session}-${++this.#count}`
    this.#open.set(id, { run, day, kinds: new Map(), blocks: 0, reserved: 0, buffer: [], buffered: 0 })
    return { id, day: day.day }
  }

  async append(version: Version, log: LogName, blocks: readonly Block[]): Promise<void> {
    const open = this.#opened(version)
    if (blocks.length === 0) return
    open.kinds.set(log.name, log.kind)
    for (const block of blocks) {
      const n = open.blocks++
      const doc = blockJson(open.run, version.id, n, log, block)
      open.buffer.push({ index: open.day.index, id: blockId(version.id, n), doc })
      open.buffered += doc.length
    }
    if (open.buffered >= BUFFER) await this.#flush(version, open)
  }

  async publish(version: Version, record: RunRecord): Promise<void> {
    const open = this.#opened(version)
    const kept = keptRecord(record, open.run, open.kinds)
    await this.#flush(version, open)
    if (open.blocks > 0) await this.#cluster.refresh(open.day.index)
    await this.#put(version, open, kept)
    this.#open.delete(version.id)
    const { state } = this.#cluster.names
    const { cursor } = kept
    const refused = await bulk(this.#cluster, [
      ...(cursor ? [stateWrite(state, cursor.key, cursor.value)] : []),
      deleteState(state, problemId(kept.run)),
      ...(open.note ? [open.note] : []),
    ])
    if (refused.size > 0) await checkGone(this.#cluster, version.id)
  }

  async maintain(expireBefore: Day = ''): Promise<{ readonly swept: number; readonly expiredDays: readonly Day[] }> {
    // What is gathered still was nowhere noted, nor written.
    const unsent = [...this.#open.values()].filter(({ buffer, reserved }) => buffer.length > 0 && reserved === 0)
    this.#open.clear()
    const swept = await sweepPending(this.#cluster, await this.#days.list(), {
      isOwn: (version) => version.startsWith(this.#session),
      lease: this.#lease,
    })
    const expiredDays = await this.#days.expire(expireBefore)
    await this.#days.merge()
    return { swept: swept + unsent.length, expiredDays }
  }

  /** Sends what is gathered; a version whose blocks could not be written is lost. */
  async #flush(version: Version, open: OpenVersion): Promise<void> {
    const { buffer } = open
    if (buffer.length === 0) return
    open.buffer = []
    open.buffered = 0
    try {
      await this.#sending(async () => {
        if (open.blocks > open.reserved) {
          open.reserved = Math.ceil(open.blocks / RESERVED) * RESERVED
          await bulk(this.#cluster, [this.#note(open.run, textOf(version, open, open.reserved), 'open')])
        }
        await bulk(this.#cluster, buffer)
      })
    } catch (error) {
      this.#open.delete(version.id)
      throw error
    }
  }

  /** Puts the run's document in place of the one that is there, whichever that is. */
  async #put(version: Version, open: OpenVersion, record: RunRecord): Promise<void> {
    const { runs, tracks } = this.#cluster.names
    const id = runId(open.run)
    for (let i = 0; i < CONFLICTS; i++) {
      const old = await this.#cluster.getOne<RunDoc>(runs, id)
      if (old?.source.version === version.id) return
      if (old && old.source.day !== open.day.day)
        throw new ProwlError('STORE_FAILED', "the run's day was fixed meanwhile; begin again")
      const doc = runDoc(record, textOf(version, open, open.blocks), old?.source.first_seen ?? record.firstSeen)
      await bulk(this.#cluster, [
        ...(old && old.source.blocks > 0 ? [this.#note(open.run, old.source, 'replaced')] : []),
        ...(doc.tracks ? [tracksWrite(tracks, doc.tracks, record.tracks)] : []),
      ])
      if (open.reserved > 0) open.note = await standingNote(this.#cluster, version.id)
      const over = old?.state ?? 'nothing'
      const refused = await bulk(this.#cluster, [{ index: runs, id, doc: JSON.stringify(doc), over }])
      if (refused.size > 0) continue
      if (old?.source.tracks) await bulk(this.#cluster, [{ index: tracks, id: old.source.tracks }])
      return
    }
    throw new ProwlError('STORE_FAILED', `${open.run.path}: others write this run; let one worker write`)
  }

  #note(run: RunKey, { version, day, generation, blocks }: Pending['text'], was: 'open' | 'replaced'): Write {
    return pendingWrite(this.#cluster.names.state, { run, text: { version, day, generation, blocks }, was })
  }

  #opened(version: Version): OpenVersion {
    const open = this.#open.get(version.id)
    if (!open) throw new ProwlError('STORE_FAILED', 'this version is published, swept or failed; begin another')
    return open
  }
}

function textOf(version: Version, { day }: OpenVersion, blocks: number): Pending['text'] {
  return { version: version.id, day: day.day, generation: day.generation, blocks }
}
