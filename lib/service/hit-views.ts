import { runLinks } from '../deployment/links.ts'
import { runsOfHits, runText } from '../incident/runs.ts'
import type { Hit } from '../model/hit.ts'
import type { Store } from '../store/store.ts'
import type { HitView } from './views.ts'

/** Hits with their runs and links. */
export async function hitViews(store: Pick<Store, 'runsOf'>, hits: readonly Hit[]): Promise<HitView[]> {
  const runs = await runsOfHits(store, hits)
  return hits.map((hit) => {
    const run = runs.get(runText(hit))
    const buildId = hit.path.slice(hit.path.lastIndexOf('/') + 1)
    return {
      hit,
      ...(run && { run }),
      links: runLinks(run ?? { ...hit, buildId }, { log: hit.log, line: hit.line }),
    }
  })
}
