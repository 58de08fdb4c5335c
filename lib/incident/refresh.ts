import { isDeepStrictEqual } from 'node:util'
import type { Hit } from '../model/hit.ts'
import type { Signature } from '../model/signature.ts'
import type { Catalogue } from '../signature/catalogue.ts'
import type { Store } from '../store/store.ts'
import { clusterHits } from './cluster.ts'
import { assignIds } from './ids.ts'
import { describe } from './incident.ts'
import { putReclustered } from './reclustered.ts'
import { allPages, runsOfHits } from './runs.ts'

type IncidentStore = Pick<Store, 'hits' | 'runsOf' | 'incidents' | 'putIncidents' | 'state' | 'putState'>

const PAGE = 2000

/**
 * Clusters the stored hits of every signature (or of those named) anew and stores the incidents, which keep their ids.
 * Called by the worker after each pass, and now and then during a long one; only what changed is written.
 */
export async function refreshIncidents(
  store: IncidentStore,
  catalogue: Catalogue,
  options: { readonly signatures?: readonly string[] } = {},
): Promise<void> {
  for (const signature of catalogue.signatures) {
    if (options.signatures?.includes(signature.id) ?? true) await refreshOne(store, signature)
  }
}

async function refreshOne(store: IncidentStore, signature: Signature): Promise<void> {
  const hits: Hit[] = []
  for await (const hit of allPages((page) => store.hits({ signature: signature.id }, page), PAGE)) hits.push(hit)
  const runs = await runsOfHits(store, hits)
  const fresh = clusterHits(hits, signature).map((cluster) => describe(signature.id, cluster, runs))
  const stored = await store.incidents({ signature: signature.id })
  const incidents = assignIds(fresh, stored)
  if (!isDeepStrictEqual(byId(incidents), byId(stored))) await store.putIncidents(signature.id, incidents)
  await putReclustered(store, signature, hits, runs)
}

function byId<T extends { readonly id: string }>(incidents: readonly T[]): T[] {
  return [...incidents].sort((a, b) => (a.id < b.id ? -1 : 1))
}
