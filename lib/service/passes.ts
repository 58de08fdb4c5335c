import { z } from 'zod'
import { IngestState } from '../model/ingest-state.ts'
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
  const values = await Promise.all((await buckets(store)).map((bucket) => store.state(`ingest:${bucket}`)))
  return values.flatMap((value) => {
    const parsed = IngestState.safeParse(value)
    return parsed.success ? [parsed.data] : []
  })
}

async function buckets(store: Pick<Store, 'state'>): Promise<string[]> {
  const parsed = Buckets.safeParse(await store.state(BUCKETS_KEY))
  return parsed.success ? parsed.data : []
}
