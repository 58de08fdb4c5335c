import { isDeepStrictEqual } from 'node:util'
import { group } from 'd3-array'
import type { Hit } from '../model/hit.ts'
import type { Signature } from '../model/signature.ts'
import type { Catalogue } from '../signature/catalogue.ts'
import type { Store } from '../store/store.ts'
import { clusterHits } from './cluster.ts'
import { assignIds } from './ids.ts'
import { describe } from './incident.ts'
import { ownHits, source } from './part.ts'
import { allPages, runsOfHits } from './runs.ts'

const PAGE = 2000

/**
 * Clusters the stored hits of every signature (or of those named, with their parts) anew and stores the incidents,
 * which keep their ids. Called by the worker after each pass; only what changed is written.
 */
export async function refreshIncidents(
  store: Pick<Store, 'hits' | 'runs' | 'incidents' | 'putIncidents'>,
  catalogue: Catalogue,
  options: { readonly signatures?: readonly string[] } = {},
): Promise<void> {
  const named = catalogue.signatures.filter(
    (signature) => options.signatures?.some((id) => id === signature.id || id === source(signature)) ?? true,
  )
  for (const [id, signatures] of group(named, source)) {
    const hits: Hit[] = []
    for await (const hit of allPages((page) => store.hits({ signature: id }, page), PAGE)) hits.push(hit)
    const runs = await runsOfHits(store, hits)
    for (const signature of signatures) await refreshOne(store, signature, hits, runs)
  }
}

async function refreshOne(
  store: Pick<Store, 'incidents' | 'putIncidents'>,
  signature: Signature,
  hits: readonly Hit[],
  runs: Awaited<ReturnType<typeof runsOfHits>>,
): Promise<void> {
  const fresh = clusterHits(ownHits(signature, hits), signature).map((cluster) => describe(signature.id, cluster, runs))
  const stored = await store.incidents({ signature: signature.id })
  const incidents = assignIds(fresh, stored)
  if (!isDeepStrictEqual(byId(incidents), byId(stored))) await store.putIncidents(signature.id, incidents)
}

function byId<T extends { readonly id: string }>(incidents: readonly T[]): T[] {
  return [...incidents].sort((a, b) => (a.id < b.id ? -1 : 1))
}
