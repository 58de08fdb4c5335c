import { basename } from 'node:path'
import type { Hit } from '../model/hit.ts'
import type { Run } from '../model/run.ts'
import { affectedBy } from '../signature/affected.ts'
import { type Catalogue, type CatalogueFile, parseCatalogue } from '../signature/catalogue.ts'
import { evaluate } from '../signature/evaluate.ts'
import type { Store } from '../store/store.ts'

/** What an edit of a signature would change among the runs whose text is kept. */
export interface Preview {
  readonly signature: string
  /** Runs that hold it now, with the hits by which they would. */
  readonly gained: readonly Difference[]
  /** Runs that hold it no more, with the hits they have. */
  readonly lost: readonly Difference[]
  /** Runs that hold it before and after. */
  readonly kept: number
}

export interface Difference {
  readonly run: Run
  readonly hits: readonly Hit[]
}

export interface PreviewAnswer {
  readonly previews: readonly Preview[]
  /** Runs whose text is kept. */
  readonly runs: number
  /** Runs whose text is gone: nothing is known of them. */
  readonly expired: number
}

/** The catalogue in which a file stands in place of the one of its name, or beside the others. */
export function withFile(files: readonly CatalogueFile[], edited: CatalogueFile): Catalogue {
  const name = basename(edited.file)
  const at = files.findIndex(({ file }) => basename(file) === name)
  return parseCatalogue(at < 0 ? [...files, edited] : files.with(at, edited))
}

/** Which runs an edit would gain and lose: of every signature whose rules differ, and of what yields to them. */
export async function preview(
  store: Store,
  before: Catalogue,
  after: Catalogue,
  onProgress?: (done: number) => void,
): Promise<PreviewAnswer> {
  const rules = new Map(before.signatures.map(({ id, definition }) => [id, definition]))
  const changed = after.signatures.filter(({ id, definition }) => rules.get(id) !== definition).map(({ id }) => id)
  if (changed.length === 0) return { previews: [], runs: 0, expired: 0 }
  const affected = affectedBy(new Set(changed), after)
  const differences = new Map(affected.ids.map((id) => [id, { gained: [], lost: [], kept: 0 } as Counting]))
  let [runs, gone] = [0, 0]
  for await (const { run, findings, expired } of evaluate(store, affected)) {
    if (expired) gone++
    else {
      runs++
      const stored = (await store.run(run))?.hits ?? []
      for (const [id, counting] of differences) compare(counting, run, of(stored, id), of(findings.hits, id))
    }
    onProgress?.(runs + gone)
  }
  const previews = [...differences].map(([signature, counting]) => ({ signature, ...counting }))
  return { previews, runs, expired: gone }
}

interface Counting {
  readonly gained: Difference[]
  readonly lost: Difference[]
  kept: number
}

function compare(counting: Counting, run: Run, was: readonly Hit[], is: readonly Hit[]): void {
  if (was.length > 0 && is.length > 0) counting.kept++
  else if (is.length > 0) counting.gained.push({ run, hits: is })
  else if (was.length > 0) counting.lost.push({ run, hits: was })
}

function of(hits: readonly Hit[], id: string): Hit[] {
  return hits.filter(({ signature }) => signature === id)
}
