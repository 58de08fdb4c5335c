import { z } from 'zod'
import type { Hit } from '../model/hit.ts'
import type { Run } from '../model/run.ts'
import type { Signature } from '../model/signature.ts'
import type { Store } from '../store/store.ts'
import { clusterHits } from './cluster.ts'
import { describe } from './incident.ts'
import { isCounted } from './votes.ts'

/** When incidents of two votes began (earliest, latest; epoch ms), with hits joined within half and twice the window. */
const Reclustered = z.object({
  half: z.array(z.tuple([z.number(), z.number()])),
  double: z.array(z.tuple([z.number(), z.number()])),
})
export type Reclustered = z.infer<typeof Reclustered>

/** Beyond so many incidents a verdict does not hang on how hits are joined, or they are continuous. */
const MOST = 1000

const keyOf = (signature: string) => `reclustered:${signature}`

/** Only of outages: a per-run failure counts runs, however they are joined. */
export async function putReclustered(
  store: Pick<Store, 'state' | 'putState'>,
  { id, kind, windowMs, maxSpanMs }: Signature,
  hits: readonly Hit[],
  runs: ReadonlyMap<string, Run>,
): Promise<void> {
  if (kind !== 'outage') return
  const began = (factor: number) =>
    clusterHits(hits, { windowMs: windowMs * factor, maxSpanMs })
      .map((cluster) => describe(id, cluster, runs))
      .filter(isCounted)
      .map(({ from }): [number, number] => [from.earliest, from.latest])
  const [half, double] = [began(1 / 2), began(2)]
  const fresh = half.length > MOST || double.length > MOST ? undefined : { half, double }
  const before = await store.state(keyOf(id))
  if (JSON.stringify(before) !== JSON.stringify(fresh)) await store.putState(keyOf(id), fresh)
}

export async function reclusteredOf(store: Pick<Store, 'state'>, signature: string): Promise<Reclustered | undefined> {
  return Reclustered.safeParse(await store.state(keyOf(signature))).data
}
