import { z } from 'zod'
import { Gap } from '../model/gap.ts'
import { BackfillState, IngestState, ReevaluationState } from '../model/ingest-state.ts'
import type { Store } from '../store/store.ts'

const BUCKETS_KEY = 'ingest'
const Buckets = z.array(z.string())

type StateStore = Pick<Store, 'state' | 'putState'>

/** Leaves the state of a pass where pages find it. One worker writes at a time. */
export async function putIngestState(store: StateStore, state: IngestState): Promise<void> {
  const known = await buckets(store)
  if (!known.includes(state.bucket)) await store.putState(BUCKETS_KEY, [...known, state.bucket])
  await store.putState(`ingest:${state.bucket}`, state)
}

/** The state of every bucket that was ever read, in the order in which they were first read. */
export async function ingestStates(store: Pick<Store, 'state'>): Promise<IngestState[]> {
  const states = await Promise.all((await buckets(store)).map((bucket) => ingestStateOf(store, bucket)))
  return states.filter((state) => state !== undefined)
}

/** The state of one bucket; undefined before its first pass. */
export async function ingestStateOf(store: Pick<Store, 'state'>, bucket: string): Promise<IngestState | undefined> {
  return IngestState.safeParse(await store.state(`ingest:${bucket}`)).data
}

/** The times in which runs of the bucket may be missing, or were until a later pass made up for it. */
export async function gapsOf(store: Pick<Store, 'state'>, bucket: string): Promise<Gap[]> {
  return z.array(Gap).safeParse(await store.state(`ingest-gaps:${bucket}`)).data ?? []
}

export async function putGaps(store: Pick<Store, 'putState'>, bucket: string, gaps: readonly Gap[]): Promise<void> {
  await store.putState(`ingest-gaps:${bucket}`, gaps)
}

/** The same of all these buckets. */
export async function gapsOfAll(store: Pick<Store, 'state'>, states: readonly IngestState[]): Promise<Gap[]> {
  return (await Promise.all(states.map(({ bucket }) => gapsOf(store, bucket)))).flat()
}

/** The last backfill of a bucket. */
export async function backfillOf(store: Pick<Store, 'state'>, bucket: string): Promise<BackfillState | undefined> {
  return BackfillState.safeParse(await store.state(`ingest-backfill:${bucket}`)).data
}

export async function putBackfill(store: Pick<Store, 'putState'>, state: BackfillState): Promise<void> {
  await store.putState(`ingest-backfill:${state.bucket}`, state)
}

/** How far edited signatures have been looked for anew; the last time. */
export async function reevaluationOf(store: Pick<Store, 'state'>): Promise<ReevaluationState | undefined> {
  return ReevaluationState.safeParse(await store.state('reevaluation')).data
}

export async function putReevaluation(store: Pick<Store, 'putState'>, state: ReevaluationState): Promise<void> {
  await store.putState('reevaluation', state)
}

async function buckets(store: Pick<Store, 'state'>): Promise<string[]> {
  const parsed = Buckets.safeParse(await store.state(BUCKETS_KEY))
  return parsed.success ? parsed.data : []
}

/** Edited signatures are being looked for anew: what is told of them may change. */
export function isUnderWay(state: ReevaluationState | undefined): state is ReevaluationState {
  return state !== undefined && state.finishedAt === undefined
}
