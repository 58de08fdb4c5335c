import { group } from 'd3-array'
import type { Cadence } from '../model/incident.ts'
import type { Verdict } from '../model/verdict.ts'
import type { Context } from './context.ts'
import { kept } from './memo.ts'
import { ingestStates } from './passes.ts'
import { groundsOf, signatureData } from './signature-data.ts'

export interface Judgement {
  readonly cadence: Cadence
  readonly verdict: Verdict
}

/** Cadence and verdict of every signature that is not retired, by id. */
export async function verdicts(ctx: Context): Promise<ReadonlyMap<string, Judgement>> {
  return await kept(ctx, 'verdicts', async () => {
    const { store } = ctx
    const [{ signatures }, status, states, incidents] = await Promise.all([
      ctx.catalogue(),
      store.status(),
      ingestStates(store),
      store.incidents({}),
    ])
    const grounds = await groundsOf(store, { status, states, now: ctx.now() })
    const own = group(incidents, ({ signature }) => signature)
    const judged = await Promise.all(
      signatures
        .filter(({ status: { state } }) => state !== 'retired')
        .map(async (signature) => {
          const { cadence, verdict } = await signatureData(store, signature, own.get(signature.id) ?? [], grounds)
          return [signature.id, { cadence, verdict }] as const
        }),
    )
    return new Map(judged)
  })
}

/** Changes, or groups of them, on which a verdict is given: as many may be called wrongly as their threshold says. */
export async function changesWatched(ctx: Context): Promise<number> {
  return [...(await verdicts(ctx)).values()].filter(
    ({ cadence, verdict }) => cadence.after && verdict.chance !== undefined,
  ).length
}
