import { isDeepStrictEqual } from 'node:util'
import { count } from '../counts.ts'
import type { IngestState } from '../model/ingest-state.ts'
import type { StoredContext } from './context.ts'
import { ingestStates } from './passes.ts'

/** What is costly to add up, kept between requests of one process while nothing was read anew. */
export interface Memo {
  /**
   * As `make` gives it; as it gave it before where `stamp` is equal. What has been kept for long is made anew meanwhile, and
   * what has been kept for some seconds where `progress` differs.
   */
  keep<T>(name: string, stamp: unknown, make: () => Promise<T>, progress?: unknown): Promise<T>
  /** What is kept by that name, whatever its stamp; undefined where nothing is, or not yet. */
  known<T>(name: string): T | undefined
}

/** Incidents are gathered a little after a pass has told of its end. */
const FRESH_MS = 60_000
/** A pass publishes many runs a second: each page would add all up for itself. */
const PROGRESS_MS = 5_000
const KEPT = 200

interface Kept {
  readonly stamp: unknown
  readonly progress: unknown
  readonly at: number
  readonly value: Promise<unknown>
  done?: { readonly value: unknown }
  renewing?: Promise<void>
}

export function createMemo(now: () => number): Memo {
  const entries = new Map<string, Kept>()
  const make = <T>(
    name: string,
    { stamp, progress }: Pick<Kept, 'stamp' | 'progress'>,
    value: Promise<T>,
  ): Promise<T> => {
    const entry: Kept = { stamp, progress, at: now(), value }
    entries.delete(name)
    entries.set(name, entry)
    for (const oldest of entries.keys()) if (entries.size > KEPT) entries.delete(oldest)
    value.then(
      (done) => {
        entry.done = { value: done }
      },
      () => entries.get(name) === entry && entries.delete(name),
    )
    return value
  }
  return {
    keep<T>(name: string, stamp: unknown, give: () => Promise<T>, progress?: unknown): Promise<T> {
      const of = { stamp, progress }
      const known = entries.get(name)
      const isKept = known !== undefined && isDeepStrictEqual(known.stamp, stamp)
      count('kept_answers', { cache: 'memo', had: isKept ? 'yes' : 'no' })
      if (!isKept) return make(name, of, give())
      const freshMs = isDeepStrictEqual(known.progress, progress) ? FRESH_MS : PROGRESS_MS
      if (now() - known.at >= freshMs) {
        known.renewing ??= give().then(
          (value) => void make(name, of, Promise.resolve(value)),
          () => void entries.delete(name),
        )
      }
      return known.value as Promise<T>
    },
    known: <T>(name: string) => entries.get(name)?.done?.value as T | undefined,
  }
}

/** Kept for the process where the context has a memo: while the day, the signatures and what was read are the same. */
export async function kept<T>(ctx: StoredContext, name: string, make: () => Promise<T>): Promise<T> {
  if (!ctx.memo) return await make()
  const [states, catalogue] = await Promise.all([ingestStates(ctx.store), ctx.catalogue()])
  // The catalogue is the same object until a file changes: its signatures are compared by identity first.
  const stamp = [Math.floor(ctx.now() / 86_400_000), states.map(passOf), catalogue.signatures.map(rulesOf)]
  const progress = states.map(({ done }) => done)
  return await ctx.memo.keep(name, stamp, make, progress)
}

function passOf({ bucket, passStartedAt, passFinishedAt }: IngestState): unknown[] {
  return [bucket, passStartedAt, passFinishedAt]
}

function rulesOf({
  id,
  title,
  definition,
  blames,
  part,
  status,
  changes,
}: Awaited<ReturnType<StoredContext['catalogue']>>['signatures'][number]) {
  return [id, title, definition, blames, part?.of, status.state, changes]
}
