import pLimit from 'p-limit'
import { z } from 'zod'
import { ProwlError } from '../errors.ts'
import { type Entry, FILLING_KEY } from './entries.ts'
import { type Counts, countsOf, differences, Tally } from './entry-counts.ts'
import { unread } from './record.ts'
import type { Store, StoredRun } from './store.ts'

/** After every day that a run can have. */
const NO_DAY_LEFT = '9999-12-31'
const BATCH = 200
const RUNS_AT_ONCE = 8

export interface FillOptions {
  /** Names where the entries come from: a fill that was cut off goes on from the same only. */
  readonly from: string
  readonly onEntry?: () => void
}

/**
 * Puts all entries into a store that is empty, or that an earlier fill from the same place left unfinished. Runs keep
 * their hits, tracks and hours watched, and are without text until the worker has read it again. Throws STORE_NOT_EMPTY,
 * STORE_UNFINISHED, and COPY_DIFFERS where the store does not count what was put into it.
 */
export async function fill(store: Store, entries: AsyncIterable<Entry>, options: FillOptions): Promise<Counts> {
  await checkEmpty(store, options.from)
  await store.putState(FILLING_KEY, { from: options.from })
  const tally = new Tally()
  const gone = new Set((await store.incidents({})).map(({ signature }) => signature))
  let batch: StoredRun[] = []
  const put = async () => {
    await putRuns(store, batch)
    batch = []
  }
  for await (const entry of entries) {
    tally.add(entry)
    if ('run' in entry) batch.push(entry.run)
    if (batch.length >= BATCH || !('run' in entry)) await put()
    if ('incidents' in entry) {
      await store.putIncidents(entry.signature, entry.incidents)
      gone.delete(entry.signature)
    }
    if ('problem' in entry) await store.fail(entry.problem)
    if ('evidence' in entry) await store.putEvidence(entry.evidence)
    if ('state' in entry) await store.putState(entry.state.key, entry.state.value)
    options.onEntry?.()
  }
  await put()
  for (const signature of gone) await store.putIncidents(signature, [])
  await store.maintain({ expireBefore: NO_DAY_LEFT })
  await check(store, tally.counts)
  await store.putState(FILLING_KEY, undefined)
  return tally.counts
}

/** Throws STORE_UNFINISHED for a store that is being filled: who follows a bucket into it would mix two histories. */
export async function refuseUnfinished(store: Pick<Store, 'state'>): Promise<void> {
  const from = await filledFrom(store)
  if (from === undefined) return
  throw new ProwlError('STORE_UNFINISHED', `this store is being filled from ${from}; run that to its end first`)
}

/** From where a store is being filled; undefined for one that is whole. */
export async function filledFrom(store: Pick<Store, 'state'>): Promise<string | undefined> {
  return z.object({ from: z.string() }).safeParse(await store.state(FILLING_KEY)).data?.from
}

async function checkEmpty(store: Store, from: string): Promise<void> {
  const begun = await filledFrom(store)
  if (begun === from) return
  if (begun !== undefined) await refuseUnfinished(store)
  const [{ items }, states] = await Promise.all([store.runs({}, { limit: 1 }), store.states()])
  if (items.length === 0 && states.length === 0) return
  throw new ProwlError('STORE_NOT_EMPTY', 'the store holds data already; name an empty one, nothing was changed')
}

/** Those that an earlier fill put there are passed over. */
async function putRuns(store: Store, runs: readonly StoredRun[]): Promise<void> {
  const known = new Set<string>()
  for (const [bucket, own] of Map.groupBy(runs, ({ run }) => run.bucket)) {
    const stamps = await store.stamps(
      bucket,
      own.map(({ run }) => run.path),
    )
    for (const { path, fingerprint } of stamps) known.add(JSON.stringify([bucket, path, fingerprint]))
  }
  const limit = pLimit(RUNS_AT_ONCE)
  const fresh = runs.filter((stored) => {
    return !known.has(JSON.stringify([stored.run.bucket, stored.run.path, fingerprintOf(stored)]))
  })
  await Promise.all(fresh.map((stored) => limit(() => putRun(store, stored))))
}

async function putRun(store: Store, stored: StoredRun): Promise<void> {
  const { expired: _, ...record } = stored
  const version = await store.begin(record.run)
  await store.publish(version, { ...record, fingerprint: fingerprintOf(stored) })
}

/** Text that was deleted on purpose is not read again. */
function fingerprintOf({ fingerprint, expired }: Pick<StoredRun, 'fingerprint' | 'expired'>): string {
  return expired ? fingerprint : unread(fingerprint)
}

async function check(store: Store, told: Counts): Promise<void> {
  const held = await countsOf(store, Object.keys(told.exposure))
  const differ = differences(told, held)
  if (differ) throw new ProwlError('COPY_DIFFERS', `the store does not hold what was put into it: ${differ}`)
}
