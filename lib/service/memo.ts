import { isDeepStrictEqual } from 'node:util'
import { count } from '../counts.ts'
import type { IngestState } from '../model/ingest-state.ts'
import type { StoredContext } from './context.ts'
import { ingestStates } from './passes.ts'

/** What is costly to add up, kept between requests of one process. */
export interface Memo {
  /** As `make` gives it, or gave it before: how long that is good enough depends on what it took to make. */
  keep<T>(name: string, of: Rests, make: () => Promise<T>): Promise<T>
  /** What is kept by that name, whatever it rests on; undefined where nothing is, or not yet. */
  known<T>(name: string): T | undefined
}

/** What an answer rests on; compared by value. */
export interface Rests {
  /** Where this differs, what is kept is of no use. */
  readonly stamp: unknown
  /** Where this differs there is news: what is made in less than a second is made anew at once. */
  readonly pass?: unknown
  /** The same, but it differs many times a second: each page would add all up for itself. */
  readonly progress?: unknown
}

const SECOND = 1000
/** Incidents are gathered a little after a pass has told of its end, and the clock goes on. */
const FRESH_MS = 60 * SECOND
const PROGRESS_MS = 5 * SECOND
/** Making something anew takes a twentieth of a process's time at most. */
const COST = 20
/** So many times older than it should be, it is waited for. */
const STALE = 10
const KEPT = 200

interface Kept extends Rests {
  readonly at: number
  readonly value: Promise<unknown>
  done?: { readonly value: unknown; readonly tookMs: number }
  renewing?: Promise<void>
}

export function createMemo(now: () => number): Memo {
  const entries = new Map<string, Kept>()
  const make = <T>(name: string, of: Rests, give: () => Promise<T>): Kept & { readonly value: Promise<T> } => {
    const at = now()
    const value = give()
    const entry: Kept = { ...of, at, value }
    value.then(
      (done) => {
        entry.done = { value: done, tookMs: now() - at }
      },
      () => entries.get(name) === entry && entries.delete(name),
    )
    return entry as Kept & { readonly value: Promise<T> }
  }
  const put = (name: string, entry: Kept) => {
    entries.delete(name)
    entries.set(name, entry)
    for (const oldest of entries.keys()) if (entries.size > KEPT) entries.delete(oldest)
  }
  return {
    keep<T>(name: string, of: Rests, give: () => Promise<T>): Promise<T> {
      const known = entries.get(name)
      const worth = known ? worthOf(known, of, now() - known.at) : 'none'
      count('kept_answers', { cache: 'memo', had: worth === 'none' ? 'no' : 'yes' })
      if (!known || worth === 'none') {
        const entry = make(name, of, give)
        put(name, entry)
        return entry.value
      }
      if (worth === 'renew' && !known.renewing) {
        const entry = make(name, of, give)
        known.renewing = entry.value.then(
          () => put(name, entry),
          () => void entries.delete(name),
        )
      }
      return known.value as Promise<T>
    },
    known: <T>(name: string) => entries.get(name)?.done?.value as T | undefined,
  }
}

/** Whether what is kept will do: as it is, until it is made anew meanwhile, or not at all. */
function worthOf(known: Kept, of: Rests, age: number): 'keep' | 'renew' | 'none' {
  if (!isDeepStrictEqual(known.stamp, of.stamp)) return 'none'
  const tookMs = known.done?.tookMs ?? 0
  const samePass = isDeepStrictEqual(known.pass, of.pass)
  if (!samePass && tookMs < SECOND) return 'none'
  const isSame = samePass && isDeepStrictEqual(known.progress, of.progress)
  const goodMs = Math.max(isSame ? FRESH_MS : PROGRESS_MS, COST * tookMs)
  if (age >= STALE * goodMs) return 'none'
  return age >= goodMs ? 'renew' : 'keep'
}

/**
 * Kept for the process where the context has a memo: while the day and the signatures are the same, and nothing was read.
 * What takes long to add up may be twenty times as old as that took.
 */
export async function kept<T>(ctx: StoredContext, name: string, make: () => Promise<T>): Promise<T> {
  if (!ctx.memo) return await make()
  const [states, catalogue] = await Promise.all([ingestStates(ctx.store), ctx.catalogue()])
  // The catalogue is the same object until a file changes: its signatures are compared by identity first.
  const stamp = [Math.floor(ctx.now() / 86_400_000), catalogue.signatures.map(rulesOf)]
  const progress = states.map(({ done }) => done)
  return await ctx.memo.keep(name, { stamp, pass: states.map(passOf), progress }, make)
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
