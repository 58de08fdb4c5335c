import type { Cadence } from '../model/incident.ts'
import type { Signature } from '../model/signature.ts'
import type { Verdict } from '../model/verdict.ts'
import type { Context, StoredContext } from './context.ts'
import { knownStatus } from './known-status.ts'
import { kept } from './memo.ts'
import { ingestStates } from './passes.ts'
import { groundsOf, signatureData } from './signature-data.ts'

export interface Judgement {
  readonly cadence: Cadence
  readonly verdict: Verdict
}

/** Cadence and verdict of every signature that is not retired, by id. */
export async function verdicts(ctx: StoredContext): Promise<ReadonlyMap<string, Judgement>> {
  return await kept(ctx, 'verdicts', () => judge(ctx, () => true))
}

/** Changes, or groups of them, on which a verdict is given: as many may be called wrongly as their threshold says. */
export async function changesWatched(ctx: Context): Promise<number> {
  // The status is asked for by who polls: only what can have a change is read for it.
  const judged = await kept(ctx, 'changes watched', () => judge(ctx, ({ changes }) => changes.length > 0))
  return [...judged.values()].filter(({ cadence, verdict }) => cadence.after && verdict.chance !== undefined).length
}

async function judge(
  ctx: StoredContext,
  which: (signature: Signature) => boolean,
): Promise<ReadonlyMap<string, Judgement>> {
  const { store } = ctx
  const [{ signatures }, status, states] = await Promise.all([ctx.catalogue(), knownStatus(ctx), ingestStates(store)])
  const grounds = await groundsOf(store, { status, states, now: ctx.now() })
  const wanted = signatures.filter((signature) => signature.status.state !== 'retired' && which(signature))
  const judged = await Promise.all(
    wanted.map(async (signature) => {
      const incidents = await store.incidents({ signature: signature.id })
      const { cadence, verdict } = await signatureData(store, signature, incidents, grounds)
      return [signature.id, { cadence, verdict }] as const
    }),
  )
  return new Map(judged)
}
