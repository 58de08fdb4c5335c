import { ProwlError } from '../../errors.ts'
import type { RunKey } from '../../model/run.ts'
import { unread } from '../record.ts'
import { bulk, type Write } from './bulk.ts'
import { type Cluster, everything } from './cluster.ts'
import type { DayIndex } from './days.ts'
import { blockId, type RunDoc, runId, type Text } from './documents.ts'
import type { Lease } from './lease.ts'
import { putProblem } from './state.ts'

/** A version whose blocks are there and which no run names, or none will soon. */
export interface Pending {
  readonly run: RunKey
  /** `blocks`: numbers that may have been given to blocks, from 0 up to here. */
  readonly text: Text
  /** One that is open may be published yet; one that was replaced will not be. Absent in notes of before: open. */
  readonly was?: 'open' | 'replaced'
  /** When a successor of its writer swept it, epoch ms. */
  readonly swept?: number
}

export interface Sweeper {
  /** Whether this writer gave the version its name. */
  readonly isOwn: (version: string) => boolean
  readonly lease: Pick<Lease, 'requestMs' | 'clock'>
}

/** So long a request of a writer that lost its lease may come late, and is made up for. */
const LATE_MS = 86_400_000

interface PendingDoc {
  readonly value: string
}

/** Notes the version, by its id. */
export function pendingWrite(index: string, pending: Pending): Write {
  const { run, text } = pending
  const { bucket, path } = run
  const value = JSON.stringify({ ...pending, run: { bucket, path } })
  return { index, id: text.version, doc: JSON.stringify({ kind: 'pending', bucket, path: text.version, value }) }
}

/** The note as it is now; undefined where it is gone. */
async function readPending(cluster: Cluster, version: string) {
  const found = await cluster.getOne<PendingDoc>(cluster.names.state, version)
  return found && { pending: JSON.parse(found.source.value) as Pending, state: found.state }
}

/** A note by which it may be taken away later, if it still stands then. Throws STORE_LEASE_LOST where it does not now. */
export async function standingNote(cluster: Cluster, version: string): Promise<Write> {
  const note = await readPending(cluster, version)
  if (!note || note.pending.swept !== undefined) throw sweptByOther()
  return { index: cluster.names.state, id: version, over: note.state }
}

/** Throws STORE_LEASE_LOST for a version that was published and whose note could not be taken away, as it was marked meanwhile. */
export async function checkGone(cluster: Cluster, version: string): Promise<void> {
  // One that is gone was taken away before, and the answer did not come.
  if (await readPending(cluster, version)) throw sweptByOther()
}

function sweptByOther(): ProwlError {
  return new ProwlError('STORE_LEASE_LOST', 'another worker took over and sweeps this version; it reads the run again')
}

/**
 * Deletes the blocks of all versions noted that no run names; how many there were. Those that another writer had open are
 * marked first, which stops their being published, and swept when what it may have sent before has arrived. Their marks
 * stay for a day: where a run names one all the same, its text is read again.
 */
export async function sweepPending(cluster: Cluster, days: readonly DayIndex[], sweeper: Sweeper): Promise<number> {
  const { isOwn, lease } = sweeper
  const now = lease.clock.wall()
  const found = await listPending(cluster)
  const marked = found.filter(({ swept }) => swept !== undefined)
  await settleMarked(cluster, days, marked, now)
  const fresh = found.filter(({ swept }) => swept === undefined)
  const foreign = fresh.filter(({ was, text }) => was !== 'replaced' && !isOwn(text.version))
  const { state } = cluster.names
  if (foreign.length > 0) {
    await bulk(
      cluster,
      foreign.map((pending) => pendingWrite(state, { ...pending, swept: now })),
    )
    await lease.clock.sleep(lease.requestMs)
  }
  const orphans = await unnamed(cluster, fresh)
  const swept = await deleteBlocks(cluster, days, orphans)
  const kept = new Set(orphans.filter((pending) => foreign.includes(pending)))
  await forget(
    cluster,
    fresh.filter((pending) => !kept.has(pending)),
  )
  return swept
}

async function listPending(cluster: Cluster): Promise<Pending[]> {
  const { state } = cluster.names
  await cluster.refresh(state)
  const found: Pending[] = []
  const query = { term: { kind: 'pending' } }
  const sort = [{ bucket: 'asc' as const }, { path: 'asc' as const }]
  for await (const { _source } of everything<PendingDoc>(cluster, state, { query, sort, size: 1000 }))
    found.push(JSON.parse(_source.value))
  return found
}

async function unnamed(cluster: Cluster, found: readonly Pending[]): Promise<Pending[]> {
  const index = cluster.names.runs
  const named = await cluster.get<RunDoc>(found.map(({ run }) => ({ index, id: runId(run), fields: ['version'] })))
  return found.filter(({ text }, i) => text.version !== named[i]?.source.version)
}

/** Of those whose day is kept still; how many these were. */
async function deleteBlocks(
  cluster: Cluster,
  days: readonly DayIndex[],
  versions: readonly Pending[],
): Promise<number> {
  const kept = versions.flatMap(({ text }) => {
    const day = days.find(({ generation }) => generation === text.generation)
    return day ? [{ text, day }] : []
  })
  for (const { text, day } of kept) {
    const ids = Array.from({ length: text.blocks }, (_, n) => blockId(text.version, n))
    await bulk(
      cluster,
      ids.map((id) => ({ index: day.index, id })),
    )
  }
  await Promise.all([...new Set(kept.map(({ day }) => day.index))].map((index) => cluster.refresh(index)))
  return kept.length
}

async function forget(cluster: Cluster, found: readonly Pending[]): Promise<void> {
  const { state } = cluster.names
  await bulk(
    cluster,
    found.map(({ text }) => ({ index: state, id: text.version })),
  )
}

/** What came late of versions that were swept: blocks are deleted again, a run that was published is read again. */
async function settleMarked(cluster: Cluster, days: readonly DayIndex[], marked: readonly Pending[], now: number) {
  const left = new Set(await unnamed(cluster, marked))
  for (const pending of marked.filter((one) => !left.has(one))) await readAgain(cluster, pending, now)
  const over = [...left].filter(({ swept = 0 }) => Math.abs(now - swept) > LATE_MS)
  await deleteBlocks(cluster, days, over)
  await forget(cluster, over)
}

/** The run keeps its hits; its text is said to be gone until the worker, which the note tells of it, has read it. */
async function readAgain(cluster: Cluster, { run, text }: Pending, at: number): Promise<void> {
  const { runs } = cluster.names
  const old = await cluster.getOne<RunDoc>(runs, runId(run))
  // Without a day's generation it was said before.
  if (old?.source.version !== text.version || old.source.generation === '') return
  const doc: RunDoc = { ...old.source, fingerprint: unread(old.source.fingerprint), generation: '', blocks: 0 }
  const message = 'its text was lost when one worker took over from another; it is read again'
  await putProblem(cluster, { ...run, code: 'STORE_CORRUPT', message, at })
  await bulk(cluster, [{ index: runs, id: runId(run), doc: JSON.stringify(doc), over: old.state }])
}
