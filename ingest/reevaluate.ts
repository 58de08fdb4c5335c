import { isDeepStrictEqual } from 'node:util'
import { refreshIncidents } from '#lib/incident/refresh.ts'
import type { ReevaluationState } from '#lib/model/ingest-state.ts'
import { putReevaluation, reevaluationOf } from '#lib/service/passes.ts'
import { affectedBy } from '#lib/signature/affected.ts'
import type { Catalogue } from '#lib/signature/catalogue.ts'
import { type Definitions, definitionsOf, putDefinitions } from '#lib/signature/definitions.ts'
import { evaluate } from '#lib/signature/evaluate.ts'
import type { RunFindings, Store } from '#lib/store/store.ts'

const BATCH = 50

export interface ReevaluateOptions {
  readonly store: Store
  readonly catalogue: Catalogue
  readonly now: () => number
  /** Ends between two batches; asked again, it goes on there. */
  readonly stop?: AbortSignal | undefined
  readonly onProgress?: (progress: { readonly done: number; readonly total: number; readonly bytes: number }) => void
}

/**
 * Looks for signatures whose rules were edited, or that are new, in all text that is kept: without asking the bucket.
 * What is read meanwhile is matched with the new rules anyway. Whether all is done.
 */
export async function reevaluate(options: ReevaluateOptions): Promise<boolean> {
  const { store, catalogue } = options
  const known = await definitionsOf(store)
  const status = await store.status()
  const runs = Object.values(status.runs).reduce((sum, count) => sum + count, 0)
  const current = Object.fromEntries(catalogue.signatures.map(({ id, definition }) => [id, definition]))
  const changed = Object.fromEntries(
    Object.entries(current).filter(([id, definition]) => known?.[id]?.definition !== definition),
  )
  if (Object.keys(changed).length === 0) return true
  if (runs === 0) {
    await putDefinitions(store, withSince(known, changed, 0))
    return true
  }
  return await lookAnew(options, known, changed, runs)
}

async function lookAnew(
  { store, catalogue, now, stop, onProgress }: ReevaluateOptions,
  known: Definitions | undefined,
  changed: Readonly<Record<string, string>>,
  total: number,
): Promise<boolean> {
  const affected = affectedBy(new Set(Object.keys(changed)), catalogue)
  let state = await startState(store, changed, total, now())
  let batch: RunFindings[] = []
  let bytes = 0
  const write = async () => {
    await store.replaceFindings(affected.ids, batch)
    await putReevaluation(store, state)
    onProgress?.({ done: state.done, total: state.total, bytes })
    batch = []
  }
  for await (const { run, findings, expired, bytes: read } of evaluate(store, affected, { after: state.after })) {
    batch.push(findings)
    bytes += read
    const { time, bucket, path } = run
    state = {
      ...state,
      done: state.done + 1,
      after: { time, bucket, path },
      expired: state.expired || expired,
      ...(expired ? {} : { oldestText: time }),
    }
    if (batch.length < BATCH) continue
    await write()
    if (stop?.aborted) return false
  }
  state = { ...state, finishedAt: now() }
  await write()
  const since = state.expired ? (state.oldestText ?? now()) : 0
  await putDefinitions(store, withSince(known, changed, since))
  await refreshIncidents(store, catalogue, { signatures: affected.ids })
  return true
}

/** Where it was stopped, if it was at the same edit. */
async function startState(
  store: Store,
  changed: Readonly<Record<string, string>>,
  total: number,
  startedAt: number,
): Promise<ReevaluationState> {
  const last = await reevaluationOf(store)
  if (last && last.finishedAt === undefined && isDeepStrictEqual(last.changed, changed)) return { ...last, total }
  return { changed, startedAt, done: 0, total, expired: false }
}

function withSince(known: Definitions = {}, changed: Readonly<Record<string, string>>, since: number): Definitions {
  const fresh = Object.entries(changed).map(([id, definition]) => [id, { definition, since }] as const)
  return { ...known, ...Object.fromEntries(fresh) }
}
