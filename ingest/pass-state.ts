import { z } from 'zod'
import { CURSOR_KEY, type IngestState, type Traffic } from '#lib/model/ingest-state.ts'
import { putIngestState } from '#lib/service/passes.ts'
import type { Store } from '#lib/store/store.ts'
import type { Attempt, ChainFound } from './discover/discovery.ts'
import type { Progress } from './read-runs.ts'

/** What the next pass over a bucket takes on from the last, under `ingest-cursor:<bucket>`. Times are epoch ms. */
const Cursor = z.object({
  /** Of the settings that decide which runs are found: another scope starts anew. */
  scope: z.string(),
  /** Start of the period that was covered. */
  from: z.number(),
  /** By kind of discovery: every run that began before this moment and is that kind's to find was found. */
  cursors: z.record(z.string(), z.number()),
  /** Runs that could not be read, by path: how often it was tried. */
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
  return `${CURSOR_KEY}${bucket}`
}

/**
 * After a whole pass that began at `startedAt`. Where the kinds together reach back to `from`, none is behind; where they
 * do not, those that answered move on and the others stay.
 */
export function moveCursor(cursor: Cursor, found: ChainFound, from: number, startedAt: number): Cursor {
  const answered = found.attempts.filter(({ error }) => error === undefined).map(({ kind }) => kind)
  const moved = found.from <= from ? [...Object.keys(cursor.cursors), ...answered] : answered
  return { ...cursor, cursors: { ...cursor.cursors, ...Object.fromEntries(moved.map((kind) => [kind, startedAt])) } }
}

/** Every run that began before is found: the least of the cursors; undefined while a kind that was needed has none. */
export function coveredTo({ cursors }: Cursor, found: ChainFound, from: number): number | undefined {
  const behind = found.from <= from ? [] : found.attempts.filter(({ error }) => error !== undefined)
  return behind.some(({ kind }) => cursors[kind] === undefined) ? undefined : Math.min(...Object.values(cursors))
}

const WRITE_EVERY_MS = 1000

/** Leaves the state of a pass where pages find it, at most once a second while it runs. */
export class PassReport {
  readonly #store: Store
  #state: IngestState
  #nextAt = 0
  #writing: Promise<void> = Promise.resolve()
  readonly #now: () => number
  readonly #traffic: () => Traffic

  constructor(store: Store, state: IngestState, now: () => number, traffic: () => Traffic) {
    this.#store = store
    this.#state = state
    this.#now = now
    this.#traffic = traffic
  }

  found(attempts: readonly Attempt[]): void {
    this.#state = { ...this.#state, discovery: [...attempts] }
  }

  progress({ done, total }: Progress): void {
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
    const state = { ...this.#state, traffic: this.#traffic() }
    this.#writing = this.#writing.then(() => putIngestState(this.#store, state))
    // Thrown by `end`; a store that is lost before is told of by who writes runs.
    this.#writing.catch(() => {})
  }
}
