import { z } from 'zod'
import type { IngestState } from '#lib/model/ingest-state.ts'
import { putIngestState } from '#lib/service/passes.ts'
import type { Store } from '#lib/store/store.ts'

/** What the next pass over a bucket takes on from the last, under `ingest-cursor:<bucket>`. Times are epoch ms. */
const Cursor = z.object({
  /** Of the settings that decide which runs are found: another scope starts anew. */
  scope: z.string(),
  /** Start of the period that was covered. */
  from: z.number(),
  /** Every run that began before this moment was found. */
  seenTo: z.number(),
  /** Runs that could not be read, by path: how often it was tried, and the last reason. */
  failures: z.record(z.string(), z.number()),
})
export type Cursor = z.infer<typeof Cursor>

export async function readCursor(store: Pick<Store, 'state'>, bucket: string): Promise<Cursor | undefined> {
  const parsed = Cursor.safeParse(await store.state(cursorKey(bucket)))
  return parsed.success ? parsed.data : undefined
}

export async function putCursor(store: Pick<Store, 'putState'>, bucket: string, cursor: Cursor): Promise<void> {
  await store.putState(cursorKey(bucket), cursor)
}

function cursorKey(bucket: string): string {
  return `ingest-cursor:${bucket}`
}

const WRITE_EVERY_MS = 1000

/** Leaves the state of a pass where pages find it, at most once a second while it runs. */
export class PassReport {
  readonly #store: Store
  #state: IngestState
  #nextAt = 0
  #writing: Promise<void> = Promise.resolve()
  readonly #now: () => number

  constructor(store: Store, state: IngestState, now: () => number) {
    this.#store = store
    this.#state = state
    this.#now = now
  }

  progress(done: number, total: number): void {
    this.#state = { ...this.#state, done, total }
    if (this.#now() < this.#nextAt) return
    this.#nextAt = this.#now() + WRITE_EVERY_MS
    this.#write()
  }

  /** Resolves when the last state is written. */
  async end(change: Partial<IngestState>): Promise<void> {
    this.#state = { ...this.#state, ...change }
    this.#write()
    await this.#writing
  }

  #write(): void {
    const state = this.#state
    this.#writing = this.#writing.then(() => putIngestState(this.#store, state))
  }
}
